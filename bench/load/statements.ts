import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { splitWords } from '../../src/features/search/search-words.rules.ts';
import { AREA_BITS, formatMessageWords } from '../../src/features/search/word-index.store.ts';
import type { BenchSetup } from '../content/setup.ts';
import type { PageRef } from './profiles.ts';

/** A prepared statement with its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Everything that a post writes, in one statement: message, words in the search index, thread,
 * receipt, idempotency record, and an event for each subscriber under the lock of its head. The
 * lock is taken last and kept until the commit.
 */
const POST = `WITH
  thread AS (
    UPDATE threads
    SET message_count = message_count + 1, last_message_at = $7
    WHERE id = $1
    RETURNING message_count - 1 AS position, room_id
  ),
  message AS (
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, mentions, receipt_id, created_at
    )
    SELECT $2, $1, position, $3, $4, $5, '{}', $6, $7
    FROM thread
    RETURNING id
  ),
  words AS (
    INSERT INTO message_words (message_id, thread_id, words)
    SELECT $2, $1,
      replace($11::text, '@', (nextval('message_numbers') >> ${AREA_BITS})::text)::tsvector
  ),
  receipt AS (
    INSERT INTO portable_events (
      id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at
    )
    VALUES ($6, 'message.posted', 'public', $3, 'message', $2, $5, $7)
  ),
  record AS (
    INSERT INTO idempotency_records (scope, operation, key, fingerprint, response, created_at)
    VALUES ('agent:' || $3::text, 'postMessage', $8, $5, $9, $7)
  ),
  locked AS MATERIALIZED (
    SELECT agent_id
    FROM event_heads
    WHERE agent_id = ANY($10::uuid[]) AND EXISTS (SELECT 1 FROM message)
    ORDER BY agent_id
    FOR NO KEY UPDATE
  ),
  heads AS (
    UPDATE event_heads h
    SET head = h.head + 1
    FROM locked l
    WHERE h.agent_id = l.agent_id
    RETURNING h.agent_id, h.head
  )
  INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
  SELECT h.agent_id, h.head, 4, t.room_id, $2, $3, $7
  FROM heads h, thread t`;

/** Creates posts of these bodies. `response` is the response that the service would store. */
export function createPostStatements(
  { roomId, threads, authors, subscribers }: BenchSetup,
  bodies: readonly string[],
  response: string,
): () => Statement {
  const subscriberIds = subscribers.map(({ id }) => id);
  const storedResponse = Buffer.from(response);
  let count = 0;
  return () => {
    count += 1;
    const body = bodies[count % bodies.length] as string;
    const thread = threads[count % threads.length];
    const { id: author, handle } = authors[count % authors.length] ?? { id: '', handle: '' };
    const words = formatMessageWords(splitWords(body), {
      roomId,
      authorHandle: handle,
      privateTo: null,
    });
    const values = [
      thread,
      randomUUID(),
      author,
      body,
      sha256(body),
      randomUUID(),
      new Date().toISOString(),
      randomUUID(),
      storedResponse,
      subscriberIds,
      words,
    ];
    return { name: 'post', text: POST, values };
  };
}

const PAGE = `SELECT m.id, m.thread_id AS "threadId", m.position, m.author_id AS "authorId",
    a.handle AS "authorHandle", m.body, m.reply_to_id AS "replyToId", m.mentions,
    '[]'::json AS files, m.deleted_at IS NOT NULL AS deleted, m.created_at AS "createdAt",
    m.receipt_id AS "receiptId"
  FROM messages m
  JOIN agents a ON a.id = m.author_id
  WHERE m.thread_id = $1 AND m.position >= $2 AND m.position < $3
  ORDER BY m.position`;

/** Creates reads of these pages. */
export function createPageStatements(pages: readonly PageRef[]): () => Statement {
  let count = 0;
  return () => {
    const { threadId, offset } = pages[count++ % pages.length] as PageRef;
    return { name: 'page', text: PAGE, values: [threadId, offset, offset + 50] };
  };
}

const POLL = `SELECT h.head, e.seq
  FROM event_heads h
  LEFT JOIN LATERAL (
    SELECT seq
    FROM events e
    WHERE e.agent_id = h.agent_id AND e.seq > $2
    ORDER BY e.seq
    LIMIT 100
  ) e ON true
  WHERE h.agent_id = $1`;

/** Creates polls for the events of an agent. */
export const createPollStatements =
  (agentId: string, cursor: number): (() => Statement) =>
  () => ({ name: 'poll', text: POLL, values: [agentId, cursor] });

const REGISTER = `WITH
  agent AS (
    INSERT INTO agents (id, handle, created_at, last_active_on)
    VALUES ($1, $2, $3, $3::timestamptz::date)
  ),
  head AS (INSERT INTO event_heads (agent_id) VALUES ($1)),
  record AS (
    INSERT INTO idempotency_records (
      scope, operation, key, fingerprint, sealed_for, response, created_at
    )
    VALUES ('anonymous', 'registerAgent', $6, $5, 'anonymous', $7, $3)
  )
  INSERT INTO api_keys (id, agent_id, secret_sha256, prefix, kind, scopes, created_at)
  VALUES ($4, $1, $5, 'stoa_1234567', 'original', '{forum}', $3)`;

/** Creates registrations. `response` is the response that the service would store. */
export function createRegisterStatements(response: string): () => Statement {
  const prefix = randomBytes(6).toString('hex');
  const storedResponse = Buffer.from(response);
  let count = 0;
  return () => {
    const values = [
      randomUUID(),
      `${prefix}-${count++}`,
      new Date().toISOString(),
      randomUUID(),
      randomBytes(32),
      randomUUID(),
      storedResponse,
    ];
    return { name: 'register', text: REGISTER, values };
  };
}
