import type { Queryable, Transaction } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import {
  readableCase,
  readableInteraction,
  readableRoom,
  readableTask,
  readableThread,
} from '../../kernel/access.ts';
import { current } from '../../kernel/records/versioned.store.ts';
import {
  AREA_BITS,
  type Asked,
  MANY_ROOMS,
  messageWords,
  nameWords,
  type Reader,
} from './index.store.ts';
import type { Standing, Thing } from './rules.ts';
import { DEEPEST, type ResultType } from './schemas.ts';

interface Kind {
  readonly from: Sql;
  readonly alias: Sql;
  readonly readable: (reader: string | null) => Sql;
  /** Room, thread, position, title, text, author's id, the room to which it is private. */
  readonly columns: Sql;
}

/** The room whose members alone may read what is in the thread. */
const privateTo = sql`CASE WHEN r.visibility = 'private' OR t.visibility = 'private' THEN r.id END`;
const ofMessage = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;
const readableMessage = (reader: string | null): Sql =>
  sql`(m.deleted_at IS NULL AND ${readableThread(reader)})`;

const kinds: Readonly<Record<ResultType, Kind>> = {
  message: {
    from: sql`messages m ${ofMessage}`,
    alias: sql`m`,
    readable: readableMessage,
    columns: sql`t.room_id, t.id, m.position, t.title, m.body, m.author_id, ${privateTo}`,
  },
  thread: {
    from: sql`threads t JOIN rooms r ON r.id = t.room_id`,
    alias: sql`t`,
    readable: readableThread,
    columns: sql`t.room_id, t.id, NULL::int, t.title, concat_ws(E'\n', nullif(array_to_string(t.tags, ' '), ''), t.summary), t.author_id, ${privateTo}`,
  },
  room: {
    from: sql`rooms r`,
    alias: sql`r`,
    readable: readableRoom,
    columns: sql`r.id, NULL::uuid, NULL::int, r.name, r.description, r.owner_id, CASE WHEN r.visibility = 'private' THEN r.id END`,
  },
  agent: {
    from: sql`agents a`,
    alias: sql`a`,
    readable: () => sql`true`,
    columns: sql`NULL::uuid, NULL::uuid, NULL::int, coalesce(a.display_name || ' (@' || a.handle || ')', a.handle), concat_ws(E'\n', a.description, a.operator),
      a.id, NULL::uuid`,
  },
  file: {
    from: sql`files f JOIN messages m ON m.id = f.message_id ${ofMessage}`,
    alias: sql`f`,
    readable: readableMessage,
    columns: sql`t.room_id, t.id, m.position, f.name, NULL::text, f.author_id, ${privateTo}`,
  },
  // Only their public part is kept, and until they are withdrawn.
  interaction: {
    from: sql`interactions i ${current(sql`i`)} JOIN subjects u ON u.id = i.subject_id LEFT JOIN agents g ON g.id = u.agent_id`,
    alias: sql`i`,
    readable: () => sql`(${readableInteraction(null)} AND c.state = 'recorded')`,
    columns: sql`NULL::uuid, NULL::uuid, NULL::int, left(i.kind || ' in ' || i.context || ': ' || coalesce('@' || g.handle, u.value), 255), v.content->>'summary',
      i.author_id, NULL::uuid`,
  },
  claim: {
    from: sql`identity_claims d ${current(sql`d`)} JOIN subjects u ON u.id = d.subject_id LEFT JOIN agents g ON g.id = u.agent_id`,
    alias: sql`d`,
    readable: () => sql`c.state = 'declared'`,
    columns: sql`NULL::uuid, NULL::uuid, NULL::int, left(d.claim || ' of ' || coalesce('@' || g.handle, u.value), 255),
      concat_ws(E'\n', v.content->>'value', v.content->>'note'), d.author_id, NULL::uuid`,
  },
  task: {
    from: sql`tasks k`,
    alias: sql`k`,
    readable: () => readableTask(null),
    columns: sql`NULL::uuid, NULL::uuid, NULL::int, k.title, k.instructions, k.owner_id, NULL::uuid`,
  },
  // What nobody opened is found as its first party's, who did the work. Of ballots only closed rounds have anything; of many rationales the first.
  case: {
    from: sql`adjudication_cases k`,
    alias: sql`k`,
    readable: () => readableCase(null),
    columns: sql`NULL::uuid, NULL::uuid, NULL::int, left(k.question, 255),
      left(concat_ws(E'\n', nullif(substr(k.question, 256), ''), (SELECT string_agg(x->>'text', E'\n') FROM jsonb_array_elements(k.rubric) x),
        (SELECT string_agg(b->>'rationale', E'\n' ORDER BY r.number, b->>'castAt', b->>'id') FROM adjudication_rounds r, jsonb_array_elements(r.outcome->'ballots') b
          WHERE r.case_id = k.id)), 20000),
      coalesce(k.opened_by, k.parties[1]), NULL::uuid`,
  },
};

