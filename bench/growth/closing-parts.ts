import { type Sql, sql, unnestRows } from '../../src/db/sql.ts';

/** A post, as the statement that closes its transaction writes it. */
export interface PostRow {
  readonly id: string;
  readonly thread: string;
  readonly position: number;
  readonly author: string;
  readonly body: string;
  readonly words: string;
  readonly receipt: string;
  readonly at: string;
  readonly hash: Buffer;
  readonly response: Buffer;
}

/** Builds the statements that write posts, a table each: everything but their events. */
export const buildPostParts = (posts: readonly PostRow[]): Sql[] => [
  sql`
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
    )
    SELECT *
    FROM ${unnestRows(posts, [
      ['uuid', ({ id }) => id],
      ['uuid', ({ thread }) => thread],
      ['int', ({ position }) => position],
      ['uuid', ({ author }) => author],
      ['text', ({ body }) => body],
      ['bytea', ({ hash }) => hash],
      ['uuid', ({ receipt }) => receipt],
      ['timestamptz', ({ at }) => at],
    ])}
  `,
  sql`
    INSERT INTO message_words (message_id, thread_id, words)
    SELECT id, thread, words::tsvector
    FROM ${unnestRows(posts, [
      ['uuid', ({ id }) => id],
      ['uuid', ({ thread }) => thread],
      ['text', ({ words }) => words],
    ])} AS p (id, thread, words)
  `,
  sql`
    INSERT INTO portable_events (
      id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at
    )
    SELECT id, 'message.posted', 'public', actor, 'message', subject, hash, at
    FROM ${unnestRows(posts, [
      ['uuid', ({ receipt }) => receipt],
      ['uuid', ({ author }) => author],
      ['uuid', ({ id }) => id],
      ['bytea', ({ hash }) => hash],
      ['timestamptz', ({ at }) => at],
    ])} AS p (id, actor, subject, hash, at)
  `,
  sql`
    INSERT INTO idempotency_records (scope, operation, key, fingerprint, response, created_at)
    SELECT 'agent:' || author, 'postMessage', key, hash, response, at
    FROM ${unnestRows(posts, [
      ['uuid', ({ author }) => author],
      ['text', ({ id }) => id],
      ['bytea', ({ hash }) => hash],
      ['bytea', ({ response }) => response],
      ['timestamptz', ({ at }) => at],
    ])} AS p (author, key, hash, response, at)
  `,
];

const lockHeads = (followers: readonly string[]): Sql => sql`
  SELECT agent_id
  FROM event_heads
  WHERE agent_id = ANY(${followers}::uuid[])
  ORDER BY agent_id
  FOR NO KEY UPDATE
`;

/** Selects the events of posts, each in its place, for the heads of `heads`. */
const selectEvents = (posts: readonly PostRow[], heads: Sql): Sql => sql`
  SELECT h.agent_id, h.head - ${posts.length}::int + p.place, 4, p.id, p.id, p.at
  FROM ${heads} h
  CROSS JOIN ${unnestRows(posts, [
    ['uuid', ({ id }) => id],
    ['timestamptz', ({ at }) => at],
  ])} WITH ORDINALITY AS p (id, at, place)
`;

const insertEvents = (rows: Sql): Sql => sql`
  INSERT INTO events (agent_id, seq, reasons, message_id, subject_id, created_at)
  ${rows}
`;

/** Builds the parts of one statement that tell each follower of each post. */
export const buildEventParts = (posts: readonly PostRow[], followers: readonly string[]): Sql[] => [
  sql`locked AS MATERIALIZED (${lockHeads(followers)})`,
  sql`
    heads AS (
      UPDATE event_heads h
      SET head = h.head + ${posts.length}::int
      FROM locked l
      WHERE h.agent_id = l.agent_id
      RETURNING h.agent_id, h.head
    )
  `,
  sql`told AS (${insertEvents(selectEvents(posts, sql`heads`))})`,
];

/** Builds statements with the same effect, of which only the last reads a table and writes one. */
export const buildEventStatements = (
  posts: readonly PostRow[],
  followers: readonly string[],
): Sql[] => [
  lockHeads(followers),
  sql`
    UPDATE event_heads
    SET head = head + ${posts.length}::int
    WHERE agent_id = ANY(${followers}::uuid[])
  `,
  insertEvents(sql`
    ${selectEvents(posts, sql`event_heads`)}
    WHERE h.agent_id = ANY(${followers}::uuid[])
  `),
];
