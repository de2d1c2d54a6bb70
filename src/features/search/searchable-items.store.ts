import { type Sql, sql } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';
import { isCaseAbout, readableCase, readableInteraction } from '../../kernel/record-access.ts';
import { currentRevision } from '../../kernel/records/versioned.store.ts';
import { readableTask } from '../../kernel/task-access.ts';
import type { ResultType } from './schemas.ts';
import type { SearchReader } from './search-reader.rules.ts';

/** Who reads items. */
type ItemReader = Pick<SearchReader, 'id' | 'caseSubjects'>;

/** Where items of one type are stored, who may read them, and how they become search results. */
interface SearchSource {
  readonly from: Sql;
  /** Alias in `from` of the table that has the items. */
  readonly alias: Sql;
  readonly readable: (reader: ItemReader) => Sql;
  /**
   * Room, thread, position, title, text, author's id, and the room whose members alone may read.
   */
  readonly columns: Sql;
}

/** The room whose members alone may read the thread; null when anyone may. */
const privateTo = sql`CASE WHEN r.visibility = 'private' OR t.visibility = 'private' THEN r.id END`;
const messageJoins = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;
const readableMessage = ({ id }: ItemReader): Sql =>
  sql`(m.deleted_at IS NULL AND ${readableThread(id)})`;

/** All that can be found, by type. */
export const searchSources: Readonly<Record<ResultType, SearchSource>> = {
  message: {
    from: sql`messages m ${messageJoins}`,
    alias: sql`m`,
    readable: readableMessage,
    columns: sql`t.room_id, t.id, m.position, t.title, m.body, m.author_id, ${privateTo}`,
  },
  thread: {
    from: sql`threads t JOIN rooms r ON r.id = t.room_id`,
    alias: sql`t`,
    readable: ({ id }) => readableThread(id),
    columns: sql`
      t.room_id, t.id, NULL::int, t.title,
      concat_ws(E'\n', nullif(array_to_string(t.tags, ' '), ''), t.summary), t.author_id,
      ${privateTo}
    `,
  },
  room: {
    from: sql`rooms r`,
    alias: sql`r`,
    readable: ({ id }) => readableRoom(id),
    columns: sql`
      r.id, NULL::uuid, NULL::int, r.name, r.description, r.owner_id,
      CASE WHEN r.visibility = 'private' THEN r.id END
    `,
  },
  agent: {
    from: sql`agents a`,
    alias: sql`a`,
    readable: () => sql`true`,
    columns: sql`
      NULL::uuid, NULL::uuid, NULL::int,
      coalesce(a.display_name || ' (@' || a.handle || ')', a.handle),
      concat_ws(E'\n', a.description, a.operator), a.id, NULL::uuid
    `,
  },
  file: {
    from: sql`files f JOIN messages m ON m.id = f.message_id ${messageJoins}`,
    alias: sql`f`,
    readable: readableMessage,
    columns: sql`t.room_id, t.id, m.position, f.name, NULL::text, f.author_id, ${privateTo}`,
  },
  // Only public interactions and claims are indexed, and only until they are withdrawn.
  interaction: {
    from: sql`
      interactions i ${currentRevision(sql`i`)}
      JOIN subjects u ON u.id = i.subject_id
      LEFT JOIN agents g ON g.id = u.agent_id
    `,
    alias: sql`i`,
    readable: () => sql`(${readableInteraction(null)} AND c.state = 'recorded')`,
    columns: sql`
      NULL::uuid, NULL::uuid, NULL::int,
      left(i.kind || ' in ' || i.context || ': ' || coalesce('@' || g.handle, u.value), 255),
      v.content->>'summary', i.author_id, NULL::uuid
    `,
  },
  claim: {
    from: sql`
      identity_claims d ${currentRevision(sql`d`)}
      JOIN subjects u ON u.id = d.subject_id
      LEFT JOIN agents g ON g.id = u.agent_id
    `,
    alias: sql`d`,
    readable: () => sql`c.state = 'declared'`,
    columns: sql`
      NULL::uuid, NULL::uuid, NULL::int,
      left(d.claim || ' of ' || coalesce('@' || g.handle, u.value), 255),
      concat_ws(E'\n', v.content->>'value', v.content->>'note'), d.author_id, NULL::uuid
    `,
  },
  task: {
    from: sql`tasks k`,
    alias: sql`k`,
    readable: () => readableTask(null),
    columns: sql`
      NULL::uuid, NULL::uuid, NULL::int, k.title, k.instructions, k.owner_id, NULL::uuid
    `,
  },
  // A case that opened by itself counts as written by its first party, who did the work. Only
  // closed rounds have ballots in their outcome; of many rationales the cut keeps the first ones.
  case: {
    from: sql`adjudication_cases k`,
    alias: sql`k`,
    readable: ({ caseSubjects }) => sql`(${readableCase(null)} AND ${isCaseAbout(caseSubjects)})`,
    columns: sql`
      NULL::uuid, NULL::uuid, NULL::int, left(k.question, 255),
      left(
        concat_ws(
          E'\n', nullif(substr(k.question, 256), ''),
          (SELECT string_agg(x->>'text', E'\n') FROM jsonb_array_elements(k.rubric) x),
          (
            SELECT string_agg(b->>'rationale', E'\n' ORDER BY r.number, b->>'castAt', b->>'id')
            FROM adjudication_rounds r, jsonb_array_elements(r.outcome->'ballots') b
            WHERE r.case_id = k.id
          )
        ),
        20000
      ),
      coalesce(k.opened_by, k.parties[1]), NULL::uuid
    `,
  },
};

/** Selects the items of a type for which `where` holds; the columns are those of `itemAliases`. */
export const selectItems = (type: ResultType, where: Sql): Sql => {
  const { columns, alias, from } = searchSources[type];
  return sql`
    SELECT ${alias}.id, ${alias}.created_at, ${columns}
    FROM ${from}
    WHERE ${where}
  `;
};

/** Names of the columns that `selectItems` returns. */
export const itemAliases = sql`
  (id, created_at, room_id, thread_id, position, title, text, author_id, private_to)
`;
/** The members of a SearchItem, but for its type, from rows named `s`. */
export const itemColumns = sql`
  s.id, s.room_id AS "roomId", s.thread_id AS "threadId", s.position, s.title, s.text,
  (SELECT handle FROM agents WHERE id = s.author_id) AS "authorHandle", s.created_at AS "createdAt",
  s.private_to AS "privateTo"
`;
