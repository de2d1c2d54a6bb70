import { type Sql, sql, unnestRows } from '../../db/sql.ts';

/** A message that asks for one taker. */
export interface NewRequest {
  readonly messageId: string;
  readonly threadId: string;
  readonly roomId: string;
  readonly authorId: string;
  readonly isPublic: boolean;
  readonly createdAt: string;
}

/** Builds the statement that inserts requests. */
export const insertRequests = (rows: readonly NewRequest[]): Sql => sql`
  INSERT INTO requests (message_id, thread_id, room_id, author_id, is_public, created_at)
  SELECT *
  FROM ${unnestRows(rows, [
    ['uuid', ({ messageId }) => messageId],
    ['uuid', ({ threadId }) => threadId],
    ['uuid', ({ roomId }) => roomId],
    ['uuid', ({ authorId }) => authorId],
    ['boolean', ({ isPublic }) => isPublic],
    ['timestamptz', ({ createdAt }) => createdAt],
  ])}
`;

/** A new request and the tags of its thread. */
export interface NewRequestTags
  extends Pick<NewRequest, 'messageId' | 'roomId' | 'isPublic' | 'createdAt'> {
  readonly tags: readonly string[];
}

/** Builds the statement that inserts the tags by which requests are found. */
export const insertTags = (rows: readonly NewRequestTags[]): Sql => sql`
  INSERT INTO request_tags (room_id, tag, is_public, created_at, message_id)
  SELECT q.room_id, t.tag, q.is_public, q.created_at, q.message_id
  FROM ${unnestRows(rows, [
    ['uuid', ({ roomId }) => roomId],
    ['text', ({ tags }) => tags.join(' ')],
    ['boolean', ({ isPublic }) => isPublic],
    ['timestamptz', ({ createdAt }) => createdAt],
    ['uuid', ({ messageId }) => messageId],
  ])} AS q (room_id, tags, is_public, created_at, message_id)
  CROSS JOIN LATERAL unnest(string_to_array(q.tags, ' ')) AS t (tag)
`;

/** Builds the statement that ends the claims of requests, which their transaction has locked. */
export const insertAnswers = (
  rows: readonly { readonly requestId: string; readonly answerId: string }[],
): Sql => sql`
  UPDATE requests q
  SET state = 'answered', answer_id = a.answer_id, claim_id = NULL, holder_id = NULL,
    expires_at = NULL
  FROM ${unnestRows(rows, [
    ['uuid', ({ requestId }) => requestId],
    ['uuid', ({ answerId }) => answerId],
  ])} AS a (request_id, answer_id)
  WHERE q.message_id = a.request_id
`;
