import { fail } from '../errors.ts';
import type { LoadLimitValues } from './load-limit-values.ts';
import { findSite } from './rate-limit-subjects.ts';
import { createReclaimableShares, type Share } from './reclaimable-shares.ts';

const KIB = 1024;

/**
 * Requests under way, without waits, from which on `requests.busy` holds. Four times as many wait
 * for the database when everybody is refused.
 */
const BUSY_REQUESTS = 500;
/** The same for callers without a key, whose burst would make others wait. */
const BUSY_FOR_STRANGERS = 100;

/**
 * What a caller may have out of the part of a limit that is kept for those that have no more: else
 * a few with much could have everybody refused. An IPv6 site of 48 bits counts as one caller.
 */
const littleOf = {
  bodyBytes: 64 * KIB,
  responseBytes: 256 * KIB,
  uploads: 1,
  waits: 1,
} as const;
/** The part of a limit of all callers together that anybody may have. */
const FOR_ANYBODY = 3 / 4;

/**
 * A caller that has more than so many times what another one would have loses its oldest share to
 * that one: it would otherwise be enough to hold answers, and not to read them, to have everybody
 * refused.
 */
const MUCH_MORE = 2;

/** What requests hold while they are under way. */
export const loadKinds = ['bodyBytes', 'responseBytes', 'uploads', 'requests', 'waits'] as const;
export type LoadKind = (typeof loadKinds)[number];

/** What callers without a key have limits of their own for. */
type StrangerKind = 'bodyBytes' | 'responseBytes' | 'requests';

/** Who holds something: an agent, or anyone at an address. */
export interface LoadHolder {
  readonly agentId: string | null;
  readonly address: string;
  /** Whether the guard found that the caller has no key. Before, anybody may be at the address. */
  readonly isStranger?: boolean;
}

export interface LoadLimits {
  /**
   * Takes a share of what may be under way at once, and returns the function that gives it back.
   * Errors: `rate_limited` when the agent or the address holds too much, `unavailable` when the
   * process does; both with `retryAfterSeconds`. Bytes of an answer are granted to whoever holds
   * none, because no caller can make its answer shorter than one piece. A share with `end` may be
   * taken back: then `end` is called.
   */
  take(kind: LoadKind, holder: LoadHolder, amount?: number, end?: () => void): () => void;
  /** Returns how much is under way in all. */
  measure(kind: LoadKind): number;
  /** How many shares were taken back since the start. */
  readonly takenBack: number;
}

const nouns: Readonly<Record<LoadKind, string>> = {
  bodyBytes: 'bytes of requests without an answer',
  responseBytes: 'bytes of answers that were not read yet',
  uploads: 'uploads under way',
  requests: 'requests under way',
  waits: 'waits and streams',
};

const advice: Readonly<Record<LoadKind, string>> = {
  bodyBytes: 'Send large requests one after the other.',
  responseBytes: 'Read each answer before you ask for more.',
  uploads: 'Send the next file when one has arrived.',
  requests: 'Wait for answers before you send more.',
  waits: 'One wait or stream tells everything: close the others.',
};

/** Seconds after which a refused caller may try again. */
const RETRY_SECONDS = {
  bodyBytes: 2,
  responseBytes: 2,
  uploads: 2,
  requests: 1,
  waits: 15,
} as const;

interface Subject {
  /** The name of what is counted. */
  readonly name: string;
  readonly limit: number;
  /** Who holds it, for the error. */
  readonly who: string;
  readonly code: 'rate_limited' | 'unavailable';
  /** Whether several callers have it together, so that a part is kept for those with little. */
  readonly isShared: boolean;
}

/** The name of what callers without a key at an address, or at the IPv6 site around it, have. */
const nameSite = (kind: LoadKind, address: string): string =>
  `${kind}:nobody:${findSite(address) ?? address}`;

/**
 * Creates the limits of one process. They are counted in memory, because what they protect, memory
 * and the event loop, belongs to the process too.
 */
