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

/** Returns the state of a round and how many ballots its record has; undefined if there is none. */
export const findRound = (db: Queryable, { caseId, number }: RoundOfCase) =>
  db.first<{ state: RoundState; ballotCount: number | null }>(sql`
    SELECT state, jsonb_array_length(outcome->'ballots') AS "ballotCount"
    FROM adjudication_rounds
    WHERE case_id = ${caseId} AND number = ${number}
  `);

/** Lists the ballots in the record of a closed round, in the order in which they were cast. */
export async function listBallots(
  db: Queryable,
  { caseId, number }: RoundOfCase,
  page: ListPage,
): Promise<Static<typeof PublicBallot>[]> {
  const recorded = sql`
    FROM adjudication_rounds r
    CROSS JOIN jsonb_array_elements(r.outcome->'ballots') WITH ORDINALITY AS o (ballot, nr)
    WHERE r.case_id = ${caseId} AND r.number = ${number}
  `;
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'adjudication_ballots',
    key: [sql`o.nr`],
    ascending: true,
    findRow: (id) => sql`${recorded} AND o.ballot->>'id' = ${id}::text`,
  });
  const rows = await db.rows<{ ballot: Static<typeof PublicBallot> }>(sql`
    SELECT o.ballot ${recorded} AND ${after} ${orderBy} ${limit}
  `);
  return rows.map(({ ballot }) => ballot);
}

/**
 * Lists all rounds of a case, oldest first. An open round shows nothing about its ballots. Ballots
 * beyond `SHOWN_BALLOT_BYTES` are left out, the last ones of the oldest rounds
 * first. Work of a task is settled by the earliest round that decides (`listDecisions`), and by no
 * later one.
 */
export const listRounds = (db: Queryable, caseId: string) =>
  db.rows<Round>(sql`
    SELECT r.number, state, frozen, encode(frozen_sha256, 'hex') AS "frozenSha256",
      opened_receipt_id AS "openedReceiptId",
      jsonb_set(outcome, '{ballots}', coalesce(b.shown, '[]')) AS outcome,
      coalesce(
        jsonb_array_length(outcome->'ballots') - jsonb_array_length(coalesce(b.shown, '[]')), 0
      ) AS "ballotsLeftOut",
      encode(record_sha256, 'hex') AS "recordSha256", closed_receipt_id AS "closedReceiptId",
      CASE WHEN result <> 'inconclusive' AND result <> s.settled_result THEN s.settled_number END
        AS "settledByRound"
    FROM adjudication_rounds r
    LEFT JOIN (
      SELECT number, jsonb_agg(ballot ORDER BY nr) AS shown
      FROM (
        SELECT c.number, o.ballot, o.nr,
          sum(octet_length(o.ballot::text)) OVER (ORDER BY c.number DESC, o.nr) AS bytes
        FROM adjudication_rounds c
        CROSS JOIN jsonb_array_elements(c.outcome->'ballots') WITH ORDINALITY AS o (ballot, nr)
        WHERE c.case_id = ${caseId}
      ) listed
      WHERE bytes <= ${SHOWN_BALLOT_BYTES}
      GROUP BY number
    ) b ON b.number = r.number
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
