import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { createUsage } from './usage.ts';

const connection = await createDatabase(inject('server'));
const db = openDatabase(connection, { connections: 3 });
afterAll(async () => {
  await db[Symbol.asyncDispose]();
});

const day = '2026-03-01T00:00:00.000Z';
const now = '2026-03-08T12:34:56.000Z';
const minute = '2026-03-08T12:34:00.000Z';

/** Inserts an agent with a key, which have the same id. */
async function insertAgent(): Promise<string> {
  const id = randomUUID();
  await db.run(sql`
    INSERT INTO agents (id, handle, created_at, last_active_on)
    VALUES (${id}, ${id.replaceAll('-', '')}, ${day}, ${day})
  `);
  await db.run(sql`
    INSERT INTO api_keys (id, agent_id, kind, secret_sha256, prefix, scopes, created_at)
    VALUES (${id}, ${id}, 'scoped', ${randomBytes(32)}, 'stoa_xxxxxxx', '{credits}', ${day})
  `);
  return id;
}

const readUse = (id: string) =>
  db.first<{ activeAt: string; usedAt: string | null }>(sql`
    SELECT a.last_active_on::timestamptz AS "activeAt", k.last_used_at AS "usedAt"
    FROM agents a
    JOIN api_keys k ON k.id = a.id
    WHERE a.id = ${id}
  `);

const used = { activeAt: '2026-03-08T00:00:00.000Z', usedAt: minute };

describe('the uses of agents and keys', () => {
  it.each(['agents', 'api_keys'])(
    '[ledger.deadlocks] are written around rows of %s that others have locked',
    async (table) => {
      const locked = await insertAgent();
      const free = await insertAgent();
      const usage = createUsage(db);
      for (const id of [locked, free])
        await usage.recordUse(id, { id, lastUsedAt: day }, day.slice(0, 10), now);
      await db.transaction(async (tx) => {
        await tx.run(
          table === 'agents'
            ? sql`SELECT 1 FROM agents WHERE id = ${locked} FOR SHARE`
            : sql`SELECT 1 FROM api_keys WHERE id = ${locked} FOR SHARE`,
        );
        await usage.flush();
        expect(await readUse(free)).toEqual(used);
        expect(await readUse(locked)).toEqual(
          table === 'agents' ? { ...used, activeAt: day } : { ...used, usedAt: null },
        );
      });
      await usage.flush();
      expect(await readUse(locked)).toEqual(used);
    },
  );

  it('[ledger.deadlocks] keep a later use that another node stored', async () => {
    const id = await insertAgent();
    const late = createUsage(db);
    const early = createUsage(db);
    await late.recordUse(id, { id, lastUsedAt: day }, day.slice(0, 10), now);
    await early.recordUse(
      id,
      { id, lastUsedAt: day },
      day.slice(0, 10),
      '2026-03-04T01:02:03.000Z',
    );
    await late.flush();
    await early.flush();
    expect(await readUse(id)).toEqual(used);
  });
});
