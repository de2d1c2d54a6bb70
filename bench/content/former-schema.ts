import type { SqlLimit } from '../load/sql-limit.ts';

/** The last migration of the release that the rows of `fillFormerSchema` are made for. */
export const FORMER_MIGRATION = 20;

export const AGENTS = 10_000;
export const MESSAGES_PER_THREAD = 50;
const ROOMS = 1_000;
const BATCH = 250_000;

/** SQL of the id of the thing with this number, of a kind with one hexadecimal digit. */
export const formatSqlId = (kind: string, number: string): string =>
  `('0190000${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

const agent = (number: string) => formatSqlId('1', `(${number}) % ${AGENTS}`);
const room = (number: string) => formatSqlId('2', `(${number}) % ${ROOMS}`);
const thread = (number: string) => formatSqlId('3', number);
const message = (number: string) => formatSqlId('4', number);
/** Three rooms in ten are private. */
const visibility = (number: string) =>
  `CASE WHEN (${number}) % ${ROOMS} % 10 < 7 THEN 'public' ELSE 'private' END`;
const time = (number: string) =>
  `'2026-01-01T00:00:00Z'::timestamptz + (${number}) * interval '1s'`;

const fillSmall = (threads: number) => [
  `INSERT INTO agents (id, handle, created_at, last_active_on)
   SELECT ${agent('i')}, 'agent-' || i, ${time('i')}, '2026-01-01'
   FROM generate_series(0, ${AGENTS - 1}) i`,
  `INSERT INTO subjects (id, agent_id, public, created_at)
   SELECT id, id, true, created_at FROM agents`,
  `INSERT INTO api_keys (
     id, agent_id, secret_sha256, prefix, kind, scopes, created_at
   )
   SELECT id, id, sha256(id::text::bytea), 'stoa_', 'original', '{forum}', created_at FROM agents`,
  `INSERT INTO event_heads (agent_id, head)
   SELECT id, 1_000_000 FROM agents`,
  `INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
   SELECT ${room('i')}, 'Room ' || i, ${visibility('i')}, ${agent('i')}, 10, ${time('i')}
   FROM generate_series(0, ${ROOMS - 1}) i`,
  `INSERT INTO members (room_id, agent_id, role, joined_at)
   SELECT ${room('i')}, ${agent('i + n * 37')}, CASE n WHEN 0 THEN 'owner' ELSE 'member' END,
     ${time('i')}
   FROM generate_series(0, ${ROOMS - 1}) i, generate_series(0, 9) n`,
  `INSERT INTO invitations (id, room_id, token_sha256, created_by, created_at, expires_at)
   SELECT ${formatSqlId('5', 'i')}, ${room('i')}, sha256(i::text::bytea), ${agent('i')},
     ${time('i')}, now() + interval '7 days'
   FROM generate_series(0, 9999) i`,
  `INSERT INTO threads (
     id, room_id, title, kind, tags, visibility, author_id, message_count, created_at,
     last_message_at
   )
   SELECT ${thread('i')}, ${room('i')}, 'Thread ' || i, 'discussion', ARRAY['tag-' || i % 100],
     ${visibility('i')}, ${agent('i * 7')}, ${MESSAGES_PER_THREAD}, ${time('i')}, ${time('i * 10')}
   FROM generate_series(0, ${threads - 1}) i`,
  `INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
   SELECT ${thread('i')}, ${agent('i * 7 + n')}, 0, ${time('i')}
   FROM generate_series(0, ${threads - 1}) i, generate_series(0, 4) n`,
  `INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
   SELECT ${formatSqlId('6', 'i')}, CASE WHEN i < 20000 THEN 'interaction' ELSE 'offer' END, 1,
     CASE WHEN i >= 20000 THEN 'confirmed' WHEN i % 10 = 0 THEN 'withdrawn' ELSE 'recorded' END,
     ${agent('i')}, ${time('i')}, ${time('i')}
   FROM generate_series(0, 39999) i`,
  `INSERT INTO interactions (
     id, subject_id, author_id, kind, context, visibility, created_at
   )
   SELECT ${formatSqlId('6', 'i')}, ${agent('i * 3 + 1')}, ${agent('i')}, 'collaboration',
     'context-' || i % 10, 'public', ${time('i')}
   FROM generate_series(0, 19999) i`,
  ...['entries', 'authors', 'operators', 'counts'].map(
    (table) => `INSERT INTO reputation_${table} SELECT * FROM reputation_${table}_anew`,
  ),
  `INSERT INTO offers (id, kind, sender_id, recipient_id, amount, expires_at, created_at)
   SELECT ${formatSqlId('6', 'i')}, 'gift', ${agent('i')}, ${agent('i + 1')}, 1,
     now() + interval '7 days', ${time('i')}
   FROM generate_series(20000, 39999) i`,
];

/** Messages, two events and a receipt for each, of which `from` is the first and `to` the last. */
const fillMessages = (from: number, to: number) => [
  `INSERT INTO messages (
     id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
   )
   SELECT ${message('i')}, ${thread(`i / ${MESSAGES_PER_THREAD}`)}, i % ${MESSAGES_PER_THREAD},
     ${agent('i / 50 * 7 + i % 5')}, repeat(md5(i::text) || ' ', 9), sha256(i::text::bytea),
     ${formatSqlId('7', 'i')}, ${time('i')}
   FROM generate_series(${from}, ${to}) i`,
  `INSERT INTO portable_events (
     id, kind, visibility, occurred_at, actor_id, subject_type, subject_id, content_sha256
   )
   SELECT ${formatSqlId('7', 'i')}, 'message.posted', 'public', ${time('i')}, ${agent('i')},
     'message', ${message('i')}, sha256(i::text::bytea)
   FROM generate_series(${from}, ${to}) i`,
  `INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
   SELECT ${agent(`i + n * 5000`)}, i / ${AGENTS} * 2 + n + 1, CASE i % 10 WHEN 0 THEN 1 ELSE 4 END,
     ${room(`i / ${MESSAGES_PER_THREAD}`)}, ${message('i')}, ${agent('i')}, ${time('i')}
   FROM generate_series(${from}, ${to}) i, generate_series(0, 1) n`,
];

/**
 * Fills an empty database at `FORMER_MIGRATION` by SQL: so many messages in threads of 50, each
 * with a receipt and two events, and 10,000 agents, keys and invitations, 1,000 rooms, 20,000
 * interactions, every tenth of them withdrawn, and 20,000 offers. Foreign keys are not checked,
 * which would take ten times as long.
 */
export async function fillFormerSchema(sql: SqlLimit, messages: number): Promise<void> {
  await sql.run('SET session_replication_role = replica');
  for (const statement of fillSmall(Math.ceil(messages / MESSAGES_PER_THREAD)))
    await sql.run(statement);
  for (let from = 0; from < messages; from += BATCH)
    for (const statement of fillMessages(from, Math.min(messages, from + BATCH) - 1))
      await sql.run(statement);
  await sql.run('SET session_replication_role = DEFAULT');
  for (const statement of ['VACUUM (ANALYZE)', 'CHECKPOINT']) await sql.run(statement);
}
