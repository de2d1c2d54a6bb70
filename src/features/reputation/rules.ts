import { roundResults } from '../adjudication/rules.ts';
import { interactionKinds } from '../interactions/rules.ts';
import { MIN_KNOWN_OPERATORS, REPUTATION_METHOD } from './method.rules.ts';
import type { Reputation, ReputationFinding } from './schemas.ts';
import { computeWilsonInterval } from './wilson-interval.rules.ts';

/** Every reputation carries this text. */
const DISCLAIMER =
  'Computed from public records only, by a fixed rule. It reports what was recorded and ' +
  'found, not what is true; you decide whom to trust. Few or no records are ' +
  'no evidence of misconduct.';

/**
 * A count of decisive findings by what they say about the target, or of operators by the majority
 * of theirs. An upheld incident counts as `rejected`, and a rejected one as nothing.
 */
export interface FindingTally {
  /** For the target. */
  readonly upheld: number;
  /** Against the target. */
  readonly rejected: number;
}

/**
 * Returns the one finding that a known operator contributes to the value: that of its majority, or
 * null for a tie.
 */
export function findMajority({ upheld, rejected }: FindingTally): 'upheld' | 'rejected' | null {
  if (upheld === rejected) return null;
  return upheld > rejected ? 'upheld' : 'rejected';
}

/**
 * Returns the votes that enter the value: each known operator once, except that of the target.
 * `own` has the findings of the target's operator, or null where that operator is unknown.
 */
export function excludeOwnVote(known: FindingTally, own: FindingTally | null): FindingTally {
  const ownMajority = own && findMajority(own);
  return {
    upheld: known.upheld - Number(ownMajority === 'upheld'),
    rejected: known.rejected - Number(ownMajority === 'rejected'),
  };
}

/** Returns a value only if enough known independent operators are behind the findings. */
export function computeScore({ upheld, rejected }: FindingTally): Reputation['score'] {
  if (upheld + rejected < MIN_KNOWN_OPERATORS)
    return { state: 'insufficient_evidence', value: null, interval: null };
  const interval = computeWilsonInterval(upheld, rejected);
  return { state: 'scored', value: interval.lower, interval };
}

/** Every public fact about a target that the projection uses. */
export interface ReputationFacts {
  /**
   * Interactions by kind, findings by result, and who is behind the decisive ones: `known_upheld`
   * and `known_rejected` are known operators by the majority of their findings, `unknown` is agents
   * without a known operator. A count of 0 may be missing.
   */
  readonly counts: Readonly<Record<string, number>>;
  /** When the newest of these known operators was recorded; null if none is known. */
  readonly operatorsRecordedAt: string | null;
  /**
   * The known operator of the target: when it was recorded, and its findings about the target. Null
   * if the operator is unknown or the target is not an agent.
   */
  readonly targetOperator: (FindingTally & { readonly recordedAt: string }) | null;
  /** Newest first. */
  readonly recentFindings: readonly ReputationFinding[];
  /** When the newest interaction was recorded; null if there is none in the context. */
  readonly recordedAt: string | null;
}

/**
 * Returns the time of the newest fact that was used. Operators behind decisive findings count, and
 * that of the target only if it was compared with them.
 */
function findNewestTime({
  recordedAt,
  recentFindings,
  operatorsRecordedAt,
  targetOperator,
}: ReputationFacts): string | null {
  const targetRecordedAt = operatorsRecordedAt === null ? undefined : targetOperator?.recordedAt;
  const times = [
    recordedAt,
    recentFindings[0]?.closedAt,
    operatorsRecordedAt,
    targetRecordedAt,
  ].filter((time) => typeof time === 'string');
  return times.toSorted().at(-1) ?? null;
}

const pickCounts = <Name extends string>(
  names: readonly Name[],
  counts: ReputationFacts['counts'],
) => Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<Name, number>;

/**
 * Returns the facts without what adjudication found, for an installation that has it switched off:
 * what is off is shown nowhere, not as a member of another record either.
 */
const omitFindings = (facts: ReputationFacts): ReputationFacts => ({
  ...facts,
  counts: pickCounts(interactionKinds, facts.counts),
  operatorsRecordedAt: null,
  targetOperator: null,
  recentFindings: [],
});

/**
 * Builds the reputation of a target, with findings where the installation shows them. The same
 * facts give the same members in the same order.
 */
export function buildReputation(
  target: Pick<Reputation, 'kind' | 'id' | 'context'>,
  found: ReputationFacts,
  showsFindings: boolean,
): Reputation {
  const facts = showsFindings ? found : omitFindings(found);
  const { counts, targetOperator, recentFindings } = facts;
  const { known_upheld: upheld = 0, known_rejected: rejected = 0, unknown = 0 } = counts;
  const votes = excludeOwnVote({ upheld, rejected }, targetOperator);
  return {
    ...target,
    method: REPUTATION_METHOD,
    score: computeScore(votes),
    counts: {
      interactions: pickCounts(interactionKinds, counts),
      findings: pickCounts(roundResults, counts),
    },
    operators: {
      knownIndependent: votes.upheld + votes.rejected,
      unknown,
      threshold: MIN_KNOWN_OPERATORS,
      upheld: votes.upheld,
      rejected: votes.rejected,
    },
    recentFindings: [...recentFindings],
    asOf: findNewestTime(facts),
    disclaimer: DISCLAIMER,
  };
}
