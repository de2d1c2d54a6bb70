import { sql } from '../../db/sql.ts';
import type { Visibility } from '../../kernel/access.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import { tellOfCases } from './case-news.store.ts';
import { type FrozenEvidence, type FrozenSubject, freezeRound } from './freezing/freezing.rules.ts';
import { type Criterion, digestDocument } from './rules.ts';

/** The members of an operation's context that opening a round needs. */
export type OpeningContext = Pick<WriteContext, 'tx' | 'record' | 'notify'> & {
  readonly newId: NewId;
  readonly now: string;
};

/** A new round, as its opener states it. */
export interface RoundOpening {
  /** Null if the round opens automatically. */
  readonly openedBy: string | null;
  readonly visibility: Visibility;
  readonly subject: FrozenSubject;
  readonly question: string;
  readonly rubric: readonly Criterion[];
  readonly evidence: readonly FrozenEvidence[];
  /** Agents that may not vote. The first one did the work or said the words that are judged. */
  readonly parties: readonly string[];
  /** Agents besides the parties that may read a private case. */
  readonly readers: readonly string[];
}

/**
 * Freezes the document of a round and records the receipt of its opening. Returns the id of the
 * receipt and the statement that inserts the round.
 */
function prepareRound(
  { record, newId, now }: OpeningContext,
  caseId: string,
  round: number,
  reason: string | null,
  opening: RoundOpening,
) {
  const { openedBy, visibility, subject, question, rubric, evidence, parties, readers } = opening;
  const frozen = freezeRound({
    caseId,
    round,
    subject,
    question,
    rubric,
    evidence,
    parties,
    openedBy,
    reason,
    opensAt: now,
  });
  const digest = digestDocument(frozen);
  const receiptId = record({
    kind: 'case.opened',
    visibility,
    actorId: openedBy,
    subject: { type: 'case', id: caseId },
    contentSha256: digest,
    concernedAgentIds: [...parties, ...readers],
  });
  const insertion = sql`
    INSERT INTO adjudication_rounds (
      id, case_id, number, state, parties, frozen, frozen_sha256, opened_receipt_id, opens_at,
      closes_at
    )
    VALUES (
      ${newId()}, ${caseId}, ${round}, 'open', ${frozen.parties}::uuid[], ${JSON.stringify(frozen)},
      ${digest}, ${receiptId}, ${now}, ${frozen.closesAt}
    )
  `;
  return { receiptId, insertion };
}

/**
 * Opens a case with its first round and returns its id. The index adjudication_cases_one_open makes
 * the statement fail if a case about the subject is already open.
 */
export function insertCase(context: OpeningContext, opening: RoundOpening): string {
  const { tx, newId, now } = context;
  const { openedBy, visibility, subject, question, rubric, readers } = opening;
  const parties = [...new Set(opening.parties)];
  const caseId = newId();
  const { receiptId, insertion } = prepareRound(context, caseId, 1, null, opening);
  tx.send(sql`
    INSERT INTO adjudication_cases (
      id, subject_kind, subject_id, state, version, question, rubric, visibility, opened_by,
      parties, readers, receipt_id, created_at, updated_at
    )
    VALUES (
      ${caseId}, ${subject.type}, ${subject.id}, 'open', 1, ${question}, ${JSON.stringify(rubric)},
      ${visibility}, ${openedBy}, ${parties}::uuid[], ${readers}::uuid[], ${receiptId}, ${now},
      ${now}
    )
  `);
  tx.send(insertion);
  tellOfCases(context, [{ caseId, state: 'open', actorId: openedBy, parties, now }]);
  return caseId;
}

/**
 * Opens the next round of a closed case and supersedes the previous one. `round` is the number of
 * the previous round. The caller has locked the case.
 */
export function insertRound(
  context: OpeningContext,
  { id, round }: { readonly id: string; readonly round: number },
  reason: string,
  opening: RoundOpening,
): void {
  const { tx, now } = context;
  const parties = [...new Set(opening.parties)];
  const { receiptId, insertion } = prepareRound(context, id, round + 1, reason, opening);
  tx.send(sql`
    UPDATE adjudication_rounds
    SET state = 'superseded'
    WHERE case_id = ${id} AND number = ${round}
  `);
  tx.send(insertion);
  tx.send(sql`
    UPDATE adjudication_cases
    SET state = 'open', version = version + 1, parties = ${parties}::uuid[],
      receipt_id = ${receiptId}, updated_at = greatest(updated_at, ${now}::timestamptz)
    WHERE id = ${id}
  `);
  tellOfCases(context, [{ caseId: id, state: 'open', actorId: opening.openedBy, parties, now }]);
}
