import { cutPage } from '../../../db/cut-page.ts';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { ListPage } from '../../../kernel/operation/paging.ts';
import type { Static } from '../../../kernel/schema/schema.ts';
import type { PublicBallot, Round } from '../rounds.schemas.ts';
import type { RoundState } from '../transitions.ts';
import { SHOWN_BALLOT_BYTES } from './ballots.rules.ts';

/** A round by its case and its number, which begins with 1. */
interface RoundOfCase {
  readonly caseId: string;
  readonly number: number;
}

/**
 * About how many bytes a ballot of alias `b` (adjudication_ballots) has. It reads no text, because
 * PostgreSQL keeps the length of each beside it. JSON may have six for a control character.
 */
export const ballotBytes = sql`
  (octet_length(b.rationale) + 40 * cardinality(b.evidence_ids) + 500)
`;

/**
 * Returns the state of a round and how many ballots it has, null while it is open; undefined if
 * there is no such round.
 */
export const findRound = (db: Queryable, { caseId, number }: RoundOfCase) =>
  db.first<{ state: RoundState; ballotCount: number | null }>(sql`
    SELECT r.state,
      CASE WHEN r.state <> 'open' THEN
        (SELECT count(*) FROM adjudication_ballots b WHERE b.round_id = r.id)
      END AS "ballotCount"
    FROM adjudication_rounds r
    WHERE r.case_id = ${caseId} AND r.number = ${number}
  `);

/**
 * Lists the ballots in the record of a closed round, in the order in which they were cast. The
 * record is read once, for the ballots of the page.
 */
export async function listBallots(
  db: Queryable,
  { caseId, number }: RoundOfCase,
  page: ListPage,
): Promise<Static<typeof PublicBallot>[]> {
  const cast = sql`
    FROM adjudication_rounds c
    JOIN adjudication_ballots b ON b.round_id = c.id
    WHERE c.case_id = ${caseId} AND c.number = ${number}
  `;
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'adjudication_ballots',
    key: [sql`b.cast_at`, sql`b.id`],
    ascending: true,
    findRow: (id) => sql`${cast} AND b.id = ${id}`,
  });
  const rows = await db.rows<{ ballot: Static<typeof PublicBallot> }>(sql`
    SELECT o.ballot
    FROM adjudication_rounds r
    CROSS JOIN jsonb_array_elements(r.outcome->'ballots') WITH ORDINALITY AS o (ballot, nr)
    WHERE r.case_id = ${caseId} AND r.number = ${number}
      AND (o.ballot->>'id')::uuid IN (SELECT b.id ${cast} AND ${after} ${orderBy} ${limit})
    ORDER BY o.nr
  `);
  return rows.map(({ ballot }) => ballot);
}

/**
 * Lists all rounds of a case, oldest first. An open round shows nothing about its ballots. Of the
 * closed ones, the newest shows its ballots first, in the order in which they were cast, and all
 * together show `SHOWN_BALLOT_BYTES`. Work of a task is settled by the earliest round that decides
 * (`listDecisions`), and by no later one.
 */
export const listRounds = (db: Queryable, caseId: string) =>
  db.rows<Round>(sql`
    SELECT r.number, state, frozen, encode(frozen_sha256, 'hex') AS "frozenSha256",
      opened_receipt_id AS "openedReceiptId",
      CASE
        WHEN n.shown < n.count THEN
          jsonb_set(
            outcome, '{ballots}',
            coalesce(
              (
                SELECT jsonb_agg(o.ballot ORDER BY o.nr)
                FROM jsonb_array_elements(outcome->'ballots') WITH ORDINALITY AS o (ballot, nr)
                WHERE n.shown > 0 AND o.nr <= n.shown
              ),
              '[]'
            )
          )
        ELSE outcome
      END AS outcome,
      coalesce(n.count - n.shown, 0) AS "ballotsLeftOut",
      encode(record_sha256, 'hex') AS "recordSha256", closed_receipt_id AS "closedReceiptId",
      CASE WHEN result <> 'inconclusive' AND result <> s.settled_result THEN s.settled_number END
        AS "settledByRound"
    FROM adjudication_rounds r
    LEFT JOIN (
      SELECT number, count(*) AS count, count(*) FILTER (WHERE bytes <= ${SHOWN_BALLOT_BYTES})
        AS shown
      FROM (
        SELECT c.number, sum(${ballotBytes}) OVER (ORDER BY c.number DESC, b.cast_at, b.id) AS bytes
        FROM adjudication_rounds c
        JOIN adjudication_ballots b ON b.round_id = c.id
        WHERE c.case_id = ${caseId} AND c.state <> 'open'
      ) listed
      GROUP BY number
    ) n ON n.number = r.number
    LEFT JOIN LATERAL (
      SELECT e.number AS settled_number, e.result AS settled_result
      FROM adjudication_rounds e
      JOIN adjudication_cases k ON k.id = e.case_id AND k.subject_kind = 'task_submission'
      WHERE e.case_id = r.case_id AND e.result <> 'inconclusive'
      ORDER BY e.number
      LIMIT 1
    ) s ON true
    WHERE case_id = ${caseId}
    ORDER BY r.number
  `);
