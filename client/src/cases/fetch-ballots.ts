import type { CaseDetail } from '../generated/operation-types.ts';
import { parseAnswer } from '../parse-answer.ts';
import { type CheckOptions, fetchText } from '../receipts/check-receipt.ts';
import { assertThat } from './case-checks.ts';

type Round = CaseDetail['rounds'][number];
type Ballots = NonNullable<Round['outcome']>['ballots'];

/**
 * How to reach the installation, whose address `at` is required. It is trusted as the issuer of the
 * receipts unless `issuer` names another one.
 */
export type CaseOptions = Required<Pick<CheckOptions, 'at'>> & CheckOptions;

/** Ballots of one answer, and the most bytes that they can have. */
const PAGE_SIZE = 100;
const MAX_BYTES = 8 * 1024 * 1024;
/** The most characters of all ballots that are fetched. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** Whether a value has the members of a ballot, with texts where a ballot has texts. */
function isBallot(value: unknown): boolean {
  const ballot = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { evidenceIds, counted, notCountedBecause, group, ...texts } = ballot;
  return (
    Array.isArray(evidenceIds) &&
    [...evidenceIds, ...Object.values(texts)].every((one) => typeof one === 'string') &&
    typeof counted === 'boolean' &&
    [notCountedBecause, group].every((one) => one === null || typeof one === 'string')
  );
}

/**
 * Fetches the ballots of a round that the answer about its case left out, after those that it
 * shows. Errors: Disagreement, ReceiptError when they cannot be read.
 */
async function fetchBallots(
  caseId: string,
  { number, ballotsLeftOut }: Round,
  shown: Ballots,
  { options, take }: { readonly options: CaseOptions; readonly take: (characters: number) => void },
): Promise<Ballots> {
  const count = shown.length + ballotsLeftOut;
  const ballots = [...shown];
  const path = `/api/v1/adjudication/cases/${caseId}/rounds/${number}/ballots`;
  while (ballots.length < count) {
    const address = `${options.at}${path}?offset=${ballots.length}&limit=${PAGE_SIZE}`;
    const text = await fetchText(address, options, MAX_BYTES);
    take(text.length);
    const page = parseAnswer(text);
    assertThat(
      Array.isArray(page) &&
        page.length === Math.min(PAGE_SIZE, count - ballots.length) &&
        page.every(isBallot),
      `The installation shows ${ballots.length} of ${count} ballots, and then not the next ones.`,
    );
    ballots.push(...(page as Ballots));
  }
  return ballots;
}

/**
 * Completes the rounds of a case, whose form was checked, with the ballots that its answer left
 * out. Errors: Disagreement, ReceiptError when they cannot be read.
 */
export async function fetchLeftOut(detail: CaseDetail, options: CaseOptions): Promise<CaseDetail> {
  let characters = 0;
  const take = (more: number) => {
    characters += more;
    assertThat(characters <= MAX_CHARACTERS, 'The ballots are larger than this program reads.');
  };
  const rounds: Round[] = [];
  for (const round of detail.rounds) {
    const { outcome, ballotsLeftOut } = round;
    if (outcome === null || !(ballotsLeftOut > 0)) {
      rounds.push(round);
      continue;
    }
    const ballots = await fetchBallots(detail.id, round, outcome.ballots, { options, take });
    rounds.push({ ...round, outcome: { ...outcome, ballots }, ballotsLeftOut: 0 });
  }
  return { ...detail, rounds };
}
