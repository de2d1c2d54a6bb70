import { createHash, randomUUID } from 'node:crypto';
import { insert } from '../../src/features/messages/store.ts';
import { splitWords } from '../../src/features/search/search-words.rules.ts';
import { insertMessages } from '../../src/features/search/store.ts';
import type { SqlLimit } from '../load/sql-limit.ts';
import type { BenchSetup } from './setup.ts';
import { createRandom, createTexts } from './varied-text.ts';

const ROOMS = 200;
const MESSAGES_PER_THREAD = 50;
const BATCH = 1_000;

/**
 * Inserts rooms (three in ten of them private), threads and messages with the service's own
 * statements. The index is built at the end and foreign keys are not checked, which would take ten
 * times as long.
 */
export async function fillForSearch(
  sql: SqlLimit,
  { authors }: BenchSetup,
  bodies: readonly string[],
  messages: number,
): Promise<void> {
  const chance = createRandom(1);
  const text = createTexts(bodies, chance);
  const authorIds = authors.map(({ id }) => id);
  const index = String(
    (await sql.run(`SELECT pg_get_indexdef('message_words_words'::regclass) AS index`))[0]?.index,
  );
  await sql.run('DROP INDEX message_words_words');
  await sql.run('SET session_replication_role = replica');

  const rooms = Array.from({ length: ROOMS }, (_, number) => ({
    id: randomUUID(),
    visibility: number % 10 < 7 ? 'public' : 'private',
  }));
  await sql.run(
    `INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
     SELECT id, 'Room ' || n, visibility, $3, 1, now()
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS r (id, visibility, n)`,
    [rooms.map(({ id }) => id), rooms.map(({ visibility }) => visibility), authorIds[0]],
  );
  const threads = Array.from({ length: Math.ceil(messages / MESSAGES_PER_THREAD) }, () => ({
    id: randomUUID(),
    room: chance.pickOne(rooms),
  }));
  await sql.run(
    `INSERT INTO threads (
       id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at
     )
     SELECT id, room_id, left(title, 200), 'discussion', visibility, $5, ${MESSAGES_PER_THREAD},
       now(), now()
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
       AS t (id, room_id, title, visibility)`,
    [
      threads.map(({ id }) => id),
      threads.map(({ room }) => room.id),
      threads.map(() => splitWords(text()).slice(0, 6).join(' ') || 'A thread'),
      threads.map(({ room }) => room.visibility),
      authorIds[0],
    ],
  );
  await sql.run(
    `INSERT INTO members (room_id, agent_id, role, joined_at)
     SELECT id, $2, $3, now()
     FROM unnest($1::uuid[]) AS r (id)`,
    [rooms.filter((_, number) => number % 2 === 0).map(({ id }) => id), authorIds[1], 'member'],
  );
  await sql.run(
    `INSERT INTO search_backlog (id, type)
     SELECT id, 'thread'
     FROM unnest($1::uuid[]) AS t (id)`,
    [threads.map(({ id }) => id)],
  );

  let previousBatch: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < messages; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, messages - from) }, (_, number) => {
      // Twenty threads grow at the same time, as in real use.
      const block = Math.floor((from + number) / (MESSAGES_PER_THREAD * 20));
      const thread = threads[Math.min(threads.length - 1, block * 20 + (number % 20))] ?? {
        id: '',
        room: { id: '', visibility: '' },
      };
      const body = text();
      const author = chance.pickInt(authorIds.length);
      const privateTo = thread.room.visibility === 'private' ? thread.room.id : null;
      return {
        id: formatId(from + number),
        threadId: thread.id,
        position: Math.floor((from + number) / 20) % MESSAGES_PER_THREAD,
        authorId: authorIds[author] ?? '',
        body,
        words: splitWords(body),
        bodySha256: createHash('sha256').update(body).digest(),
        replyToId: null,
        mentions: [],
        receiptId: randomUUID(),
        isRequest: false,
        via: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        roomId: thread.room.id,
        authorHandle: `author-${author}`,
        privateTo,
      };
    });
    const rows = insert(batch);
    const words = insertMessages(batch);
    await previousBatch;
    previousBatch = Promise.all([
      sql.run(rows.text, rows.values),
      sql.run(words.text, words.values),
    ]);
  }
  await previousBatch;
  for (const statement of [
    'SET session_replication_role = DEFAULT',
    `SET maintenance_work_mem = '256MB'`,
    index,
    'RESET maintenance_work_mem',
  ])
    await sql.run(statement);
  for (const statement of ['VACUUM ANALYZE messages', 'VACUUM ANALYZE message_words', 'CHECKPOINT'])
    await sql.run(statement);
}

/** Formats UUIDs that sort by number, and before those of the service. */
const formatId = (number: number): string =>
  `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
