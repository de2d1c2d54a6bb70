import { sql } from '../../../src/db/sql.ts';
import { hashNode } from '../../../src/features/log/merkle-tree.rules.ts';
import { splitHashes } from '../../../src/features/log/rules.ts';
import type { TestApp } from '../../support/app.ts';
import { waitUntil } from '../../support/factories.ts';

/** MTH of RFC 6962 (section 2.1), implemented word for word over hashes of leaves. */
export function merkleTreeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer;
  if (leaves.length === 0)
    return Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex');
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return hashNode(merkleTreeHash(leaves.slice(0, half)), merkleTreeHash(leaves.slice(half)));
}

/** Reads the bytes at an address below /log. */
export async function fetchBytes({ url }: Pick<TestApp, 'url'>, path: string): Promise<Buffer> {
  const response = await fetch(`${url}/log/${path}`);
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

/** Reads every entry of the log as it is stored. */
export const listEntries = async ({ app }: TestApp): Promise<Buffer[]> =>
  splitHashes(
    (
      await app.env.db.first<{ all: Buffer }>(sql`
        SELECT coalesce(string_agg(entry, ''::bytea ORDER BY leaf_index), ''::bytea) AS all
        FROM log_entries
      `)
    )?.all ?? Buffer.alloc(0),
  );

const getLogSize = async ({ app }: TestApp): Promise<number> =>
  (await app.env.db.first<{ size: number }>(sql`SELECT size FROM log_state`))?.size ?? 0;

/** Waits until the log has this many entries. */
export const waitForLogSize = (app: TestApp, size: number): Promise<void> =>
  waitUntil(`the log has ${size} entries`, async () => (await getLogSize(app)) >= size);

/**
 * Inserts acts behind the service's back, every third of them private. They are not queued, as an
 * older version would have left them.
 */
export async function writeReceipts(app: TestApp, count: number, queued: boolean): Promise<void> {
  const { db, newId } = app.app.env;
  const ids = Array.from({ length: count }, newId);
  await db.run(sql`
    WITH acts AS (
      INSERT INTO portable_events (
        id, kind, visibility, occurred_at, subject_type, subject_id, content_sha256, issuer, realm
      )
      SELECT id, 'message.deleted', CASE WHEN nr % 3 = 0 THEN 'private' ELSE 'public' END, now(),
        'message', id, sha256(id::text::bytea), ${app.url}, 'test'
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS a (id, nr)
      RETURNING id
    )
    INSERT INTO portable_queue (event_id, concerned)
    SELECT id, '{}'
    FROM acts
    WHERE ${queued}
  `);
}

/** Inserts acts, queues them, and waits until they are in the log. */
export async function fillLog(app: TestApp, count: number): Promise<void> {
  const before = await getLogSize(app);
  await writeReceipts(app, count, true);
  await waitForLogSize(app, before + count);
}
