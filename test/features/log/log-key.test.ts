import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { openLog } from '../../../src/features/log/open-log.ts';
import { EMPTY_FRONTIER, rootOf } from '../../../src/kernel/merkle.ts';
import { startApp } from '../../support/app.ts';
import { together } from '../../support/factories.ts';

const app = await startApp({}, { jobsByHand: true });
const { env } = app.app;
const [first, second] = ['11'.repeat(32), '22'.repeat(32)];
const stored = () =>
  env.db.first<{ origin: string; privateKey: Buffer; sealed: boolean }>(
    sql`SELECT origin, private_key AS "privateKey", sealed FROM log_state`,
  );
const sign = async (dataKey: string | null) =>
  (await openLog(env, dataKey)).sign(0, rootOf(EMPTY_FRONTIER));

describe('the key of the log', () => {
  it('[log.key-first] is made once, though nodes start together, and signs the same tree with the same bytes', async () => {
    await env.db.run(sql`DELETE FROM log_state`);
    await env.db.run(sql`DELETE FROM log_checkpoints`);
    const signatures = await together(5, () => sign(null));
    expect(new Set(signatures.map((signature) => signature.toString('hex'))).size).toBe(1);
    const rows = await env.db.rows<{ size: number; signature: Buffer }>(
      sql`SELECT size, signature FROM log_checkpoints`,
    );
    expect(rows).toEqual([{ size: 0, signature: signatures[0] }]);
  });

  it('[log.key-sealed] that was open is sealed when DATA_KEY is set, and opens with no other', async () => {
    const before = await stored();
    const signature = await sign(null);
    expect(before?.sealed).toBe(false);
    expect(await sign(first)).toEqual(signature);
    const sealed = await stored();
    expect(sealed?.sealed).toBe(true);
    expect(sealed?.privateKey.includes(before?.privateKey ?? Buffer.alloc(0))).toBe(false);
    expect(await sign(first)).toEqual(signature);
    expect((await stored())?.privateKey).toEqual(sealed?.privateKey);
    await expect(sign(null)).rejects.toThrow(
      /^DATA_KEY must be set: the key of the log .* sealed\. Set the one/,
    );
    await expect(sign(second)).rejects.toThrow(
      /^DATA_KEY is not the one under which the key of the log was sealed\. Set the one/,
    );
  });

  it('[log.key-sealed] stops the start of a node that cannot open it', async () => {
    // The key that signs receipts is another one, and could be opened.
    await env.db.run(sql`DELETE FROM signing_keys`);
    await expect(app.another({ DATA_KEY: second })).rejects.toThrow('the key of the log');
  });

  it('[log.key-sealed] is made sealed where DATA_KEY is set from the beginning, and belongs to its log', async () => {
    await env.db.run(sql`DELETE FROM log_state`);
    await env.db.run(sql`DELETE FROM log_checkpoints`);
    await sign(first);
    expect((await stored())?.sealed).toBe(true);
    await env.db.run(sql`UPDATE log_state SET origin = 'other.example.org/log'`);
    await expect(sign(first)).rejects.toThrow('DATA_KEY is not the one');
    await env.db.run(sql`UPDATE log_state SET sealed = false, private_key = sha256('x')`);
    await expect(sign(null)).rejects.toThrow('was changed in the database');
  });

  it('[log.key] names the log after the address at which it was made, and keeps the name when the service moves', async () => {
    await env.db.run(sql`DELETE FROM log_state`);
    await env.db.run(sql`DELETE FROM log_checkpoints`);
    const moved = (baseUrl: string) =>
      openLog({ ...env, installation: { ...env.installation, baseUrl } }, null);
    await moved('https://stoa.example.org');
    expect((await stored())?.origin).toBe('stoa.example.org/log');
    await moved('https://elsewhere.example.org');
    expect((await stored())?.origin).toBe('stoa.example.org/log');
  });
});
