import { sql } from '../src/db/sql.ts';
import { apart } from '../src/features/log/rules.ts';
import { nodeHash } from '../src/kernel/merkle.ts';
import type { TestApp } from './support/app.ts';
import { until } from './support/factories.ts';

/** MTH of RFC 6962 word for word, of hashes of leaves. */
export function mth(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer;
  if (leaves.length === 0)
    return Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex');
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return nodeHash(mth(leaves.slice(0, half)), mth(leaves.slice(half)));
}

/** The bytes at an address below /log. */
export async function bytesAt({ url }: Pick<TestApp, 'url'>, path: string): Promise<Buffer> {
  const response = await fetch(`${url}/log/${path}`);
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

/** Every entry of the log, as it is stored. */
export const entriesOf = async ({ app }: TestApp): Promise<Buffer[]> =>
  apart(
    (
      await app.env.db.first<{ all: Buffer }>(
        sql`SELECT coalesce(string_agg(entry, ''::bytea ORDER BY leaf_index), ''::bytea) AS all FROM log_entries`,
      )
    )?.all ?? Buffer.alloc(0),
  );

const sizeOf = async ({ app }: TestApp): Promise<number> =>
  (await app.env.db.first<{ size: number }>(sql`SELECT size FROM log_state`))?.size ?? 0;

/** Waits until the log has so many entries. */
export const inLog = (app: TestApp, size: number): Promise<void> =>
  until(`the log has ${size} entries`, async () => (await sizeOf(app)) >= size);

/** Acts past the service, every third of them private; as an older version leaves them, they are not queued. */
export async function writeActs(app: TestApp, count: number, queued: boolean): Promise<void> {
  const { db, newId } = app.app.env;
  const ids = Array.from({ length: count }, newId);
  await db.run(sql`WITH acts AS (INSERT INTO portable_events (id, kind, visibility, occurred_at, subject_type, subject_id, content_sha256, issuer, realm)
      SELECT id, 'message.deleted', CASE WHEN nr % 3 = 0 THEN 'private' ELSE 'public' END, now(), 'message', id, sha256(id::text::bytea), ${app.url}, 'test'
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS a (id, nr) RETURNING id)
    INSERT INTO portable_queue (event_id, concerned) SELECT id, '{}' FROM acts WHERE ${queued}`);
}

/** The same, queued; waits until they are in the log. */
export async function fillLog(app: TestApp, count: number): Promise<void> {
  const before = await sizeOf(app);
  await writeActs(app, count, true);
  await inLog(app, before + count);
}
