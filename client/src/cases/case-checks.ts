import canonicalize from 'canonicalize';
import { sha256, toHex, utf8 } from '../bytes.ts';
import type { CaseDetail } from '../generated/operation-types.ts';

type Round = CaseDetail['rounds'][number];
type Outcome = NonNullable<Round['outcome']>;
type Ballot = Outcome['ballots'][number];

/** Something does not agree. The message says what. */
export class Disagreement extends Error {}

/** Something cannot be checked. The message says why. */
export class NotCheckable extends Error {}

/** Errors: Disagreement with the sentence when the condition is false. */
export function assertThat(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Disagreement(sentence);
}

const HOUR_MS = 3600 * 1000;
/** How much the clocks of two nodes of an installation may differ. */
const SKEW_MS = 60_000;

/** Computes the SHA-256 of a value's RFC 8785 form, in hexadecimal digits. */
export async function computeDigest(value: unknown): Promise<string> {
  return toHex(await sha256(utf8(canonicalize(value) ?? '')));
}

/** The rules by which votes are counted; they differ in who may vote, which the record says. */
const KNOWN_METHODS: readonly string[] = ['stoa-adjudication/1', 'stoa-adjudication/2'];

/**
 * Checks the frozen document of a round against its round, its 72 hours and its digest. Errors:
 * Disagreement.
 */
export async function checkFrozen(
  { frozen, frozenSha256, number }: Round,
  { id }: CaseDetail,
): Promise<string> {
  assertThat(
    frozen.v === 1 && KNOWN_METHODS.includes(frozen.method),
    'It was decided by rules that this program does not know.',
  );
  assertThat(
    frozen.caseId === id && frozen.round === number,
    'The frozen document belongs to another round or case.',
  );
  assertThat(
    Date.parse(frozen.closesAt) - Date.parse(frozen.opensAt) === 72 * HOUR_MS,
    'It was not open for 72 hours.',
  );
  assertThat(
    (await computeDigest(frozen)) === frozenSha256,
    'The digest does not match the frozen document.',
  );
  return 'The frozen document matches its digest.';
}

/** The member of each kind of evidence that has its reference. */
const references = {
  url: 'url',
  message: 'messageId',
  file: 'fileId',
  receipt: 'receiptId',
  statement: 'text',
} as const;

/**
 * Checks that the shown evidence is the frozen one, as far as it is not hidden from the reader.
 * Errors: Disagreement; NotCheckable when references are hidden.
 */
export async function checkEvidence(
  { frozen }: Round,
  { evidence, subject }: CaseDetail,
): Promise<string> {
  let hidden = 0;
  for (const { id, version, kind, submittedBy, sha256: digest } of frozen.evidence) {
    const piece = evidence.find((one) => one.id === id);
    assertThat(piece !== undefined, `The evidence ${id} was frozen, but is not shown.`);
    assertThat(
      piece.kind === kind && piece.submittedBy === submittedBy,
      `The evidence ${id} has another kind or submitter than the frozen one.`,
    );
    const { url, messageId, fileId, receiptId, text, sha256: contentSha256, note } = piece;
    const content = {
      aboutId: subject.id,
      kind: piece.kind,
      url,
      messageId,
      fileId,
      receiptId,
      text,
      sha256: contentSha256,
      note,
    };
    if (content[references[piece.kind]] === null) hidden++;
    else
      assertThat(
        (await computeDigest({ version, state: 'submitted', content })) === digest,
        `The digest of the evidence ${id} does not match the shown content.`,
      );
  }
  const rest = frozen.evidence.length - hidden;
  if (hidden > 0)
    throw new NotCheckable(
      `${rest} of ${frozen.evidence.length} pieces of evidence are the frozen ones. The ` +
        'references of the others are hidden from you.',
    );
  return `All ${rest} pieces of evidence are the frozen ones.`;
}

/**
 * Checks that the rounds follow each other and that the case has the result of the newest one.
 * Errors: Disagreement.
 */
export function checkChain(rounds: readonly Round[], detail: CaseDetail): string {
  const first = rounds.at(0);
  const last = rounds.at(-1);
  assertThat(first !== undefined && last !== undefined, 'The case has no round.');
  const seen = new Set<string>();
  let before: Round | undefined;
  for (const [index, round] of rounds.entries()) {
    const { frozen } = round;
    assertThat(round.number === index + 1, 'A round is missing.');
    assertThat(
      round === last ? round.state !== 'superseded' : round.state === 'superseded',
      'A round is superseded without a later round, or has one without being superseded.',
    );
    assertThat(
      (round.state === 'open') === (round.outcome === null),
      'An open round has a result, or a closed one has none.',
    );
    assertThat(
      frozen.question === first.frozen.question &&
        canonicalize(frozen.rubric) === canonicalize(first.frozen.rubric),
      'The rounds differ in question or rubric.',
    );
    assertThat(
      before === undefined || frozen.evidence.some(({ id }) => !seen.has(id)),
      'A round has no new evidence.',
    );
    assertThat(
      before === undefined ||
        Date.parse(before.outcome?.closedAt ?? '') <= Date.parse(frozen.opensAt) + SKEW_MS,
      'A round opened before the previous one closed.',
    );
    for (const { id } of frozen.evidence) seen.add(id);
    before = round;
  }
  const result = rounds.findLast(({ outcome }) => outcome !== null)?.outcome?.result ?? null;
  assertThat(
    detail.state === last.state && detail.result === result,
    'The state or result of the case does not match its rounds.',
  );
  return (
    `Its ${rounds.length} rounds follow each other, and the case has the state and result of the ` +
    'newest one.'
  );
}

