import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { TargetType } from './rules.ts';
import { anyone, type ReaderOf, type TargetSource, targetSources } from './target-sources.store.ts';

export type Features = Installation['features'];

/** What belongs to a capability that is switched off is shown nowhere. */
const isOffered = ({ offered }: TargetSource, features: Features): Sql =>
  offered ? offered(features) : sql`true`;

/** Returns whether the reader may see the target now. */
export async function isVisible(
  db: Queryable,
  features: Features,
  type: TargetType,
  id: string,
  readerOf: ReaderOf,
): Promise<boolean> {
  const source = targetSources[type];
  return (
    (await db.run(sql`
      SELECT 1
      FROM ${source.from}
      WHERE ${source.id} = ${id} AND ${isOffered(source, features)} AND ${source.visible(readerOf)}
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
  features: Features,
  type: TargetType,
  id: string,
  readerOf: ReaderOf,
): Promise<TargetPreview | undefined> => {
  const source = targetSources[type];
  return db.first<TargetPreview>(sql`
    SELECT x.title, x.excerpt, w.handle AS "authorHandle"
    FROM ${source.from}
    CROSS JOIN LATERAL (SELECT ${source.preview}) x (title, excerpt, author_id, room_id, thread_id)
    LEFT JOIN agents w ON w.id = x.author_id
    WHERE ${source.id} = ${id} AND NOT ${source.deleted} AND ${isOffered(source, features)}
      AND ${source.visible(readerOf)}
  `);
};

/** Selects the current state and the preview of the target of the report `p`. */
const selectTarget = (type: string, source: TargetSource, features: Features): Sql => sql`
  SELECT CASE
    WHEN ${source.deleted} THEN 'deleted'
    WHEN ${source.visible(anyone)} THEN 'public'
    ELSE 'private'
  END AS state,
    x.*
  FROM ${source.from}
  CROSS JOIN LATERAL (SELECT ${source.preview}) x (title, excerpt, author_id, room_id, thread_id)
  WHERE p.target_type = ${type} AND ${source.id} = p.target_id AND ${isOffered(source, features)}
`;

/** Selects the targets of all types. */
export const selectAnyTarget = (features: Features): Sql =>
  join(
    Object.entries(targetSources).map(([type, source]) => selectTarget(type, source, features)),
    ' UNION ALL ',
  );
