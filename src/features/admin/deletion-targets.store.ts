import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';

/** What anyone may read of something that an administrator is about to delete. */
export interface DeletionPreview {
  /** The title of the thread. */
  readonly title: string;
  readonly roomId: string;
  readonly roomName: string;
  readonly authorHandle: string;
  readonly createdAt: string;
  /** The beginning of its text; null or empty if that is gone. */
  readonly excerpt: string | null;
}

/** All is null where not everybody may read: administrators read no more of it than others. */
type MaybeShown = DeletionPreview | { readonly [Name in keyof DeletionPreview]: null };

/** Finds a thread to delete, with the beginning of its first message. */
export const findThread = (db: Queryable, id: string) =>
  db.first<MaybeShown & { readonly messageCount: number; readonly deleted: boolean }>(sql`
    SELECT t.message_count AS "messageCount", t.deleted_at IS NOT NULL AS deleted, x.*
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    LEFT JOIN LATERAL (
      SELECT t.title, r.id AS "roomId", r.name AS "roomName", a.handle AS "authorHandle",
        t.created_at AS "createdAt",
        (
          SELECT left(m.body, 500)
          FROM messages m
          WHERE m.thread_id = t.id AND m.position = 0
        ) AS excerpt
      FROM agents a
      WHERE a.id = t.author_id
    ) x ON ${readableThread(null)}
    WHERE t.id = ${id}
  `);

/** A message to delete. Its position and its author stay, and so may be named in any case. */
interface MessageTarget {
  readonly threadId: string;
  readonly position: number;
  readonly authorName: string;
  readonly deleted: boolean;
}

/** Finds a message to delete, with the beginning of its text. */
export const findMessage = (db: Queryable, id: string) =>
  db.first<MaybeShown & MessageTarget>(sql`
    SELECT m.thread_id AS "threadId", m.position, a.handle AS "authorName",
      (m.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL) AS deleted, x.*
    FROM messages m
    JOIN agents a ON a.id = m.author_id
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
    LEFT JOIN LATERAL (
      SELECT t.title, r.id AS "roomId", r.name AS "roomName", a.handle AS "authorHandle",
        m.created_at AS "createdAt", left(m.body, 500) AS excerpt
    ) x ON ${readableThread(null)}
    WHERE m.id = ${id}
  `);
