import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import {
  AGENTS,
  FORMER_MIGRATION,
  fillFormerSchema,
  formatSqlId,
  MESSAGES_PER_THREAD,
} from '../content/former-schema.ts';
import { connectSql } from '../load/sql-limit.ts';
import { type Waits, watchedKinds, watchLocks } from '../measure/watch-locks.ts';
import { renderMarkdownTable } from '../report/document.ts';

export interface MigrationOptions {
  readonly messages: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const QUIET_MS = 10_000;
/** What no migration may exceed. */
const MOST_MS = 200;

/** A post as the former release makes it: its statements read and write the same tables. */
async function post(client: pg.Client, nr: number, threads: number): Promise<void> {
  const agent = formatSqlId('1', `$1::int % ${AGENTS}`);
  const thread = formatSqlId('3', `$1::int % ${threads}`);
  const message = formatSqlId('8', '$1::int');
  const receipt = formatSqlId('9', '$1::int');
  await client.query('BEGIN');
  const run = (text: string) => client.query(text, [nr]);
  await run(`SELECT message_count FROM threads WHERE id = ${thread} FOR NO KEY UPDATE`);
  await run(
    `SELECT s.agent_id FROM subscriptions s
     JOIN threads t ON t.id = s.thread_id
     JOIN rooms r ON r.id = t.room_id
     LEFT JOIN event_fanouts f ON f.thread_id = t.id
     WHERE t.id = ${thread}`,
  );
  await run(
    `WITH message AS (
       INSERT INTO messages (
         id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
       )
       SELECT ${message}, ${thread}, message_count, ${agent}, 'A post', sha256('A post'),
         ${receipt}, now()
       FROM threads
       WHERE id = ${thread}
     ),
     thread AS (
       UPDATE threads SET message_count = message_count + 1, last_message_at = now()
       WHERE id = ${thread}
     ),
     receipt AS (
       INSERT INTO portable_events (
         id, kind, visibility, occurred_at, actor_id, subject_type, subject_id, content_sha256
       )
       VALUES (${receipt}, 'message.posted', 'public', now(), ${agent}, 'message', ${message},
         sha256('A post'))
     ),
     head AS (
       UPDATE event_heads SET head = head + 1 WHERE agent_id = ${agent} RETURNING agent_id, head
     )
     INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
     SELECT agent_id, head, 4, ${formatSqlId('2', '0')}, ${message}, ${agent}, now() FROM head`,
  );
  await client.query('COMMIT');
}

/** A registration, and an agent that is seen on another day. */
const register = (client: pg.Client, nr: number) =>
  client.query(
    `WITH seen AS (
       UPDATE agents SET last_active_on = last_active_on WHERE id = ${formatSqlId('1', '$1::int')}
     ),
     agent AS (
       INSERT INTO agents (id, handle, created_at, last_active_on)
       VALUES (${formatSqlId('a', '$1::int')}, 'new-' || $1::int, now(), '2026-01-01')
       RETURNING id
     )
     INSERT INTO event_heads (agent_id) SELECT id FROM agent`,
    [nr],
  );

/** A public interaction that is recorded, and withdrawn. */
async function record(client: pg.Client, nr: number): Promise<void> {
  const id = formatSqlId('b', '$1::int');
  await client.query(
    `WITH record AS (
       INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
       VALUES (${id}, 'interaction', 1, 'recorded', ${formatSqlId('1', `$1::int % ${AGENTS}`)},
         now(), now())
       RETURNING id, author_id, created_at
     )
     INSERT INTO interactions (id, subject_id, author_id, kind, context, visibility, created_at)
     SELECT id, ${formatSqlId('1', `($1::int * 3 + 1) % ${AGENTS}`)}, author_id, 'collaboration',
       'context-1', 'public', created_at
     FROM record`,
    [nr],
  );
  await client.query(`UPDATE records SET state = 'withdrawn' WHERE id = ${id}`, [nr]);
}

/** A read of everything that a page of messages, a list, a poll and a credential need. */
const read = (client: pg.Client, nr: number, threads: number) =>
  client.query(
    `SELECT
       (SELECT count(*) FROM messages WHERE thread_id = t.id),
       (SELECT count(*) FROM subscriptions WHERE thread_id = t.id),
       (SELECT count(*) FROM events e WHERE e.agent_id = a.id AND e.seq < 20),
       (SELECT count(*) FROM api_keys k WHERE k.id = a.id),
       (SELECT count(*) FROM records c JOIN offers o USING (id) WHERE c.id = a.id)
     FROM threads t
     JOIN rooms r ON r.id = t.room_id
     JOIN agents a ON a.id = t.author_id
     WHERE t.id = ${formatSqlId('3', `$1::int % ${threads}`)}`,
    [(nr * 7919) % threads],
  );

const formatRow = (name: string, took: number, waits: Waits): string[] => [
  name,
  took.toFixed(0),
  waits.lock.toFixed(0),
  ...watchedKinds.map((kind) => waits.slowest[kind].toFixed(0)),
];

/**
 * Runs the command `bench migrations`: how long each migration since the previous release takes
 * with so many messages, and how long posts and reads wait for it meanwhile.
 */
export async function benchMigrations(options: MigrationOptions): Promise<void> {
  const messages = Number(options.messages);
  const threads = Math.ceil(messages / MESSAGES_PER_THREAD);
  await mkdir(join(root, 'data'), { recursive: true });
  const dataDir = await mkdtemp(join(root, 'data', 'bench-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    const { connection } = server;
    await migrate(connection, undefined, { upTo: FORMER_MIGRATION });
    await using sql = await connectSql(connection, 1);
    await fillFormerSchema(sql, messages);
    await using watch = await watchLocks(connection, {
      post: (client, nr) => post(client, nr, threads),
      read: (client, nr) => read(client, nr, threads),
      registration: register,
      record,
    });
    await sleep(QUIET_MS);
    watch.take();
    await sleep(QUIET_MS);
    const rows = [formatRow('none', QUIET_MS, watch.take())];
    const late: string[] = [];
    for (const { id, name } of migrations.filter(({ id }) => id > FORMER_MIGRATION)) {
      const began = performance.now();
      await migrate(connection, undefined, { upTo: id });
      const took = performance.now() - began;
      const waits = watch.take();
      rows.push(formatRow(`${id} ${name}`, took, waits));
      if (waits.lock > MOST_MS) late.push(`${id} ${name}`);
    }
    console.log(
      `\n${messages} messages.\n\n${renderMarkdownTable(
        [
          'migration',
          'took, ms',
          'longest wait for a lock',
          ...watchedKinds.map((kind) => `slowest ${kind}`),
        ],
        rows,
      )}\n`,
    );
    console.log(
      late.length === 0
        ? `No call waited longer than ${MOST_MS} ms for a lock.`
        : `Calls waited longer than ${MOST_MS} ms for a lock of ${late.join(', ')}.`,
    );
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    if (server.location.relocated)
      await rm(dirname(server.location.data), { recursive: true, force: true });
  }
}
