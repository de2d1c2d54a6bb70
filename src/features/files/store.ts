import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import { roleIn } from '../../kernel/access.ts';
import { type FilePlace, MAX_FILES_PER_MESSAGE } from './rules.ts';
import { buildFileUrlPrefix, type FileRow } from './schemas.ts';

/** The columns that decide whether a reader may read a file or its message. */
export const accessColumns = (reader: string | null): Sql => sql`
  t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility,
  t.deleted_at AS "deletedAt", ${roleIn(reader)} AS role, m.deleted_at AS "messageDeletedAt"
`;

/** Joins the thread and the room of a message `m`. */
export const placeJoins = sql`
  JOIN threads t ON t.id = m.thread_id
  JOIN rooms r ON r.id = t.room_id`;

/** A stored file with the facts that decide who may read it. */
export interface StoredFile extends FilePlace {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  /** Whether the file itself was deleted. */
  readonly fileDeleted: boolean;
}

/**
 * Finds a file with the facts that decide who may read it. Of a deleted file only these facts are
 * known; its other members are null.
 */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<StoredFile>(sql`
    SELECT ${accessColumns(reader)}, f.name, f.media_type AS "mediaType", f.size,
      encode(f.sha256, 'hex') AS sha256, f.sha256 IS NULL AS "fileDeleted"
    FROM (
      SELECT message_id, name, media_type, size, sha256
      FROM files
      WHERE id = ${id}
      UNION ALL
      SELECT message_id, NULL, NULL, NULL, NULL
      FROM deleted_files
      WHERE id = ${id}
    ) f
    JOIN messages m ON m.id = f.message_id ${placeJoins}
  `);

/**
 * Returns the messages with their files, oldest file first. Call it only for threads whose
 * `fileCount` is above zero, because it always costs a statement.
 */
export async function loadFilesInto<Message extends { readonly id: string }>(
  db: Queryable,
  messages: readonly Message[],
  installation: Parameters<typeof buildFileUrlPrefix>[0],
): Promise<(Message & { files: FileRow[] })[]> {
  const found = await db.rows<FileRow>(sql`
      SELECT f.id, m.id AS "messageId", f.name, f.media_type AS "mediaType", f.size,
        encode(f.sha256, 'hex') AS sha256, f.author_id AS "authorId", f.created_at AS "createdAt",
        ${buildFileUrlPrefix(installation)}::text || f.id AS url
      FROM ${unnestRows(messages, [['uuid', ({ id }) => id]])} AS m (id)
      CROSS JOIN LATERAL (
        SELECT *
        FROM files
        WHERE message_id = m.id
        ORDER BY id
        LIMIT ${MAX_FILES_PER_MESSAGE}
      ) f
      ORDER BY f.id
    `);
  const byMessage = new Map<string, FileRow[]>(messages.map(({ id }) => [id, []]));
  for (const file of found) byMessage.get(file.messageId)?.push(file);
  return messages.map((message) => ({ ...message, files: byMessage.get(message.id) ?? [] }));
}

/** A file to insert. Its bytes are stored already. */
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

/**
 * Inserts a file, counts it in its thread, and increments the thread's revision, because its cached
 * pages are now out of date. The caller holds the lock of `lockTarget`.
 */
export function insert(tx: Transaction, threadId: string, file: NewFile): void {
  tx.send(sql`
    INSERT INTO files (
      id, message_id, name, media_type, size, sha256, author_id, receipt_id, created_at
    )
    VALUES (
      ${file.id}, ${file.messageId}, ${file.name}, ${file.mediaType}, ${file.size},
      ${file.sha256}, ${file.authorId}, ${file.receiptId}, ${file.createdAt}
    )
  `);
  tx.send(sql`
    UPDATE threads
    SET file_count = file_count + 1, revision = revision + 1
    WHERE id = ${threadId}
  `);
}
