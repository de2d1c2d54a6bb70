import { iso } from '../../kernel/clock.ts';
import type { Webhook } from './schemas.ts';
import {
  ATTEMPTS,
  type HookError,
  type HookState,
  next,
  standingOf,
  stated,
} from './transitions.ts';

/** A webhook as it is stored. */
export interface Hook {
  readonly agentId: string;
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly sealedSecret: Buffer;
  readonly keyId: string;
  readonly state: HookState;
  readonly lastError: HookError | null;
  /** Events up to here were told of, or were there before the hook. */
  readonly cursor: number;
  /** The notification that is owed: events up to `deliveryHead`. */
  readonly deliveryId: string | null;
  readonly deliveryCreatedAt: string | null;
  readonly deliveryHead: number | null;
  readonly attempts: number;
  readonly dueAt: string | null;
  readonly leasedUntil: string | null;
  readonly generation: number;
  readonly createdAt: string;
  readonly verifiedAt: string | null;
  readonly lastDeliveredAt: string | null;
}

/** With whether its credential works now. */
export type KnownHook = Hook & { readonly alive: boolean };

/** What an agent has in its stream. `visible`: whether it may see any of it that came after the hook's cursor. */
export interface News {
  readonly head: number;
  readonly visible: boolean;
}

/** Between the first arrival and its hint, so that many share one. */
export const COALESCE_MS = 5_000;

/** Longer than an attempt and the clocks of two nodes can differ. */
const LEASE_MS = 30_000;

const RETRY_SECONDS = [5, 30, 120, 600, 3600, 14_400, 43_200] as const;

/** Milliseconds to wait after so many failed attempts; `chance` from 0 to 1 moves it by a fifth at most. */
export const retryDelayMs = (attempts: number, chance: number): number =>
  Math.round((RETRY_SECONDS[attempts - 1] ?? 0) * 1000 * (0.8 + 0.4 * chance));

export const VERIFICATIONS = 4;
export const VERIFICATION_WINDOW_MS = 3_600_000;

const unleased = { dueAt: null, leasedUntil: null };
const nothingOwed = { deliveryId: null, deliveryCreatedAt: null, deliveryHead: null, attempts: 0 };

/** The hook after its credential stopped working. */
const stopped = (hook: Hook): Hook => {
  const { standing } = next(standingOf(hook), 'credentialLost');
  return { ...hook, ...stated(standing as 'credential_unavailable'), ...unleased };
};

/** The hook as its agent sees it. An expired key stops it at once, also before anything has looked at it. */
export function shown({ alive, ...stored }: KnownHook): Webhook {
  const hook = alive ? stored : stopped(stored);
  const { id, url, state, attempts, lastDeliveredAt, lastError, createdAt, verifiedAt, dueAt } =
    hook;
  return {
    id,
    url,
    state,
    attempts,
    lastDeliveredAt,
    lastError,
    createdAt,
    verifiedAt,
    nextAttemptAt: dueAt,
  };
}

/** A configuration that nothing is left of the one before. */
export const configured = (
  wanted: Pick<
    Hook,
    'agentId' | 'id' | 'url' | 'host' | 'sealedSecret' | 'keyId' | 'cursor' | 'createdAt'
  >,
): KnownHook => ({
  ...wanted,
  ...stated('pending'),
  ...unleased,
  ...nothingOwed,
  generation: 0,
  verifiedAt: null,
  lastDeliveredAt: null,
  alive: true,
});

/** Errors: `credential_unavailable` for a hook that only a new configuration can bring back. */
export const assertVerifiable = ({ alive, ...hook }: KnownHook) =>
  next(standingOf(alive ? hook : stopped(hook)), 'verified');