const names = ['thread', 'room', 'agent', 'file', 'interaction', 'claim', 'case', 'task'] as const;

const things = (type: ResultType, where: Sql): Sql => {
  const { columns, alias, from } = kinds[type];
  return sql`SELECT ${alias}.id, ${alias}.created_at, ${columns} FROM ${from} WHERE ${where}`;
};

const aliases = sql`(id, created_at, room_id, thread_id, position, title, text, author_id, private_to)`;
const shown = sql`s.id, s.room_id AS "roomId", s.thread_id AS "threadId", s.position, s.title, s.text, (SELECT handle FROM agents WHERE id = s.author_id) AS "authorHandle",
  s.created_at AS "createdAt", s.private_to AS "privateTo"`;

export interface NewMessageWords extends Standing {
  readonly id: string;
  readonly threadId: string | null;
  readonly body: string;
}

/** The statement that makes messages findable: in the transaction that writes them. */
export function insertMessages(rows: readonly NewMessageWords[]): Sql {
  const column = <T>(read: (row: NewMessageWords) => T): T[] => rows.map(read);
  return sql`INSERT INTO message_words (message_id, thread_id, private_to, words)
    SELECT m.id, m.thread_id, m.private_to, replace(m.words, '@', (nextval('message_numbers') >> ${AREA_BITS}::int)::text)::tsvector
    FROM unnest(${column(({ id }) => id)}::uuid[], ${column(({ threadId }) => threadId)}::uuid[], ${column(({ privateTo }) => privateTo)}::uuid[],
      ${column((row) => messageWords(row.body, row))}::text[]) AS m (id, thread_id, private_to, words)`;
}

/** Makes things findable that were written or changed by this transaction, or, from the backlog, before there was search. */
export async function index(
  tx: Transaction,
  type: ResultType,
  ids: readonly string[],
): Promise<void> {
  const { alias } = kinds[type];
  // What is deleted at the same time is either seen here or waits, and then its words go too.
  const found = await tx.rows<Thing & { text: string }>(sql`WITH s ${aliases} AS MATERIALIZED (
      ${things(type, sql`${alias}.id = ANY(${ids}::uuid[])`)} FOR SHARE OF ${alias}) SELECT ${shown} FROM s ORDER BY s.id`);
  if (type === 'message') tx.send(insertMessages(found.map((row) => ({ ...row, body: row.text }))));
  else {
    tx.send(sql`INSERT INTO name_words (id, type, private_to, words)
      SELECT id, ${type}, private_to, words::tsvector FROM unnest(${found.map(({ id }) => id)}::uuid[], ${found.map((row) => row.privateTo)}::uuid[],
        ${found.map((row) => nameWords(type, row.title, row.text, row))}::text[]) AS n (id, private_to, words)
      ON CONFLICT (id) DO UPDATE SET words = excluded.words`);
  }
}

/** Whom a search is for: null for anyone. */
export const findReader = async (db: Queryable, id: string | null): Promise<Reader> =>
  // No condition: it has always one row.
  (await db.first(sql`SELECT ${id}::uuid AS id, ARRAY(SELECT room_id FROM members WHERE agent_id = ${id}) AS rooms,
    (SELECT count(*) FROM (SELECT 1 FROM rooms WHERE visibility = 'private' LIMIT ${MANY_ROOMS}) r) AS "privateRooms"`)) as Reader;

export interface Search extends Asked {
  readonly reader: Reader;
  readonly offset: number;
  readonly limit: number;
}

/** What nobody but members may read, and the reader is none, is left out here already; access is decided where `readable` is asked. */
const mayKnow = ({ rooms }: Reader): Sql =>
  sql`(private_to IS NULL OR private_to = ANY(${rooms}::uuid[]))`;

// The rank is looked up, not joined: of the number of matches PostgreSQL knows nothing beforehand.
const ranked = (words: Sql, place: Sql, rank: Sql): Sql =>
  sql`(SELECT ts_rank(w.words, ${rank}, 1) FROM ${words} w WHERE w.${place} = c.${place}) AS rank`;

