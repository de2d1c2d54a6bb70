import canonicalize from 'canonicalize';
import type { CaseDetail } from '../src/features/adjudication/schemas.ts';
import { sha256, utf8 } from './bytes.ts';
import { ReceiptError } from './receipt-fault.ts';

type Round = CaseDetail['rounds'][number];
type Outcome = NonNullable<Round['outcome']>;
type Ballot = Outcome['ballots'][number];

/** One step, in words. */
export interface CaseCheck {
  readonly name: string;
  /** Null: what is shown is not enough to tell, and the text says why. */
  readonly holds: boolean | null;
  readonly text: string;
}

/** What does not agree; the message says what. */
class Disagreement extends Error {}

/** Why it cannot be told whether something agrees. */
export class Untold extends Error {}

export function must(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Disagreement(sentence);
}

const HOUR_MS = 3600 * 1000;
/** By so much the clocks of two nodes of an installation may differ. */
const SKEW_MS = 60_000;

/** SHA-256 over the RFC 8785 form. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = await sha256(utf8(canonicalize(value) ?? ''));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function checkFrozen(
  { frozen, frozenSha256, number }: Round,
  { id }: CaseDetail,
): Promise<string> {
  must(
    frozen.v === 1 && frozen.method === 'stoa-adjudication/1',
    'It was decided by rules that this program does not know.',
  );
  must(
    frozen.caseId === id && frozen.round === number,
    'What was frozen is that of another round or case.',
  );
  must(
    Date.parse(frozen.closesAt) - Date.parse(frozen.opensAt) === 72 * HOUR_MS,
    'It was not open for 72 hours.',
  );
  must((await digestOf(frozen)) === frozenSha256, 'The digest is not that of what was frozen.');
  return 'What was frozen has the digest that it says.';
}

const references = {
  url: 'url',
  message: 'messageId',
  file: 'fileId',
  receipt: 'receiptId',
  statement: 'text',
} as const;

/** That the evidence as it is shown is what was frozen, where nothing of it is hidden from who asks. */
async function checkEvidence(
  { frozen }: Round,
  { evidence, subject }: CaseDetail,
): Promise<string> {
  let hidden = 0;
  for (const { id, version, kind, submittedBy, sha256: digest } of frozen.evidence) {
    const piece = evidence.find((one) => one.id === id);
    must(piece !== undefined, `The evidence ${id} was frozen and is not shown.`);
    must(
      piece.kind === kind && piece.submittedBy === submittedBy,
      `The evidence ${id} is shown with another kind or submitter than was frozen.`,
    );
    const { url, messageId, fileId, receiptId, text, sha256: of, note } = piece;
    const content = {
      aboutId: subject.id,
      kind: piece.kind,
      url,
      messageId,
      fileId,
      receiptId,
      text,
      sha256: of,
      note,
    };
    if (content[references[piece.kind]] === null) hidden++;
    else
      must(
        (await digestOf({ version, state: 'submitted', content })) === digest,
        `The digest of the evidence ${id} is not that of what is shown.`,
      );
  }
  const rest = frozen.evidence.length - hidden;
  if (hidden > 0)
    throw new Untold(
      `${rest} of ${frozen.evidence.length} pieces of evidence are those that were frozen; of the others it is hidden from you what they refer to.`,
    );
  return `All ${rest} pieces of evidence are those that were frozen.`;
}

function checkChain(rounds: readonly Round[], detail: CaseDetail): string {
  const [first, last] = [rounds[0], rounds.at(-1)];
  must(first !== undefined && last !== undefined, 'It has no round.');
  const seen = new Set<string>();
  let before: Round | undefined;
  for (const [index, round] of rounds.entries()) {
    const { frozen } = round;
    must(round.number === index + 1, 'A round is missing.');
    must(
      round === last ? round.state !== 'superseded' : round.state === 'superseded',
      'A round is superseded by none, or followed by one all the same.',
    );
    must(
      (round.state === 'open') === (round.outcome === null),
      'An open round has a result, or a closed one has none.',
    );
    must(
      frozen.question === first.frozen.question &&
        canonicalize(frozen.rubric) === canonicalize(first.frozen.rubric),
      'Rounds have another question or rubric.',
    );
    must(
      before === undefined || frozen.evidence.some(({ id }) => !seen.has(id)),
      'A round has no evidence that is new.',
    );
    must(
      before === undefined ||
        Date.parse(before.outcome?.closedAt ?? '') <= Date.parse(frozen.opensAt) + SKEW_MS,
      'A round opened before the one before it closed.',
    );
    for (const { id } of frozen.evidence) seen.add(id);
    before = round;
  }
  const result = rounds.findLast(({ outcome }) => outcome !== null)?.outcome?.result ?? null;
  must(
    detail.state === last.state && detail.result === result,
    'State and result of the case are not those of its rounds.',
  );
  return `Its rounds follow each other, and the case says what the newest one says: ${rounds.length} in all.`;
}

const isBefore = (a: Ballot, b: Ballot): boolean =>
  a.castAt < b.castAt || (a.castAt === b.castAt && a.id < b.id);

