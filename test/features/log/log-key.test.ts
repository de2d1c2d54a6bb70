import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { EMPTY_FRONTIER, getRoot } from '../../../src/features/log/merkle-tree.rules.ts';
import { openLog } from '../../../src/features/log/open-log.ts';
import { startApp } from '../../support/app.ts';
import { runConcurrently } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const { env } = app.app;
const first = '11'.repeat(32);
const second = '22'.repeat(32);
const getStoredKey = () =>
  env.db.first<{ origin: string; privateKey: Buffer; sealed: boolean }>(
    sql`SELECT origin, private_key AS "privateKey", sealed FROM log_state`,
  );
const sign = async (dataKey: string | null) =>
  (await openLog(env, dataKey)).sign(0, getRoot(EMPTY_FRONTIER));

describe('the key of the log', () => {
  it('[log.key-first] is made once although nodes start together', async () => {
    await env.db.run(sql`DELETE FROM log_state`);
    await env.db.run(sql`DELETE FROM log_checkpoints`);
    const signatures = await runConcurrently(5, () => sign(null));
    expect(new Set(signatures.map((signature) => signature.toString('hex'))).size).toBe(1);
    const rows = await env.db.rows<{ size: number; signature: Buffer }>(
      sql`SELECT size, signature FROM log_checkpoints`,
    );
    expect(rows).toEqual([{ size: 0, signature: signatures[0] }]);
  });

  it('[log.key-sealed] is encrypted when DATA_KEY is set, and needs that key then', async () => {
    const before = await getStoredKey();
    const signature = await sign(null);
    expect(before?.sealed).toBe(false);
    expect(await sign(first)).toEqual(signature);
    const sealed = await getStoredKey();
    expect(sealed?.sealed).toBe(true);
    expect(sealed?.privateKey.includes(before?.privateKey ?? Buffer.alloc(0))).toBe(false);
    expect(await sign(first)).toEqual(signature);
    expect((await getStoredKey())?.privateKey).toEqual(sealed?.privateKey);
    await expect(sign(null)).rejects.toThrow(
      /^DATA_KEY must be set: the key of the log .* sealed\. Set the one/,
    );
    await expect(sign(second)).rejects.toThrow(
      /^DATA_KEY is not the one under which the key of the log was sealed\. Set the one/,
    );
  });

  it('[log.key-sealed] aborts startup of a node that cannot decrypt it', async () => {
    // The key that signs receipts is a different one and could be decrypted.
    await env.db.run(sql`DELETE FROM signing_keys`);
    await expect(app.startNode({ DATA_KEY: second })).rejects.toThrow('the key of the log');
  });

  it('[log.key-sealed] is encrypted from the start with DATA_KEY', async () => {
    await env.db.run(sql`DELETE FROM log_state`);
    await env.db.run(sql`DELETE FROM log_checkpoints`);
    await sign(first);
    expect((await getStoredKey())?.sealed).toBe(true);
    await env.db.run(sql`UPDATE log_state SET origin = 'other.example.org/log'`);
    await expect(sign(first)).rejects.toThrow('DATA_KEY is not the one');
    await env.db.run(sql`UPDATE log_state SET sealed = false, private_key = sha256('x')`);
    await expect(sign(null)).rejects.toThrow('was changed in the database');
  });

  it('[log.key] names the log by its first address, also after a move', async () => {
    await env.db.run(sql`DELETE FROM log_state`);
    await env.db.run(sql`DELETE FROM log_checkpoints`);
    const openMovedLog = (baseUrl: string) =>
      openLog({ ...env, installation: { ...env.installation, baseUrl } }, null);
    await openMovedLog('https://stoa.example.org');
    expect((await getStoredKey())?.origin).toBe('stoa.example.org/log');
    await openMovedLog('https://elsewhere.example.org');
    expect((await getStoredKey())?.origin).toBe('stoa.example.org/log');
  });
});
