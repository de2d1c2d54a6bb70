import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import { measureRevisions } from '../../kernel/records/versioned.store.ts';
import { takeWithin } from './rules.ts';
import type { IdentityClaim } from './schemas.ts';
import { addRevisions, selectRows } from './store.ts';

/** Bytes of the versions on a page of claims. Each claim may have twenty of 8 KB. */
const MAX_PAGE_BYTES = 512 * 1024;

/**
 * Lists claims about a subject, newest first, each with its versions. A page ends before a claim
 * with which the versions on it would have more than `MAX_PAGE_BYTES`, but has one at least.
 */
export async function list(
  db: Queryable,
  subjectId: string,
  page: Pick<ListPage, 'offset' | 'limit'>,
): Promise<IdentityClaim[]> {
  const rows = await selectRows(
    db,
    sql`
      (
        SELECT *
        FROM identity_claims
        WHERE subject_id = ${subjectId}
        ORDER BY created_at DESC, id DESC
        LIMIT ${page.limit} OFFSET ${page.offset}
      )
    `,
  );
  if (rows.length === 0) return [];
  const sizes = await measureRevisions(
    db,
    rows.map(({ id }) => id),
  );
  return addRevisions(
    db,
    takeWithin(rows, ({ id }) => sizes.get(id) ?? 0, MAX_PAGE_BYTES),
  );
}