export function createLoadLimits(limits: LoadLimitValues): LoadLimits {
  const held = new Map<string, number>();
  let takenBack = 0;
  const reclaimable = createReclaimableShares((caller) => held.get(caller) ?? 0);

  const hasMoreThan = (busy: number) =>
    (held.get('requests') ?? 0) - (held.get('waits') ?? 0) > busy;
  const findAgentLimit = (kind: LoadKind): number =>
    kind === 'requests' && hasMoreThan(BUSY_REQUESTS)
      ? Math.min(limits['requests.busy'], limits['requests.agent'])
      : limits[`${kind}.agent`];
  const findStrangerLimit = (kind: StrangerKind): number =>
    kind === 'requests' && hasMoreThan(BUSY_FOR_STRANGERS)
      ? Math.min(limits['requests.busy'], limits['requests.stranger'])
      : limits[`${kind}.stranger`];

  /** Lists the counts of callers without a key. */
  const listStrangers = (kind: StrangerKind, address: string): readonly Subject[] => [
    {
      name: `${kind}:stranger:${address}`,
      limit: findStrangerLimit(kind),
      who: 'Callers without a key at this address have',
      code: 'rate_limited',
      isShared: false,
    },
    {
      name: `${kind}:strangers`,
      limit: limits[`${kind}.strangers`],
      who: 'Callers without a key have',
      code: 'unavailable',
      isShared: true,
    },
  ];

  /** Lists the counts that a holder's share belongs to, the narrowest first. */
  function* listSubjects(
    kind: LoadKind,
    { agentId, address, isStranger = false }: LoadHolder,
  ): Generator<Subject> {
    if (agentId !== null)
      yield {
        name: `${kind}:agent:${agentId}`,
        limit: findAgentLimit(kind),
        who: 'This agent has',
        code: 'rate_limited',
        isShared: false,
      };
    // A request was counted for its address and the process before its caller was known.
    if (kind === 'requests' && isStranger) yield* listStrangers(kind, address);
    if (kind === 'requests' && (agentId !== null || isStranger)) return;
    yield {
      name: `${kind}:address:${address}`,
      limit: limits[`${kind}.address`],
      who: 'Callers at this address have',
      code: 'rate_limited',
      isShared: agentId !== null,
    };
    if (agentId === null && (kind === 'bodyBytes' || kind === 'responseBytes'))
      yield* listStrangers(kind, address);
    yield {
      name: kind,
      limit: limits[`${kind}.process`],
      who: 'All callers together have',
      code: 'unavailable',
      isShared: true,
    };
  }

  /** The name of what a caller has in all. */
  const nameOwn = (kind: LoadKind, { agentId, address }: LoadHolder): string =>
    agentId === null ? nameSite(kind, address) : `${kind}:agent:${agentId}`;

  /** Whether a caller has so little that it may have what is kept for such callers. */
  const hasLittle = (kind: LoadKind, own: number): boolean =>
    kind === 'requests' || own <= littleOf[kind];

  const change = (name: string, amount: number) => {
    const next = (held.get(name) ?? 0) + amount;
    if (next > 0) held.set(name, next);
    else held.delete(name);
  };

  return {
    take(kind, holder, amount = 1, end) {
      const subjects = [...listSubjects(kind, holder)];
      const caller = nameOwn(kind, holder);
      const own = (held.get(caller) ?? 0) + amount;
      const isLittle = hasLittle(kind, own);
      const reclaimed = new Set<Share>();
      for (const { name, limit: all, who, code, isShared } of subjects) {
        const limit = isShared && !isLittle ? Math.floor(all * FOR_ANYBODY) : all;
        const current = held.get(name) ?? 0;
        const missing = current + amount - limit;
        if (missing <= 0 || (kind === 'responseBytes' && current === 0)) continue;
        if (isShared && reclaimable.choose(name, missing, own * MUCH_MORE, reclaimed)) continue;
        throw fail(
          code,
          `${who} too many ${nouns[kind]}: at most ${limit} at once. ${advice[kind]}`,
          { retryAfterSeconds: RETRY_SECONDS[kind] },
        );
      }
      // Nobody loses anything to a call that is refused.
      for (const share of reclaimed) {
        share.release();
        share.end();
      }
      takenBack += reclaimed.size;
      const names = subjects.map(({ name }) => name);
      if (kind !== 'requests' && holder.agentId === null)
        names.push(nameSite(kind, holder.address));
      for (const name of names) change(name, amount);
      let isHeld = true;
      const share = {
        caller,
        amount,
        names,
        release() {
          if (isHeld) for (const name of names) change(name, -amount);
          isHeld = false;
          if (end) reclaimable.delete(share);
        },
        end: () => end?.(),
      };
      if (end) reclaimable.add(share);
      return share.release;
    },
    measure: (kind) => held.get(kind) ?? 0,
    get takenBack() {
      return takenBack;
    },
  };
}

/** The load limits for `LOAD_LIMITS=off`. */
export const unlimitedLoad: LoadLimits = { take: () => () => {}, measure: () => 0, takenBack: 0 };
