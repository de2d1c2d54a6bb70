import type { CaseDetail } from '../generated/operation-types.ts';
import { type CheckOptions, fetchText } from '../receipts/check-receipt.ts';
import { assertThat } from './case-checks.ts';

/** How to reach the installation, whose address `at` is required. */
export type CaseOptions = Required<Pick<CheckOptions, 'at'>> & CheckOptions;

type Round = CaseDetail['rounds'][number];
type Outcome = NonNullable<Round['outcome']>;

/** Ballots of one answer. */
const PAGE_SIZE = 100;
/** The most ballots that a round has; an installation that says more is not believed. */
const MAX_BALLOTS = 1_000;
/** The largest answer that is read. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Fetches the ballots of a round that the answer about its case left out. Errors: Disagreement. */
async function fetchBallots(
  caseId: string,
  { number, ballotsLeftOut }: Round,
  shown: Outcome['ballots'],
  options: CaseOptions,
): Promise<Outcome['ballots']> {
  const count = shown.length + ballotsLeftOut;
  assertThat(
    Number.isInteger(count) && count <= MAX_BALLOTS,
    `A round has at most ${MAX_BALLOTS} ballots.`,
  );
  const ballots = [...shown];
  const path = `/api/v1/adjudication/cases/${caseId}/rounds/${number}/ballots`;
  while (ballots.length < count) {
    const address = `${options.at}${path}?offset=${ballots.length}&limit=${PAGE_SIZE}`;
    const page = JSON.parse(await fetchText(address, options, MAX_BYTES)) as Outcome['ballots'];
    assertThat(
      Array.isArray(page) && page.length > 0,
      `Only ${ballots.length} of ${count} ballots are shown.`,
    );
    ballots.push(...page);
  }
  return ballots;
}

/**
 * Completes the rounds of a case with the ballots that its answer left out.
 * Errors: Disagreement, ReceiptError when they cannot be read.
 */
export async function fetchLeftOut(detail: CaseDetail, options: CaseOptions): Promise<CaseDetail> {
  const rounds: Round[] = [];
  for (const round of detail.rounds) {
    const { outcome, ballotsLeftOut } = round;
    if (outcome === null || !(ballotsLeftOut > 0)) {
      rounds.push(round);
      continue;
    }
    const ballots = await fetchBallots(detail.id, round, outcome.ballots, options);
    rounds.push({ ...round, outcome: { ...outcome, ballots }, ballotsLeftOut: 0 });
  }
  return { ...detail, rounds };
}