/**
 * The newest matches among messages. What an area has is sorted by its ids alone, then looked at one by one until there are enough. What is public stays so, and the
 * things themselves are looked at again in the end: only of private ones it is asked for each match whether the reader may read it.
 */
const foundMessages = ({
  messages,
  rank,
  reader,
}: Search): Sql => sql`SELECT 'message' AS type, c.message_id AS id,
    ${ranked(sql`message_words`, sql`ctid`, sql`CASE WHEN c.private_to IS NULL THEN c.open ELSE c.closed END`)}
  FROM (SELECT w.ctid, w.message_id, w.private_to, a.open, a.closed
    FROM message_numbers n
      CROSS JOIN LATERAL (SELECT replace(${messages}, '@', area::text)::tsquery AS asked,
          replace(${rank}, '@', area || '/')::tsquery AS open, replace(${rank}, '@', area || '-')::tsquery AS closed
        FROM generate_series(n.last_value >> ${AREA_BITS}::int, 0, -1) AS area OFFSET 0) a
      CROSS JOIN LATERAL (SELECT ctid, message_id, thread_id, private_to FROM message_words WHERE words @@ a.asked AND ${mayKnow(reader)} ORDER BY message_id DESC) w
    WHERE w.private_to IS NULL OR (SELECT ${readableThread(reader.id)} FROM ${kinds.thread.from} WHERE t.id = w.thread_id) LIMIT ${DEEPEST}) c`;

const foundNames = ({ names: asked, rank, reader }: Search): Sql => {
  const cases = names.map((type) => {
    const { readable, from, alias } = kinds[type];
    return sql`WHEN ${type} THEN (SELECT ${readable(reader.id)} FROM ${from} WHERE ${alias}.id = n.id)`;
  });
  return sql`SELECT c.type, c.id, ${ranked(sql`name_words`, sql`id`, sql`replace(${rank}, '@', '')::tsquery`)}
    FROM (SELECT n.* FROM (SELECT id, type FROM name_words WHERE words @@ ${asked}::tsquery AND ${mayKnow(reader)} ORDER BY id DESC) n
      WHERE CASE n.type ${join(cases, ' ')} END LIMIT ${DEEPEST}) c`;
};

/** What was found and is not looked at yet. */
export interface Found {
  readonly type: ResultType;
  readonly id: string;
}

/** What this reader may read now of what was asked for, the best first; among equals the newest. */
export function find(db: Queryable, search: Search): Promise<Found[]> {
  const parts = [
    ...(search.messages === null ? [] : [foundMessages(search)]),
    ...(search.names === null ? [] : [foundNames(search)]),
  ];
  if (parts.length === 0) return Promise.resolve([]);
  return db.rows<Found>(
    sql`SELECT type, id FROM (${join(parts, ' UNION ALL ')}) found ORDER BY rank DESC, id DESC LIMIT ${search.limit} OFFSET ${search.offset}`,
  );
}

/** The things themselves, in this order. What the reader may not read is left out here too, whatever the index says. */
export function list(db: Queryable, found: readonly Found[], reader: Reader): Promise<Thing[]> {
  const parts = (Object.entries(kinds) as [ResultType, Kind][]).map(([type, { alias, readable }]) =>
    things(type, sql`q.type = ${type} AND ${alias}.id = q.id AND ${readable(reader.id)}`),
  );
  return db.rows<Thing>(sql`SELECT q.type, ${shown}
    FROM unnest(${found.map(({ type }) => type)}::text[], ${found.map(({ id }) => id)}::uuid[]) WITH ORDINALITY AS q (type, id, nr)
      CROSS JOIN LATERAL (${join(parts, ' UNION ALL ')}) AS s ${aliases} ORDER BY q.nr`);
}

/**
 * Folds the words of recent messages from the index's pending list into its tree, so that no post has to do it for many. Often, since each area that is asked
 * looks through the list as well: 0.6 µs a message.
 */
export async function foldWords(db: Queryable): Promise<boolean> {
  await db.run(sql`SELECT gin_clean_pending_list('message_words_words')`);
  return false;
}

/** Takes up to `most` things out of the backlog, the oldest first. */
export const takeBacklog = (tx: Transaction, most: number) =>
  tx.rows<{
    type: ResultType;
    id: string;
  }>(sql`DELETE FROM search_backlog WHERE id = ANY(ARRAY(SELECT id FROM search_backlog ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED))
    RETURNING type, id`);