const isBefore = (a: Ballot, b: Ballot): boolean =>
  a.castAt < b.castAt || (a.castAt === b.castAt && a.id < b.id);

/**
 * Checks that each ballot was cast in time, by an allowed voter, and matches its digest. Errors:
 * Disagreement.
 */
export async function checkBallots({ frozen }: Round, { ballots }: Outcome): Promise<string> {
  const evidence = new Set(frozen.evidence.map(({ id }) => id));
  assertThat(
    new Set(ballots.map(({ voterId }) => voterId)).size === ballots.length,
    'An agent voted twice.',
  );
  for (const [index, ballot] of ballots.entries()) {
    const { voterId, verdict, rationale, evidenceIds, castAt } = ballot;
    const previous = ballots[index - 1];
    assertThat(
      previous === undefined || isBefore(previous, ballot),
      'The ballots are not in the order of casting.',
    );
    assertThat(
      castAt >= frozen.opensAt && castAt < frozen.closesAt,
      `The ballot of ${voterId} was not cast in time.`,
    );
    assertThat(!frozen.parties.includes(voterId), `${voterId} voted, but is a party.`);
    assertThat(
      evidenceIds.every((id) => evidence.has(id)),
      `The ballot of ${voterId} refers to evidence that was not frozen.`,
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
    assertThat(
      (await computeDigest(vote)) === ballot.sha256,
      `The digest of the ballot of ${voterId} does not match the ballot.`,
    );
  }
  return (
    `Each of the ${ballots.length} ballots was cast in time, by a different agent that is not a ` +
    'party, and matches its digest.'
  );
}

/**
 * Checks that the answer has all ballots of a round. Of many long ones it has the first.
 * Errors: Disagreement; NotCheckable when some were left out.
 */
export function checkComplete({ ballotsLeftOut = 0 }: Round, { ballots, votes }: Outcome): string {
  const { upheld, rejected, insufficientEvidence, notCounted } = votes;
  const count = upheld + rejected + insufficientEvidence + notCounted;
  assertThat(
    ballots.length + ballotsLeftOut === count,
    `The votes are ${count}, and there are ${ballots.length + ballotsLeftOut} ballots.`,
  );
  if (ballotsLeftOut === 0) return `All ${count} ballots are shown.`;
  throw new NotCheckable(
    `${ballotsLeftOut} of ${count} ballots are not in this answer, so votes, result and record ` +
      'cannot be checked.',
  );
}

/** Checks which ballots were counted: one for each known operator. Errors: Disagreement. */
export function checkCounting({ ballots }: Outcome): string {
  const counted = new Set<string>();
  const members = new Map<string, number>();
  for (const ballot of ballots) {
    const { notCountedBecause: reason, group } = ballot;
    assertThat(
      ballot.counted === (reason === null),
      `The ballot of ${ballot.voterId} is counted, but has a reason not to be, or the reverse.`,
    );
    assertThat(
      group === null || reason === null || reason === 'operator_counted',
      `The ballot of ${ballot.voterId} has an operator's label, but is not counted.`,
    );
    assertThat(
      reason !== 'operator_counted' || (group !== null && counted.has(group)),
      `The ballot of ${ballot.voterId} was left out, but no earlier one of its operator counts.`,
    );
    assertThat(
      group === null || reason !== null || !counted.has(group),
      'An operator was counted twice.',
    );
    if (group === null) continue;
    members.set(group, (members.get(group) ?? 0) + 1);
    counted.add(group);
  }
  assertThat(
    [...members.values()].every((count) => count > 1),
    'Only one ballot has a certain label of an operator.',
  );
  const left = ballots.filter((ballot) => !ballot.counted).length;
  return (
    `The earliest ballot of each known operator was counted; ${left} ballots were not counted ` +
    'and say why.'
  );
}

/** Recounts the votes and checks the result. Errors: Disagreement. */
export function checkResult(
  { frozen }: Round,
  { ballots, votes, result, closedAt }: Outcome,
): string {
  const countVotes = (verdict: Ballot['verdict']) =>
    ballots.filter((ballot) => ballot.counted && ballot.verdict === verdict).length;
  const upheld = countVotes('upheld');
  const rejected = countVotes('rejected');
  const recounted = {
    upheld,
    rejected,
    insufficientEvidence: countVotes('insufficient_evidence'),
    notCounted: ballots.filter(({ counted }) => !counted).length,
  };
  assertThat(
    canonicalize(recounted) === canonicalize(votes),
    'The votes do not match the ballots.',
  );
  const decided = upheld + rejected >= 3 && upheld !== rejected;
  const expected = decided ? (upheld > rejected ? 'upheld' : 'rejected') : 'inconclusive';
  assertThat(result === expected, `The votes mean ${expected}, but the result is ${result}.`);
  assertThat(closedAt >= frozen.closesAt, 'It was closed before its time.');
  return `The counted ballots, ${upheld} to ${rejected}, mean ${result}.`;
}

/** Checks the digest of the public record. Errors: Disagreement. */
export async function checkRecord(
  { frozen, recordSha256 }: Round,
  outcome: Outcome,
): Promise<string> {
  assertThat(
    (await computeDigest({ frozen, outcome })) === recordSha256,
    'The digest does not match the public record.',
  );
  return 'The public record matches its digest.';
}
