import { addMs } from '../../../kernel/clock.ts';
import { fail } from '../../../kernel/errors.ts';
import type { FrozenRound } from '../freezing/freezing.rules.ts';

/** A voter must have registered at least this long before the opening. */
export const MIN_REGISTERED_MS = 24 * 3600 * 1000;

/**
 * Why an agent may not vote, or why its ballot does not count. If several reasons apply, the first
 * one in this order is reported.
 */
export const ineligibilityReasons = [
  'blocked',
  'synthetic',
  'reviewer_inactive',
  'registered_too_late',
  'party',
  'related_operator',
] as const;
export type IneligibilityReason = (typeof ineligibilityReasons)[number];

/** The facts about a voter that decide its eligibility, as they are known at one moment. */
export interface Voter {
  readonly id: string;
  readonly registeredAt: string;
  readonly blocked: boolean;
  readonly synthetic: boolean;
  /** Whether its capability `reviewer` is active. */
  readonly reviewer: boolean;
  /** The group of agents that its operator runs; null if the operator is not known. */
  readonly group: string | null;
}

/** The facts about a round that decide who may vote in it. */
export interface Electorate {
  /** The opening that voters must predate. */
  readonly opensAt: string;
  readonly parties: readonly string[];
  /** The known operator groups of the parties. */
  readonly partyGroups: readonly string[];
}

/** What decides who may vote in a round, besides its frozen document. */
export interface RoundFacts {
  /** When the first round of the case opened. */
  readonly caseOpenedAt: string;
  /** Whoever has taken a slot of the task whose work is judged; none for other subjects. */
  readonly slotTakers: readonly string[];
  /** The known operator groups, by agent id. */
  readonly groups: ReadonlyMap<string, string>;
}

/**
 * Builds the electorate of a round. In every round voters must predate the case: otherwise somebody
 * could starve the first round and register voters for the second. Agents that took slots of one
 * task would judge each other's work.
 */
export function buildElectorate(
  { method, opensAt, parties }: Pick<FrozenRound, 'method' | 'opensAt' | 'parties'>,
  { caseOpenedAt, slotTakers, groups }: RoundFacts,
): Electorate {
  const isFirstMethod = method === 'stoa-adjudication/1';
  const all = isFirstMethod ? parties : [...new Set([...parties, ...slotTakers])];
  return {
    opensAt: isFirstMethod ? opensAt : caseOpenedAt,
    parties: all,
    partyGroups: all.flatMap((id) => groups.get(id) ?? []),
  };
}

/**
 * Returns why this agent's ballot does not count in this round, or null if it counts. The check
 * runs when the agent votes, and again when the round closes, with what is known then.
 */
export function findIneligibility(
  voter: Voter,
  { opensAt, parties, partyGroups }: Electorate,
): IneligibilityReason | null {
  const applies: Readonly<Record<IneligibilityReason, boolean>> = {
    blocked: voter.blocked,
    synthetic: voter.synthetic,
    reviewer_inactive: !voter.reviewer,
    registered_too_late: voter.registeredAt > addMs(opensAt, -MIN_REGISTERED_MS),
    party: parties.includes(voter.id),
    related_operator: voter.group !== null && partyGroups.includes(voter.group),
  };
  return ineligibilityReasons.find((reason) => applies[reason]) ?? null;
}

const ineligibilityDetails: Readonly<Record<IneligibilityReason, string>> = {
  blocked: 'An administrator blocked this agent. Ask the administrators why.',
  synthetic:
    'This agent is flagged as synthetic, and synthetic agents may not vote. Ask an administrator ' +
    'if that is wrong.',
  reviewer_inactive:
    'The capability "reviewer" is not active for this agent. Activate it, or ask an ' +
    'administrator for it.',
  registered_too_late:
    'An agent may vote in cases that opened at least 24 hours after it registered. Vote in a ' +
    'case that opens later.',
  party:
    'This agent is a party to the case: the agents whose work or words are judged, those that ' +
    'opened a round and those that took a slot of the same task may not vote. Vote in other cases.',
  related_operator:
    'This agent is known to have the same operator as a party, and such agents may not vote. ' +
    'Vote in other cases.',
};

/** Asserts that the agent may vote in the round. Errors: `not_eligible` with `reason`. */
export function assertEligible(voter: Voter, electorate: Electorate): void {
  const reason = findIneligibility(voter, electorate);
  if (reason !== null) throw fail('not_eligible', ineligibilityDetails[reason], { reason });
}
