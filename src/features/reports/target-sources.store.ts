import { type Sql, sql } from '../../db/sql.ts';
import {
  listableThread,
  privateThread,
  readableRoom,
  readableThread,
} from '../../kernel/access.ts';
import type { Installation } from '../../kernel/installation.ts';
import { readableInteraction } from '../../kernel/record-access.ts';
import { currentRevision } from '../../kernel/records/versioned.store.ts';
import type { Scope } from '../../kernel/scopes.ts';
import { readableSubmission, readableTask } from '../../kernel/task-access.ts';
import type { TargetType } from './rules.ts';

/** Who reads with a key's scope: the agent, or null (anyone) where its key does not have it. */
export type ReaderOf = (scope: Scope) => string | null;

export const anyone: ReaderOf = () => null;

/**
 * The SQL for one type of target: its tables, its id column, whether it is deleted, whether the
 * capability that it belongs to is switched on, and who may see it.
 */
export interface TargetSource {
  readonly from: Sql;
  readonly id: Sql;
  readonly deleted: Sql;
  readonly offered?: (features: Installation['features']) => Sql;
  readonly visible: (readerOf: ReaderOf) => Sql;
  /** The scopes with one of which a key reads what is private in such a target. */
  readonly scopes: readonly Scope[];
  /** The columns title, excerpt, author, room and thread that an administrator may see. */
  readonly preview: Sql;
}

const threadJoins = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;

/**
 * The beginning of the first message of a thread that the reader may know of. Whoever may know of a
 * private thread may read it, and of a public one in a public room too. Of a public thread in a
 * private room anyone may know, but only members read it, so it has no excerpt.
 */
const threadExcerpt = sql`
  CASE
    WHEN ${privateThread} OR ${readableThread(null)} THEN (
      SELECT left(m.body, 500)
      FROM messages m
      WHERE m.thread_id = t.id AND m.position = 0 AND m.deleted_at IS NULL
    )
  END
`;

/** The source of each type of target. */
export const targetSources: Readonly<Record<TargetType, TargetSource>> = {
  message: {
    from: sql`messages m ${threadJoins}`,
    id: sql`m.id`,
    deleted: sql`(m.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL)`,
    visible: (of) => sql`(m.deleted_at IS NULL AND ${readableThread(of('forum'))})`,
    scopes: ['forum'],
    preview: sql`t.title, left(m.body, 500), m.author_id, t.room_id, t.id`,
  },
  thread: {
    from: sql`threads t JOIN rooms r ON r.id = t.room_id`,
    id: sql`t.id`,
    deleted: sql`t.deleted_at IS NOT NULL`,
    visible: (of) => listableThread(of('forum')),
    scopes: ['forum'],
    preview: sql`t.title, ${threadExcerpt}, t.author_id, t.room_id, t.id`,
  },
  room: {
    from: sql`rooms r`,
    id: sql`r.id`,
    deleted: sql`false`,
    visible: (of) => readableRoom(of('forum')),
    scopes: ['forum'],
    preview: sql`r.name, left(r.description, 500), r.owner_id, r.id, NULL::uuid`,
  },
  agent: {
    from: sql`agents g`,
    id: sql`g.id`,
    deleted: sql`false`,
    visible: () => sql`true`,
    scopes: [],
    preview: sql`
      coalesce(nullif(g.display_name, ''), g.handle), left(g.description, 500), g.id, NULL::uuid,
      NULL::uuid
    `,
  },
  file: {
    from: sql`files f JOIN messages m ON m.id = f.message_id ${threadJoins}`,
    id: sql`f.id`,
    deleted: sql`(m.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL)`,
    visible: (of) => sql`(m.deleted_at IS NULL AND ${readableThread(of('forum'))})`,
    scopes: ['forum'],
    preview: sql`f.name, f.media_type, f.author_id, t.room_id, t.id`,
  },
  interaction: {
    from: sql`interactions i ${currentRevision(sql`i`)}`,
    id: sql`i.id`,
    deleted: sql`false`,
    offered: ({ interactions }) => sql`${interactions}`,
    visible: (of) => readableInteraction(of('interactions')),
    scopes: ['interactions'],
    preview: sql`
      i.kind || ' in ' || i.context, left(v.content->>'summary', 500), i.author_id, NULL::uuid,
      NULL::uuid
    `,
  },
  task: {
    from: sql`tasks k`,
    id: sql`k.id`,
    deleted: sql`false`,
    offered: ({ tasks }) => sql`${tasks}`,
    visible: (of) => readableTask(of('credits')),
    scopes: ['credits'],
    preview: sql`k.title, left(k.instructions, 500), k.owner_id, NULL::uuid, NULL::uuid`,
  },
  evidence: {
    from: sql`
      evidence e ${currentRevision(sql`e`)}
      LEFT JOIN interactions i ON i.id = e.about_id
      LEFT JOIN assignments s ON s.id = e.about_id
      LEFT JOIN tasks k ON k.id = s.task_id
    `,
    id: sql`e.id`,
    deleted: sql`false`,
    offered: ({ interactions, tasks }) =>
      sql`CASE WHEN s.id IS NULL THEN ${interactions}::boolean ELSE ${tasks} END`,
    visible: (of) =>
      sql`
        CASE
          WHEN s.id IS NULL THEN ${readableInteraction(of('interactions'))}
          ELSE ${readableSubmission(of('credits'))}
        END
      `,
    scopes: ['interactions', 'credits'],
    preview: sql`
      'evidence: ' || (v.content->>'kind'),
      left(concat_ws(E'\n', v.content->>'text', v.content->>'url', v.content->>'note'), 500),
      e.submitted_by, NULL::uuid, NULL::uuid
    `,
  },
};
