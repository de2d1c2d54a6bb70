import { toIso } from '../../kernel/clock.ts';
import {
  type CheckedHook,
  COALESCE_MS,
  type Hook,
  noDelivery,
  noLease,
  stopHook,
} from './rules.ts';
import { getStatus, getTransition, MAX_ATTEMPTS, toStatusColumns } from './transitions.ts';

/** The state of an agent's event stream. */
export interface StreamNews {
  /** The newest event. */
  readonly head: number;
  /** Whether the agent may see any of the events after the cursor of its hook up to `lookedAt`. */
  readonly visible: boolean;
  readonly lookedAt: number;
}

/** Longer than an attempt takes plus the difference between the clocks of two nodes. */
const LEASE_MS = 30_000;

const retrySeconds = [5, 30, 120, 600, 3600, 14_400, 43_200] as const;

/**
 * Returns the milliseconds to wait after this many failed attempts. `chance`, from 0 to 1, changes
 * it by a fifth at most, so that retries spread out.
 */
export const getRetryDelayMs = (attempts: number, chance: number): number =>
  Math.round((retrySeconds[attempts - 1] ?? 0) * 1000 * (0.8 + 0.4 * chance));

/**
 * Decides whether to send for a hook that is due, and returns the hook after that decision.
 * `deliveryId` is for a new notification; one that is owed keeps its own id.
 */
export function scheduleDelivery(
  { alive, ...hook }: CheckedHook,
  news: StreamNews,
  deliveryId: string,
  at: number,
): { readonly hook: Hook; readonly sends: boolean } {
  if (!alive) return { hook: stopHook(hook), sends: false };
  if (!news.visible)
    return {
      hook: {
        ...hook,
        ...noDelivery,
        ...noLease,
        cursor: news.lookedAt,
        // Behind whatever is due already, the next round looks at what follows.
        dueAt: news.lookedAt < news.head ? toIso(at) : null,
      },
      sends: false,
    };
  const owed =
    hook.deliveryId === null
      ? { deliveryId, deliveryCreatedAt: toIso(at), deliveryHead: news.head }
      : {};
  return {
    hook: { ...hook, ...owed, leasedUntil: toIso(at + LEASE_MS), generation: hook.generation + 1 },
    sends: true,
  };
}

/**
 * Returns the hook after its receiver accepted the notification. Events that arrived during the
 * attempt make it due again.
 */
export const afterAccepted = (hook: Hook, head: number, at: number): Hook => {
  const cursor = hook.deliveryHead ?? hook.cursor;
  return {
    ...hook,
    ...noDelivery,
    ...noLease,
    cursor,
    lastDeliveredAt: toIso(at),
    dueAt: head > cursor ? toIso(at + COALESCE_MS) : null,
  };
};

/** Returns the hook after an attempt that was not accepted: due again, or failed after the last. */
export function afterRefused(hook: Hook, at: number, chance: number): Hook {
  const attempts = hook.attempts + 1;
  if (attempts < MAX_ATTEMPTS)
    return {
      ...hook,
      attempts,
      leasedUntil: null,
      dueAt: toIso(at + getRetryDelayMs(attempts, chance)),
    };
  const { status } = getTransition(getStatus(hook), 'exhausted');
  return { ...hook, ...toStatusColumns(status), ...noLease, attempts };
}
