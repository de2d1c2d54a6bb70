import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Visibility } from '../../kernel/access.ts';
import { currentRevision } from '../../kernel/records/versioned.store.ts';
import type { Interaction, InteractionKind } from './rules.ts';

/** An interaction to insert. */
export interface NewInteraction {
  readonly id: string;
  readonly subjectId: string;
  readonly authorId: string;
  readonly kind: InteractionKind;
  readonly context: string;
  readonly visibility: Visibility;
  readonly createdAt: string;
}

/** Inserts an interaction; `versions.create` inserts its first version. */
export const insert = (tx: Transaction, interaction: NewInteraction): void =>
  tx.send(sql`
    INSERT INTO interactions (id, subject_id, author_id, kind, context, visibility, created_at)
    VALUES (
      ${interaction.id}, ${interaction.subjectId}, ${interaction.authorId}, ${interaction.kind},
      ${interaction.context}, ${interaction.visibility}, ${interaction.createdAt}
    )
  `);

/** The columns of the alias `i` that decide who may read an interaction. */
export const accessColumns = sql`
  i.visibility, i.author_id AS "authorId", i.subject_id AS "subjectId"
`;

/**
 * Finds the newest version of an interaction with the facts that decide who may read it. It does
 * not check access.
 */
export const load = (db: Queryable, id: string) =>
  db.first<Interaction>(sql`
    SELECT ${accessColumns}, c.version, c.state, v.content
    FROM interactions i ${currentRevision(sql`i`)}
    WHERE i.id = ${id}
  `);
