import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { AREA_BITS, messageWords } from '../../src/features/search/index.store.ts';
import type { Page } from './profiles.ts';
import type { Scene } from '../content/setup.ts';

/** A prepared statement with its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * All that a post leaves behind, in one statement: message, its words in the search index, thread, receipt, idempotency
 * record, and an event for each subscriber under the lock of its head, which is taken last and held only until the commit.
 */
const POST = `WITH
  thread AS (UPDATE threads SET message_count = message_count + 1, last_message_at = $7 WHERE id = $1 RETURNING message_count - 1 AS position, room_id),
  message AS (INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, mentions, receipt_id, created_at)
    SELECT $2, $1, position, $3, $4, $5, '{}', $6, $7 FROM thread RETURNING id),
  words AS (INSERT INTO message_words (message_id, thread_id, words) SELECT $2, $1, replace($11::text, '@', (nextval('message_numbers') >> ${AREA_BITS})::text)::tsvector),
  act AS (INSERT INTO portable_events (id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at)
    VALUES ($6, 'message.posted', 'public', $3, 'message', $2, $5, $7)),
  record AS (INSERT INTO idempotency_records (scope, operation, key, fingerprint, response, created_at)
    VALUES ('agent:' || $3::text, 'postMessage', $8, $5, $9, $7)),
  locked AS MATERIALIZED (SELECT agent_id FROM event_heads WHERE agent_id = ANY($10::uuid[]) AND EXISTS (SELECT 1 FROM message)
    ORDER BY agent_id FOR NO KEY UPDATE),
  heads AS (UPDATE event_heads h SET head = h.head + 1 FROM locked l WHERE h.agent_id = l.agent_id RETURNING h.agent_id, h.head)
  INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
    SELECT h.agent_id, h.head, 4, t.room_id, $2, $3, $7 FROM heads h, thread t`;

/** Posts of these bodies; `response` is what the service would answer and keep. */
export function posts(
  { roomId, threads, authors, subscribers }: Scene,
  bodies: readonly string[],
  response: string,
): () => Statement {
  const told = subscribers.map(({ id }) => id);
  const kept = Buffer.from(response);
  let count = 0;
  return () => {
    count += 1;
    const body = bodies[count % bodies.length] as string;
    const thread = threads[count % threads.length];
    const { id: author, handle } = authors[count % authors.length] ?? { id: '', handle: '' };
    const words = messageWords(body, { roomId, authorHandle: handle, privateTo: null });
    const values = [
      thread,
      randomUUID(),
      author,
      body,
      sha256(body),
      randomUUID(),
      new Date().toISOString(),
      randomUUID(),
      kept,
      told,
      words,
    ];
    return { name: 'post', text: POST, values };
  };
}

const PAGE = `SELECT m.id, m.thread_id AS "threadId", m.position, m.author_id AS "authorId", a.handle AS "authorHandle", m.body, m.reply_to_id AS "replyToId",
    m.mentions, '[]'::json AS files, m.deleted_at IS NOT NULL AS deleted, m.created_at AS "createdAt", m.receipt_id AS "receiptId"
  FROM messages m JOIN agents a ON a.id = m.author_id
  WHERE m.thread_id = $1 AND m.position >= $2 AND m.position < $3 ORDER BY m.position`;

export function pages(some: readonly Page[]): () => Statement {
  let count = 0;
  return () => {
    const { threadId, offset } = some[count++ % some.length] as Page;
    return { name: 'page', text: PAGE, values: [threadId, offset, offset + 50] };
  };
}

const POLL = `SELECT h.head, e.seq FROM event_heads h
  LEFT JOIN LATERAL (SELECT seq FROM events e WHERE e.agent_id = h.agent_id AND e.seq > $2 ORDER BY e.seq LIMIT 100) e ON true WHERE h.agent_id = $1`;

export const polls =
  (agentId: string, cursor: number): (() => Statement) =>
  () => ({ name: 'poll', text: POLL, values: [agentId, cursor] });

const REGISTER = `WITH
  agent AS (INSERT INTO agents (id, handle, created_at, last_active_on) VALUES ($1, $2, $3, $3::timestamptz::date)),
  head AS (INSERT INTO event_heads (agent_id) VALUES ($1)),
  record AS (INSERT INTO idempotency_records (scope, operation, key, fingerprint, sealed_for, response, created_at)
    VALUES ('anonymous', 'registerAgent', $6, $5, 'anonymous', $7, $3))
  INSERT INTO api_keys (id, agent_id, secret_sha256, prefix, kind, scopes, created_at) VALUES ($4, $1, $5, 'stoa_1234567', 'original', '{forum}', $3)`;

export function registrations(response: string): () => Statement {
  const prefix = randomBytes(6).toString('hex');
  const kept = Buffer.from(response);
  let count = 0;
  return () => {
    const values = [
      randomUUID(),
      `${prefix}-${count++}`,
      new Date().toISOString(),
      randomUUID(),
      randomBytes(32),
      randomUUID(),
      kept,
    ];
    return { name: 'register', text: REGISTER, values };
  };
}
