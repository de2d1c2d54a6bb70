import type { Queryable, Transaction } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';
import { AREA_BITS, type Asked, BLOCK_BITS, messageWords, NARROWED_ROOMS, nameWords } from './index.store.ts';
import { DEEPEST, type ResultType, type Standing, type Thing } from './rules.ts';

interface Kind {
  readonly from: Sql;
  readonly alias: Sql;
  readonly readable: (reader: string | null) => Sql;
  /** Room, thread, position, title, text, author's id, whether it is public. */
  readonly columns: Sql;
}

const openThread = sql`r.visibility = 'public' AND t.visibility = 'public'`;
const ofMessage = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;
const readableMessage = (reader: string | null): Sql => sql`(m.deleted_at IS NULL AND ${readableThread(reader)})`;

const kinds: Readonly<Record<ResultType, Kind>> = {
  message: {
    from: sql`messages m ${ofMessage}`,
    alias: sql`m`,
    readable: readableMessage,
    columns: sql`t.room_id, t.id, m.position, t.title, m.body, m.author_id, ${openThread}`,
  },
  thread: {
    from: sql`threads t JOIN rooms r ON r.id = t.room_id`,
    alias: sql`t`,
    readable: readableThread,
    columns: sql`t.room_id, t.id, NULL::int, t.title, concat_ws(E'\n', nullif(array_to_string(t.tags, ' '), ''), t.summary), t.author_id, ${openThread}`,
  },
  room: {
    from: sql`rooms r`,
    alias: sql`r`,
    readable: readableRoom,
    columns: sql`r.id, NULL::uuid, NULL::int, r.name, r.description, r.owner_id, r.visibility = 'public'`,
  },
  agent: {
    from: sql`agents a`,
    alias: sql`a`,
    readable: () => sql`true`,
    columns: sql`NULL::uuid, NULL::uuid, NULL::int, coalesce(a.display_name || ' (@' || a.handle || ')', a.handle), concat_ws(E'\n', a.description, a.operator), a.id, true`,
  },
  file: {
    from: sql`files f JOIN messages m ON m.id = f.message_id ${ofMessage}`,
    alias: sql`f`,
    readable: readableMessage,
    columns: sql`t.room_id, t.id, m.position, f.name, NULL::text, f.author_id, ${openThread}`,
  },
};

const names = ['thread', 'room', 'agent', 'file'] as const;

const things = (type: ResultType, where: Sql): Sql => {
  const { columns, alias, from } = kinds[type];
  return sql`SELECT ${alias}.id, ${alias}.created_at, ${columns} FROM ${from} WHERE ${where}`;
};

const aliases = sql`(id, created_at, room_id, thread_id, position, title, text, author_id, public)`;
const shown = sql`s.id, s.room_id AS "roomId", s.thread_id AS "threadId", s.position, s.title, s.text, (SELECT handle FROM agents WHERE id = s.author_id) AS "authorHandle",
  s.created_at AS "createdAt", s.public`;

export interface NewMessageWords extends Standing {
  readonly id: string;
  readonly body: string;
}

/** The statement that makes messages findable: in the transaction that writes them. */
export function insertMessages(rows: readonly NewMessageWords[]): Sql {
  return sql`INSERT INTO message_words (message_id, words)
    SELECT id, (words || ' '':at ' || (n >> ${BLOCK_BITS}::int) || ''' '':area ' || (n >> ${AREA_BITS}::int) || '''')::tsvector
    FROM (SELECT id, words, nextval('message_numbers') AS n FROM unnest(${rows.map(({ id }) => id)}::uuid[],
      ${rows.map((row) => messageWords(row.body, row))}::text[]) AS m (id, words)) m`;
}

