import { createRecentNames } from '../recent-names.ts';
import { isStrangerName } from './caller-names.ts';
import { createCallerShares } from './caller-shares.ts';
import { createWorkRate } from './work-rate.ts';

/** What a process does for one request, as long as it is not waiting for somebody outside. */
export interface Work {
  /** Says whose it is, when more is known than at the beginning. */
  identify(caller: string): void;
  /** Says that the rest of a request is waited for, which nobody works on meanwhile. */
  pause(): void;
  /** Says that the wait is over. */
  resume(): void;
  /** Says that the work is done, or that it goes on at the pace of somebody outside. */
  end(): void;
}

/** How much work a process has in hand, and whether more would wait too long. */
export interface WorkMeter {
  /** Begins work for a caller, named as `nameHolder` does. */
  begin(caller: string): Work;
  /** Whether a request of a caller must be refused now. */
  mustRefuse(caller: string): boolean;
  /** The number of pieces of work that were begun and have not ended. */
  readonly inHand: number;
  /** Whether there is so much of it that somebody is refused. */
  readonly isOverloaded: boolean;
  /** When the last piece of work was begun, by the clock of the meter. */
  readonly lastBegunAt: number;
}

/** What is known of work before it is measured. */
export interface WorkKind {
  /** Pieces of work that are always allowed: below them, a rate says nothing. */
  readonly least: number;
  /** Pieces of work that are done in a millisecond. */
  readonly rate: number;
}

/** All requests, and those that search. */
export const requestWork: WorkKind = { least: 64, rate: 2 };
export const searchWork: WorkKind = { least: 16, rate: 0.1 };

/** Milliseconds of work that are too much when they stand for a whole window. */
const STANDING_MS = 100;
/** Milliseconds of work that need not stand for a whole window to be too much. */
const SOON_MS = 150;
/** How much work may be in hand during an overload, in milliseconds that it will take. */
const ROOM_MS = 40;
/**
 * Milliseconds of work of different callers at which everybody else is refused who had something
 * accepted lately, and everybody else. The second number holds for twice as much work at least.
 */
const MOST_MS = 100;
const MOST_WITH_QUIET_MS = 250;
/**
 * Milliseconds for which, or at most twice as long, something counts as accepted lately: whoever
 * waits as long as a refusal says is among the others.
 */
const LATELY_MS = 500;
/** The part of the room that one caller may always have. It counts as no more when it has more. */
const OWN_PART = 1 / 8;
/** The part of the room that all callers without a key have together. */
const STRANGERS_PART = 1 / 2;
/** Milliseconds in which a burst may come, and for which work must stand to be too much. */
const WINDOW_MS = 50;

/**
 * Creates a meter. By Little's law, what is in hand divided by the rate at which the process works
 * is the time that a new request waits. The meter refuses when more than `STANDING_MS` of work has
 * stood for a whole window (as CoDel drops packets, RFC 8289): a burst that can be worked off is no
 * overload. It goes on until a window passed in which it had nothing to refuse.
 *
 * Callers without a key have a part of the room together, which they fill for each other only: it
 * costs nothing to be many of them. Callers have equal shares. However much one of them has, it
 * counts as a part of the room: whoever sends a thousand slow calls is refused more of them, and
 * has nobody else refused, because callers take turns at the database. Many who always have
 * something in hand leave room to those who come now and then. `now` returns milliseconds that
 * never go back.
 */
