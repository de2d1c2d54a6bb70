import { results } from '../adjudication/rules.ts';
import { interactionKinds } from '../interactions/rules.ts';
import type { Finding, Reputation } from './schemas.ts';

/** How a value is computed. What a name means never changes: another formula gets another name. */
export const METHOD = 'wilson-lb/1';

/** Known independent operators that a value needs. */
export const THRESHOLD = 3;

/** Newest findings that a projection shows. */
export const RECENT = 20;

/** Of the normal distribution, for 95 % on both sides together. */
const Z = 1.959963984540054;

export const DISCLAIMER =
  'Computed from public records alone by a fixed rule. It says what was recorded and found, not what is so, and whom to trust is for you to decide. Little here, or nothing, is no evidence of misconduct.';

/** The same for every machine: IEEE 754 rounds these operations in one way only, and the sixth digit is far from the last one. */
const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e6) / 1e6;

/** The 95 % Wilson score interval of the share of upheld, for at least one vote. */
export function wilson(
  upheld: number,
  rejected: number,
): { readonly lower: number; readonly upper: number } {
  const votes = upheld + rejected;
  const [share, square] = [upheld / votes, Z * Z];
  const center = share + square / (2 * votes);
  const margin = Z * Math.sqrt((share * (1 - share) + square / (4 * votes)) / votes);
  return {
    lower: rounded((center - margin) / (1 + square / votes)),
    upper: rounded((center + margin) / (1 + square / votes)),
  };
}

/** Decisive findings, or operators by the majority of theirs. */
export interface Votes {
  readonly upheld: number;
  readonly rejected: number;
}

/** The one finding that those of a known operator enter the value as: that of the majority; null for a tie, which is none. */
export function majorityOf({ upheld, rejected }: Votes): 'upheld' | 'rejected' | null {
  if (upheld === rejected) return null;
  return upheld > rejected ? 'upheld' : 'rejected';
}

/** What enters the value: each known operator once, but for that of the target (its findings; null: nobody knows it). Those that are unknown do not. */
export function votesOf(known: Votes, own: Votes | null): Votes {
  const left = own && majorityOf(own);
  return {
    upheld: known.upheld - Number(left === 'upheld'),
    rejected: known.rejected - Number(left === 'rejected'),
  };
}

/** A value only where enough operators stand behind it that are known, and known to be independent. */
export function scoreOf({ upheld, rejected }: Votes): Reputation['score'] {
  if (upheld + rejected < THRESHOLD)
    return { state: 'insufficient_evidence', value: null, interval: null };
  const interval = wilson(upheld, rejected);
  return { state: 'scored', value: interval.lower, interval };
}

/** All that is public about a target, as the projection takes it. */
export interface Facts {
  /**
   * Interactions by kind, findings by result, and who stands behind decisive ones: `known_upheld` and `known_rejected`, known operators by the majority of their
   * findings; `unknown`, agents without one. What there is none of may be missing.
   */
  readonly counts: Readonly<Record<string, number>>;
  /** When the newest of these known operators was recorded; null where none is known. */
  readonly operatorsRecordedAt: string | null;
  /** The known operator of the target, since when, and its own findings among them; null where it is unknown, or the target no agent. */
  readonly targetOperator: (Votes & { readonly recordedAt: string }) | null;
  /** Newest first. */
  readonly recentFindings: readonly Finding[];
  /** When the newest interaction was recorded. */
  readonly recordedAt: string | null;
}

/** The time of the newest fact that was used; of operators those behind decisive findings, and the target's where they are compared with it. */
function asOf({
  recordedAt,
  recentFindings,
  operatorsRecordedAt,
  targetOperator,
}: Facts): string | null {
  const compared = operatorsRecordedAt === null ? undefined : targetOperator?.recordedAt;
  const times = [recordedAt, recentFindings[0]?.closedAt, operatorsRecordedAt, compared].filter(
    (time) => typeof time === 'string',
  );
  return times.toSorted().at(-1) ?? null;
}

const countsOf = <Name extends string>(names: readonly Name[], counts: Facts['counts']) =>
  Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<Name, number>;

/** What can be said of a target. The same facts give the same projection, member by member. */
export function project(
  target: Pick<Reputation, 'kind' | 'id' | 'context'>,
  facts: Facts,
): Reputation {
  const { counts, targetOperator, recentFindings } = facts;
  const { known_upheld: upheld = 0, known_rejected: rejected = 0, unknown = 0 } = counts;
  const votes = votesOf({ upheld, rejected }, targetOperator);
  return {
    ...target,
    method: METHOD,
    score: scoreOf(votes),
    counts: {
      interactions: countsOf(interactionKinds, counts),
      findings: countsOf(results, counts),
    },
    operators: {
      knownIndependent: votes.upheld + votes.rejected,
      unknown,
      threshold: THRESHOLD,
    },
    recentFindings: [...recentFindings],
    asOf: asOf(facts),
    disclaimer: DISCLAIMER,
  };
}
