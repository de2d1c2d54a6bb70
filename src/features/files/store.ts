import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { roleIn } from '../../kernel/access.ts';
import { MAX_FILES, type Place, type Target } from './rules.ts';
import { addressOf, type FileRow } from './schemas.ts';

const facts = (
  reader: string | null,
): Sql => sql`t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility, t.deleted_at AS "deletedAt",
  ${roleIn(reader)} AS role, m.deleted_at AS "messageDeletedAt"`;

const place = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;

/** What decides about attaching to a message; undefined when there is none. */
export const findTarget = (db: Queryable, messageId: string, reader: string) =>
  db.first<Target>(sql`SELECT ${facts(reader)}, t.id AS "threadId", m.author_id AS "authorId", ARRAY[t.author_id, r.owner_id] AS owners, m.created_at AS "createdAt",
      (SELECT count(*) FROM files f WHERE f.message_id = m.id) AS files FROM messages m ${place} WHERE m.id = ${messageId}`);

/** The same, holding its thread until the commit: read by a statement of its own, which sees what the lock waited for. */
export async function lockTarget(
  tx: Transaction,
  messageId: string,
  reader: string,
): Promise<Target | undefined> {
  const [, target] = await Promise.all([
    tx.run(
      sql`SELECT 1 FROM threads WHERE id = (SELECT thread_id FROM messages WHERE id = ${messageId}) FOR NO KEY UPDATE`,
    ),
    findTarget(tx, messageId, reader),
  ]);
  return target;
}

/** A file whose place decides who may read it. */
export interface File extends Place {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
}

/** A file with its place; of a deleted one only the place is known. Undefined when there never was one. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<File>(sql`SELECT ${facts(reader)}, f.name, f.media_type AS "mediaType", f.size, encode(f.sha256, 'hex') AS sha256 FROM (
      SELECT message_id, name, media_type, size, sha256 FROM files WHERE id = ${id}
      UNION ALL SELECT message_id, NULL, NULL, NULL, NULL FROM deleted_files WHERE id = ${id}) f
    JOIN messages m ON m.id = f.message_id ${place}`);

/** Messages with their files, each message's in the order of their arrival. Ask only where there are any: a thread knows how many. */
export async function withFiles<M extends { readonly id: string }>(
  db: Queryable,
  messages: readonly M[],
  installation: Parameters<typeof addressOf>[0],
): Promise<(M & { files: FileRow[] })[]> {
  const found =
    await db.rows<FileRow>(sql`SELECT f.id, m.id AS "messageId", f.name, f.media_type AS "mediaType", f.size, encode(f.sha256, 'hex') AS sha256,
      f.author_id AS "authorId", f.created_at AS "createdAt", ${addressOf(installation)}::text || f.id AS url
    FROM unnest(${messages.map(({ id }) => id)}::uuid[]) AS m (id)
      CROSS JOIN LATERAL (SELECT * FROM files WHERE message_id = m.id ORDER BY id LIMIT ${MAX_FILES}) f ORDER BY f.id`);
  const of = new Map<string, FileRow[]>(messages.map(({ id }) => [id, []]));
  for (const file of found) of.get(file.messageId)?.push(file);
  return messages.map((message) => ({ ...message, files: of.get(message.id) ?? [] }));
}

export interface NewFile {
  readonly id: string;
  readonly messageId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly authorId: string;
  readonly receiptId: string;
  readonly createdAt: string;
}

/** A file whose bytes are stored, counted in its thread, whose pages are out of date now. Only under `lockTarget`. */
export function insert(tx: Transaction, threadId: string, f: NewFile): void {
  tx.send(sql`INSERT INTO files (id, message_id, name, media_type, size, sha256, author_id, receipt_id, created_at)
    VALUES (${f.id}, ${f.messageId}, ${f.name}, ${f.mediaType}, ${f.size}, ${f.sha256}, ${f.authorId}, ${f.receiptId}, ${f.createdAt})`);
  tx.send(
    sql`UPDATE threads SET file_count = file_count + 1, revision = revision + 1 WHERE id = ${threadId}`,
  );
}

/** Files by a condition on `f`: their ids stay, to answer "gone"; the collector looks whether anyone else needs the bytes. */
const deleteWhere = (
  condition: Sql,
  at: string,
): Sql => sql`WITH gone AS (DELETE FROM files f WHERE ${condition} RETURNING f.id, f.message_id, f.sha256),
  left_behind AS (INSERT INTO deleted_files (id, message_id) SELECT id, message_id FROM gone),
  counted AS (UPDATE threads t SET file_count = t.file_count - c.count, revision = t.revision + 1
    FROM (SELECT m.thread_id, count(*)::int AS count FROM gone JOIN messages m ON m.id = gone.message_id GROUP BY m.thread_id) c WHERE t.id = c.thread_id)
  UPDATE blobs SET touched_at = ${at} WHERE sha256 IN (SELECT sha256 FROM gone)`;

/** Removes the files of a message. The caller holds the lock of its thread. */
export const deleteOfMessage = (tx: Transaction, messageId: string, at: string): void =>
  tx.send(deleteWhere(sql`f.message_id = ${messageId}`, at));

/** Removes the files of these messages of one thread. The caller holds the thread's lock, or the thread is deleted. */
export const deleteOfMessages = (
  tx: Transaction,
  messageIds: readonly string[],
  at: string,
): void => tx.send(deleteWhere(sql`f.message_id = ANY(${messageIds}::uuid[])`, at));