export function createWorkMeter(now: () => number, kind: WorkKind): WorkMeter {
  const agents = createCallerShares();
  const strangers = createCallerShares();
  const lately = createRecentNames(now, LATELY_MS);
  const pickGroup = (caller: string) => (isStrangerName(caller) ? strangers : agents);
  const countInHand = () => agents.total + strangers.total;
  const rate = createWorkRate(now, kind.rate);
  let windowFrom = now();
  let lowest = 0;
  let refused = 0;
  let isOverloaded = false;
  /** The moment since which there was more than what is always allowed. */
  let busySince = Number.POSITIVE_INFINITY;
  let lastBegunAt = windowFrom;

  const countFor = (ms: number) => Math.max(kind.least, Math.ceil(rate.perMs * ms));
  const countWithQuiet = () => Math.max(2 * kind.least, countFor(MOST_WITH_QUIET_MS));
  const countOwn = () => Math.ceil(countFor(ROOM_MS) * OWN_PART);
  const boundShares = () => {
    agents.bound(countOwn());
    strangers.bound(countOwn());
  };
  boundShares();

  function endWindow(at: number): void {
    if (at - windowFrom < WINDOW_MS) return;
    if (rate.endWindow(lowest >= kind.least / 2, isOverloaded)) boundShares();
    isOverloaded = lowest > countFor(STANDING_MS) || (isOverloaded && refused > 0);
    windowFrom = at;
    lowest = countInHand();
    refused = 0;
  }

  function change(caller: string, amount: 1 | -1): void {
    const at = now();
    endWindow(at);
    pickGroup(caller).add(caller, amount);
    if (countInHand() <= kind.least) busySince = Number.POSITIVE_INFINITY;
    else if (busySince > at) busySince = at;
    lowest = Math.min(lowest, countInHand());
  }

  function isTooMuch(caller: string): boolean {
    const at = now();
    endWindow(at);
    if (countInHand() >= countFor(SOON_MS) && at - busySince > WINDOW_MS) isOverloaded = true;
    if (!isOverloaded) return false;
    const group = pickGroup(caller);
    const own = group.get(caller);
    const part = group === strangers ? STRANGERS_PART : 1;
    // Whoever has nothing yet is kept out by many callers only, not by what a few have in hand.
    if (own === 0)
      return group.callers >= part * (lately.has(caller) ? countFor(MOST_MS) : countWithQuiet());
    const forStrangers = countFor(ROOM_MS) * STRANGERS_PART;
    if (group === strangers && strangers.total >= forStrangers) return true;
    const room =
      group === strangers
        ? forStrangers
        : countFor(ROOM_MS) - Math.min(strangers.bounded, forStrangers);
    const share = Math.floor(room / group.callers);
    return own >= (group.bounded < room ? Math.max(share, countOwn()) : share);
  }

  return {
    begin(caller) {
      lately.note(caller);
      let whose = caller;
      let state: 'counted' | 'paused' | 'ended' = 'counted';
      lastBegunAt = now();
      change(whose, 1);
      return {
        identify(name) {
          if (state === 'counted' && name !== whose) {
            pickGroup(whose).add(whose, -1);
            pickGroup(name).add(name, 1);
            lately.note(name);
          }
          whose = name;
        },
        pause() {
          if (state !== 'counted') return;
          state = 'paused';
          change(whose, -1);
        },
        resume() {
          if (state !== 'paused') return;
          state = 'counted';
          change(whose, 1);
        },
        end() {
          if (state === 'counted') {
            change(whose, -1);
            rate.count();
          }
          state = 'ended';
        },
      };
    },
    mustRefuse(caller) {
      const isRefused = isTooMuch(caller);
      if (isRefused) refused += 1;
      return isRefused;
    },
    get inHand() {
      return countInHand();
    },
    get isOverloaded() {
      endWindow(now());
      return isOverloaded;
    },
    get lastBegunAt() {
      return lastBegunAt;
    },
  };
}

const noWork: Work = { identify() {}, pause() {}, resume() {}, end() {} };

/** Creates the meter for `LOAD_LIMITS=off`, which refuses nothing. */
export function createUnlimitedWork(now: () => number): WorkMeter {
  let lastBegunAt = now();
  return {
    begin() {
      lastBegunAt = now();
      return noWork;
    },
    mustRefuse: () => false,
    inHand: 0,
    isOverloaded: false,
    get lastBegunAt() {
      return lastBegunAt;
    },
  };
}