/** Makes things findable that were written or changed by this transaction, or, from the backlog, before there was search. */
export async function index(tx: Transaction, type: ResultType, ids: readonly string[]): Promise<void> {
  const { alias } = kinds[type];
  // What is deleted at the same time is either seen here or waits, and then its words go too.
  const found = await tx.rows<Thing & { text: string }>(sql`WITH s ${aliases} AS MATERIALIZED (
      ${things(type, sql`${alias}.id = ANY(${ids}::uuid[])`)} FOR SHARE OF ${alias}) SELECT ${shown} FROM s ORDER BY s.id`);
  if (type === 'message') tx.send(insertMessages(found.map((row) => ({ ...row, body: row.text }))));
  else {
    tx.send(sql`INSERT INTO name_words (id, type, words) SELECT id, ${type}, words::tsvector FROM unnest(${found.map(({ id }) => id)}::uuid[],
      ${found.map((row) => nameWords(type, row.title, row.text, row))}::text[]) AS n (id, words) ON CONFLICT (id) DO UPDATE SET words = excluded.words`);
  }
}

/** The number of the newest message, and the rooms of a reader, one more than can be asked for at most. */
export const readerFacts = async (db: Queryable, reader: string | null) =>
  // No condition: it has always one row.
  (await db.first(
    sql`SELECT last_value AS last, ARRAY(SELECT room_id FROM members WHERE agent_id = ${reader} LIMIT ${NARROWED_ROOMS + 1}) AS rooms FROM message_numbers`,
  )) as {
    readonly last: number;
    readonly rooms: string[];
  };

export interface Search extends Asked {
  readonly steps: readonly string[];
  readonly reader: string | null;
  readonly offset: number;
  readonly limit: number;
}

const mayRead = (type: ResultType, id: Sql, reader: string | null): Sql => {
  const { from, alias, readable } = kinds[type];
  return sql`(SELECT ${readable(reader)} FROM ${from} WHERE ${alias}.id = ${id})`;
};

/** The newest matches among messages. What a step finds is sorted, then looked at one by one until there are enough. */
const foundMessages = ({
  messages,
  steps,
  rank,
  reader,
}: Search): Sql => sql`SELECT 'message' AS type, w.message_id AS id, ts_rank(w.words, ${rank}::tsquery, 1) AS rank
  FROM (SELECT w.* FROM unnest(${steps}::text[]) AS s (step)
    CROSS JOIN LATERAL (SELECT * FROM message_words WHERE words @@ (${messages}::tsquery && s.step::tsquery) ORDER BY message_id DESC) w
    WHERE ${mayRead('message', sql`w.message_id`, reader)} LIMIT ${DEEPEST}) w`;

const foundNames = ({ names: asked, rank, reader }: Search): Sql => sql`SELECT n.type, n.id, ts_rank(n.words, ${rank}::tsquery, 1) AS rank
  FROM (SELECT n.* FROM (SELECT * FROM name_words WHERE words @@ ${asked}::tsquery ORDER BY id DESC) n
    WHERE CASE n.type ${join(
      names.map((type) => sql`WHEN ${type} THEN ${mayRead(type, sql`n.id`, reader)}`),
      ' ',
    )} END LIMIT ${DEEPEST}) n`;

/** What this reader may read now of what was asked for, the best first; among equals the newest. */
export function find(db: Queryable, search: Search): Promise<Thing[]> {
  const parts = [...(search.messages === null ? [] : [foundMessages(search)]), ...(search.names === null ? [] : [foundNames(search)])];
  if (parts.length === 0) return Promise.resolve([]);
  const types = Object.keys(kinds) as ResultType[];
  return db.rows<Thing>(sql`WITH found AS (${join(
    parts.map((part) => sql`(${part})`),
    ' UNION ALL ',
  )}), page AS (SELECT * FROM found ORDER BY rank DESC, id DESC LIMIT ${search.limit} OFFSET ${search.offset})
    SELECT p.type, ${shown} FROM page p CROSS JOIN LATERAL (${join(
      types.map((type) => things(type, sql`p.type = ${type} AND ${kinds[type].alias}.id = p.id`)),
      ' UNION ALL ',
    )}) AS s ${aliases} ORDER BY p.rank DESC, p.id DESC`);
}

/**
 * Folds the words of recent messages from the index's pending list into its tree, so that no post has to do it for all of them. Not all the time: folding
 * ten thousand messages at once costs 50 µs for each, a thousand 300 µs.
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
