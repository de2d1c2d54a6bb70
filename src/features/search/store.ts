import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import type { WaitForTurn } from '../../kernel/event-loop-turns.ts';
import type { SearchItem, SearchScope } from './rules.ts';
import type { ResultType } from './schemas.ts';
import { addWords } from './search-words.rules.ts';
import { itemAliases, itemColumns, searchSources, selectItems } from './searchable-items.store.ts';
import { AREA_BITS, formatMessageWords, formatNameWords } from './word-index.store.ts';

/** A message whose words are to be indexed. */
export interface NewMessageWords extends SearchScope {
  readonly id: string;
  readonly threadId: string | null;
  readonly words: readonly string[];
}

/** So many pieces of a text are split at once. Few texts have more, and they commit alone. */
const SLICE = 4_096;

/**
 * Splits a message into its words, and gives others their turn of the event loop after each slice
 * of a long one. It waits for no queue, because its caller may hold locks.
 */
export async function splitMessage(body: string, wait: WaitForTurn = nextTurn): Promise<string[]> {
  const words: string[] = [];
  let pieces = 0;
  for (const _ of addWords(body, words)) if (++pieces % SLICE === 0) await wait();
  return words;
}

/** The words of a name and of what is said about it. */
export interface NameWords {
  readonly title: readonly string[];
  readonly text: readonly string[];
}

/** Splits a named item like `splitMessage`. */
export const splitName = async (
  { title, text }: Pick<SearchItem, 'title' | 'text'>,
  wait?: WaitForTurn,
): Promise<NameWords> => ({
  title: await splitMessage(title, wait),
  text: await splitMessage(text ?? '', wait),
});

/** Returns the statement that indexes messages, for the transaction that writes them. */
export function insertMessages(rows: readonly NewMessageWords[]): Sql {
  return sql`
    INSERT INTO message_words (message_id, thread_id, private_to, words)
    SELECT m.id, m.thread_id, m.private_to,
      replace(m.words, '@', (nextval('message_numbers') >> ${AREA_BITS}::int)::text)::tsvector
    FROM ${unnestRows(rows, [
      ['uuid', ({ id }) => id],
      ['uuid', ({ threadId }) => threadId],
      ['uuid', ({ privateTo }) => privateTo],
      ['text', (row) => formatMessageWords(row.words, row)],
    ])} AS m (id, thread_id, private_to, words)
  `;
}

/** A named item whose words are to be indexed. */
type NewNameWords = Pick<SearchItem, 'id' | keyof SearchScope> & { readonly words: NameWords };

/** Returns the statement that indexes named items of a type, or indexes them again. */
export const insertNames = (type: ResultType, rows: readonly NewNameWords[]): Sql => sql`
  INSERT INTO name_words (id, type, private_to, words)
  SELECT id, ${type}, private_to, words::tsvector
  FROM ${unnestRows(rows, [
    ['uuid', ({ id }) => id],
    ['uuid', ({ privateTo }) => privateTo],
    ['text', (row) => formatNameWords(type, row.words, row)],
  ])} AS n (id, private_to, words)
  ON CONFLICT (id)
  DO UPDATE SET words = excluded.words
`;

/**
 * Indexes items that this transaction wrote or changed, or items from the backlog, which were
 * written before there was search.
 */
export async function index(
  tx: Transaction,
  type: ResultType,
  ids: readonly string[],
): Promise<void> {
  const { alias } = searchSources[type];
  // A concurrent deletion is either seen here or waits for this share lock, and then it deletes
  // these words as well.
  const found = await tx.rows<SearchItem & { text: string }>(sql`
    WITH s ${itemAliases} AS MATERIALIZED (
      ${selectItems(type, sql`${alias}.id = ANY(${ids}::uuid[])`)} FOR SHARE OF ${alias}
    )
    SELECT ${itemColumns}
    FROM s
    ORDER BY s.id
  `);
  const messages: NewMessageWords[] = [];
  const names: NewNameWords[] = [];
  for (const row of found) {
    if (row !== found[0]) await nextTurn();
    if (type === 'message') messages.push({ ...row, words: await splitMessage(row.text) });
    else names.push({ ...row, words: await splitName(row) });
  }
  tx.send(type === 'message' ? insertMessages(messages) : insertNames(type, names));
}

/**
 * Moves the words of recent messages from the GIN index's pending list into its tree, so that no
 * single post has to do it for many. It runs often, because a search scans the list once for each
 * area: 0.6 µs a message. Returns false, because nothing is ever left to do.
 */
export async function flushPendingWords(db: Queryable): Promise<boolean> {
  await db.run(sql`SELECT flush_pending_words()`);
  return false;
}

/** Removes up to `max` items from the backlog and returns them, the oldest first. */
export const takeBacklog = (tx: Transaction, max: number) =>
  tx.rows<{ type: ResultType; id: string }>(sql`
    DELETE FROM search_backlog
    WHERE id = ANY(
      ARRAY(SELECT id FROM search_backlog ORDER BY id LIMIT ${max} FOR UPDATE SKIP LOCKED)
    )
    RETURNING type, id
  `);
