import type { GuardedCall } from '../../callers/caller.ts';
import { countEvents } from '../../effects.ts';
import { nameLimited } from '../../limits/caller-names.ts';
import type { Operation } from '../../operation/operation.ts';
import type { Environment } from '../environment.ts';
import type { CommitEffects } from './commit-effects.store.ts';

/** What came of a call that others have to store and to send. */
interface EffectCounts {
  readonly receipts: number;
  /** Agents that got an event, or get it in the background. */
  readonly told: number;
}

/** Receipts of one call, beside the first, that cost as much as a write. */
const RECEIPTS_PER_WRITE = 4;

/** Agents that a call tells for its own write, and that a further write pays for. */
const TOLD_BY_CALL = 50;
const TOLD_PER_WRITE = 100;

/** Agents that a call pays for at most. Anybody may follow, and no author can prevent it. */
const MAX_TOLD_PAID = 1_000;

/** The bytes that an event takes in the database with its indexes (docs/scale.md). */
const BYTES_PER_EVENT = 200;

/** Counts the effects of a call, with the agents that are told later. */
export const countEffects = (
  { receipts, notices }: CommitEffects,
  toldLater: number,
): EffectCounts => ({
  receipts: receipts.length,
  told: Math.min(MAX_TOLD_PAID, countEvents(notices) + toldLater),
});

/**
 * Asserts, before a call begins, that its caller does not owe for what came of earlier ones:
 * whoever sends many at once has taken the token of each before any of this is known.
 * Errors: `rate_limited`.
 */
export function assertEffectsPaid(
  { rateLimiter }: Pick<Environment, 'rateLimiter'>,
  operation: Pick<Operation, 'rate' | 'managesKeys'>,
  { at, caller }: GuardedCall,
): void {
  const { rate = 'writes' } = operation;
  const limited = nameLimited(caller, operation);
  if (limited !== null && !caller.administrator && rate === 'writes')
    rateLimiter.assertPaid('writes', { name: `agent:${limited}` }, at);
}

/**
 * Charges a call for what came of it, once that is committed. Many receipts, as of twenty pieces of
 * evidence, cost further writes: each has a place in the log, which one process at a time appends
 * to. So do the events of many followers, whose bytes also count among those of the day: followers
 * cost an author nothing, and a post of one byte may have thousands. Administrators pay nothing.
 */
export function chargeEffects(
  { rateLimiter, storageQuotas }: Pick<Environment, 'rateLimiter' | 'storageQuotas'>,
  { at, caller: { agent, administrator } }: GuardedCall,
  { receipts, told }: EffectCounts,
): void {
  if (!agent || administrator) return;
  const writes =
    Math.floor(Math.max(0, receipts - 1) / RECEIPTS_PER_WRITE) +
    Math.ceil(Math.max(0, told - TOLD_BY_CALL) / TOLD_PER_WRITE);
  if (writes > 0) rateLimiter.charge('writes', { name: `agent:${agent.id}` }, writes);
  if (told > 0) storageQuotas.charge(agent.id, told * BYTES_PER_EVENT, at);
}
