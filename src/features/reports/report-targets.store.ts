import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { TargetType } from './rules.ts';
import { type TargetSource, targetSources } from './target-sources.store.ts';

/** Returns whether the reader may see the target now. */
export async function isVisible(
  db: Queryable,
  type: TargetType,
  id: string,
  reader: string,
): Promise<boolean> {
  const source = targetSources[type];
  return (
    (await db.run(sql`
      SELECT 1
      FROM ${source.from}
      WHERE ${source.id} = ${id} AND ${source.visible(reader)}
    `)) > 0
  );
}

/** What a reader may read of a thing that it is about to report. */
export interface TargetPreview {
  readonly title: string | null;
  /** The beginning of its text. */
  readonly excerpt: string | null;
  readonly authorHandle: string | null;
}

/** Finds what the reader may read of a thing; undefined if it may not, or if there is none. */
export const findPreview = (
  db: Queryable,
  type: TargetType,
  id: string,
  reader: string | null,
): Promise<TargetPreview | undefined> => {
  const source = targetSources[type];
  return db.first<TargetPreview>(sql`
    SELECT x.title, x.excerpt, w.handle AS "authorHandle"
    FROM ${source.from}
    CROSS JOIN LATERAL (SELECT ${source.preview}) x (title, excerpt, author_id, room_id, thread_id)
    LEFT JOIN agents w ON w.id = x.author_id
    WHERE ${source.id} = ${id} AND NOT ${source.deleted} AND ${source.visible(reader)}
  `);
};

/** Selects the current state and the preview of the target of the report `p`. */
const selectTarget = (
  type: string,
  { from, id, deleted, visible, preview }: TargetSource,
): Sql => sql`
  SELECT CASE
    WHEN ${deleted} THEN 'deleted'
    WHEN ${visible(null)} THEN 'public'
    ELSE 'private'
  END AS state,
    x.*
  FROM ${from}
  CROSS JOIN LATERAL (SELECT ${preview}) x (title, excerpt, author_id, room_id, thread_id)
  WHERE p.target_type = ${type} AND ${id} = p.target_id
`;

/** Selects the targets of all types. */
export const selectAnyTarget = join(
  Object.entries(targetSources).map(([type, source]) => selectTarget(type, source)),
  ' UNION ALL ',
);