async function checkBallots({ frozen }: Round, { ballots }: Outcome): Promise<string> {
  const evidence = new Set(frozen.evidence.map(({ id }) => id));
  must(
    new Set(ballots.map(({ voterId }) => voterId)).size === ballots.length,
    'Somebody voted twice.',
  );
  for (const [index, ballot] of ballots.entries()) {
    const { voterId, verdict, rationale, evidenceIds, castAt } = ballot;
    const previous = ballots[index - 1];
    must(
      previous === undefined || isBefore(previous, ballot),
      'The ballots are not in the order in which they were cast.',
    );
    must(
      castAt >= frozen.opensAt && castAt < frozen.closesAt,
      `The ballot of ${voterId} was not cast in time.`,
    );
    must(!frozen.parties.includes(voterId), `${voterId} is a party and voted.`);
    must(
      evidenceIds.every((id) => evidence.has(id)),
      `The ballot of ${voterId} refers to what was not frozen.`,
    );
    const vote = {
      caseId: frozen.caseId,
      round: frozen.round,
      voterId,
      verdict,
      rationale,
      evidenceIds,
      castAt,
    };
    must(
      (await digestOf(vote)) === ballot.sha256,
      `The digest of the ballot of ${voterId} is not its own.`,
    );
  }
  return `Each of the ${ballots.length} ballots was cast in time, by another agent that is no party, and has the digest that it says.`;
}

function checkCounting({ ballots }: Outcome): string {
  const counted = new Set<string>();
  const members = new Map<string, number>();
  for (const ballot of ballots) {
    const { notCountedBecause: because, group } = ballot;
    must(
      ballot.counted === (because === null),
      `The ballot of ${ballot.voterId} is counted and not.`,
    );
    must(
      group === null || because === null || because === 'operator_counted',
      `The ballot of ${ballot.voterId} stands for an operator and does not count.`,
    );
    must(
      because !== 'operator_counted' || (group !== null && counted.has(group)),
      `The ballot of ${ballot.voterId} was left out, and no earlier one of its operator counts.`,
    );
    must(
      group === null || because !== null || !counted.has(group),
      'An operator was counted twice.',
    );
    if (group !== null) members.set(group, (members.get(group) ?? 0) + 1);
    if (group !== null) counted.add(group);
  }
  must(
    [...members.values()].every((count) => count > 1),
    'A label stands at one ballot alone.',
  );
  const left = ballots.filter((ballot) => !ballot.counted).length;
  return `Of each known operator the earliest ballot was counted; ${left} were not, and say why.`;
}

function checkResult({ frozen }: Round, { ballots, votes, result, closedAt }: Outcome): string {
  const of = (verdict: Ballot['verdict']) =>
    ballots.filter((ballot) => ballot.counted && ballot.verdict === verdict).length;
  const [upheld, rejected] = [of('upheld'), of('rejected')];
  const again = {
    upheld,
    rejected,
    insufficientEvidence: of('insufficient_evidence'),
    notCounted: ballots.filter(({ counted }) => !counted).length,
  };
  must(canonicalize(again) === canonicalize(votes), 'The votes are not those of the ballots.');
  const decided = upheld + rejected >= 3 && upheld !== rejected;
  const expected = decided ? (upheld > rejected ? 'upheld' : 'rejected') : 'inconclusive';
  must(result === expected, `The votes make it ${expected}, and not ${result}.`);
  must(closedAt >= frozen.closesAt, 'It was closed before its time.');
  return `${upheld} to ${rejected} of the counted ballots make it ${result}.`;
}

async function checkRecord({ frozen, recordSha256 }: Round, outcome: Outcome): Promise<string> {
  must(
    (await digestOf({ frozen, outcome })) === recordSha256,
    'The digest is not that of the public record.',
  );
  return 'The public record has the digest that it says.';
}

/** Takes one step; whatever is wrong with it is told. */
export async function step(name: string, work: () => string | Promise<string>): Promise<CaseCheck> {
  try {
    return { name, holds: true, text: await work() };
  } catch (error) {
    if (error instanceof Untold) return { name, holds: null, text: error.message };
    if (error instanceof Disagreement || error instanceof ReceiptError)
      return { name, holds: false, text: error.message };
    // What has not the form of a case has no member where one is looked for.
    if (error instanceof TypeError || error instanceof SyntaxError)
      return { name, holds: false, text: 'It has not the form of a case.' };
    throw error;
  }
}

/**
 * Computes a case again (what GET /api/v1/adjudication/cases/{id} answers): digests, evidence, ballots, votes and results of all rounds, believing nothing that can be
 * computed. Nothing is fetched: see `checkCase` for its receipts and what was judged. A wrong case is a list with steps that do not hold, not an error.
 */
export async function verifyCase(value: unknown): Promise<CaseCheck[]> {
  const detail = value as CaseDetail;
  const chain = await step('rounds', () => checkChain([...detail.rounds], detail));
  const checks = [chain];
  if (!chain.holds) return checks;
  for (const round of detail.rounds) {
    const { number, outcome } = round;
    checks.push(await step(`${number} frozen`, () => checkFrozen(round, detail)));
    checks.push(await step(`${number} evidence`, () => checkEvidence(round, detail)));
    if (outcome === null) continue;
    checks.push(await step(`${number} ballots`, () => checkBallots(round, outcome)));
    checks.push(await step(`${number} counting`, () => checkCounting(outcome)));
    checks.push(await step(`${number} result`, () => checkResult(round, outcome)));
    checks.push(await step(`${number} record`, () => checkRecord(round, outcome)));
  }
  return checks;
}