/** The hook after its receiver proved itself; `head` is the newest event of its agent. Errors: `credential_unavailable`. */
export function verified(hook: KnownHook, head: number, at: number): KnownHook {
  const { standing, notification } = assertVerifiable(hook);
  const resumed = notification === 'resumed' ? { attempts: 0, dueAt: iso(at) } : {};
  // What arrived before it was verified counts as if it had arrived now.
  const awaited =
    hook.state === 'pending' && head > hook.cursor ? { dueAt: iso(at + COALESCE_MS) } : {};
  return { ...hook, ...stated(standing as 'active'), ...awaited, ...resumed, verifiedAt: iso(at) };
}

/** What to do about a hook that is due, and the hook after that. `deliveryId` is for a new notification; one that is owed keeps its own. */
export function scheduled(
  { alive, ...hook }: KnownHook,
  news: News,
  deliveryId: string,
  at: number,
): { readonly hook: Hook; readonly sends: boolean } {
  if (!alive) return { hook: stopped(hook), sends: false };
  if (!news.visible)
    return { hook: { ...hook, ...nothingOwed, ...unleased, cursor: news.head }, sends: false };
  const owed =
    hook.deliveryId === null
      ? { deliveryId, deliveryCreatedAt: iso(at), deliveryHead: news.head }
      : {};
  return {
    hook: { ...hook, ...owed, leasedUntil: iso(at + LEASE_MS), generation: hook.generation + 1 },
    sends: true,
  };
}

/** The hook after its receiver accepted the notification; what arrived meanwhile leads to one more. */
export const accepted = (hook: Hook, head: number, at: number): Hook => {
  const cursor = hook.deliveryHead ?? hook.cursor;
  return {
    ...hook,
    ...nothingOwed,
    ...unleased,
    cursor,
    lastDeliveredAt: iso(at),
    dueAt: head > cursor ? iso(at + COALESCE_MS) : null,
  };
};

/** The hook after an attempt that was not accepted. */
export function refused(hook: Hook, at: number, chance: number): Hook {
  const attempts = hook.attempts + 1;
  if (attempts < ATTEMPTS)
    return {
      ...hook,
      attempts,
      leasedUntil: null,
      dueAt: iso(at + retryDelayMs(attempts, chance)),
    };
  const { standing } = next(standingOf(hook), 'exhausted');
  return { ...hook, ...stated(standing as 'delivery_failed'), ...unleased, attempts };
}

/** How many attempts this process makes at once: in all, to one host, and of those that have failed before. */
const SLOTS = 200;
const SLOTS_PER_HOST = 16;
const SLOTS_OF_FAILING = 100;

export interface Attempt {
  readonly agentId: string;
  readonly host: string;
  readonly attempts: number;
}

/** What is under way. */
export interface Load {
  readonly free: number;
  /** Hosts that take no more now. */
  readonly busyHosts: readonly string[];
  readonly failingMayGo: boolean;
}

const failing = ({ attempts }: Attempt) => attempts > 0;

function countByHost(attempts: readonly Attempt[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of attempts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}

export const loadOf = (running: readonly Attempt[]): Load => ({
  free: SLOTS - running.length,
  busyHosts: [...countByHost(running)]
    .filter(([, count]) => count >= SLOTS_PER_HOST)
    .map(([host]) => host),
  failingMayGo: running.filter(failing).length < SLOTS_OF_FAILING,
});

/** Which of those that are due may begin beside what is under way: in their order, none more than its host, its kind and all together may have. */
export function choose<A extends Attempt>(due: readonly A[], running: readonly Attempt[]): A[] {
  const hosts = countByHost(running);
  let free = SLOTS - running.length;
  let freeOfFailing = SLOTS_OF_FAILING - running.filter(failing).length;
  return due.filter((attempt) => {
    const atHost = hosts.get(attempt.host) ?? 0;
    if (free <= 0 || atHost >= SLOTS_PER_HOST || (failing(attempt) && freeOfFailing <= 0))
      return false;
    free -= 1;
    if (failing(attempt)) freeOfFailing -= 1;
    hosts.set(attempt.host, atHost + 1);
    return true;
  });
}
