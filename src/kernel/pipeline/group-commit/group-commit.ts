import { setImmediate } from 'node:timers/promises';
import type { Database, TransactionOptions } from '../../../db/database.ts';
import { DatabaseUnavailable } from '../../../db/database-errors.ts';
import { StoaError } from '../../errors.ts';
import type { Tracing } from '../../tracing.ts';
import { flushEffects } from './commit-effects.store.ts';
import { HeldCall, runInOrder, type Work } from './run-in-order.ts';

const doNothing = () => {};

/** What a call shares a batch by. */
export interface BatchMember {
  /** Calls with one key change the same rows. */
  readonly key: string;
  /** Whether calls of different callers with this key may share a batch. */
  readonly isShared: boolean;
  /** About how much work it is: the bytes that the caller sent. */
  readonly bytes: number;
}

interface PendingCall extends BatchMember {
  readonly caller: string;
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs calls in transactions that several of them may share. */
export interface GroupCommit {
  /**
   * Runs a call in a transaction. A member of a batch shares the transaction with waiting calls
   * that have other keys, or its own if they may share it. Any other call (null) runs alone.
   * `caller` says whose call it is: nobody fills a batch or the queue of transactions while
   * somebody else waits.
   */
  run<Value>(caller: string, member: BatchMember | null, work: Work<Value>): Promise<Value>;
  /** The number of calls that have not begun. */
  readonly waiting: number;
}

/** The maximum size of a batch. In a larger one, the first call would wait for the last one. */
const MAX_BATCH = 16;

/** The most bytes of a batch with several calls: long texts take long to index. */
const MAX_BATCH_BYTES = 256 * 1024;

/**
 * The batch size that is worth waiting for, and the longest wait for it. Without the wait, eight
 * callers form two alternating batches of four, and each of these costs nearly as much as one of
 * eight.
 */
const TARGET_BATCH = 8;
const BATCH_WAIT_MS = 2;

/** Options of a call that runs alone. Calls, unlike jobs, always access a few rows by an index. */
const ALONE_OPTIONS: TransactionOptions = { genericPlans: true, lockTimeoutMs: 5_000 };

/**
 * Options of a batch. A call that must wait longer for a locked row waits alone, instead of
 * delaying its batch. Only one batch runs at a time, and it does not queue behind calls that run
 * alone: it would have one turn for the posts of all of its callers.
 */
const BATCH_OPTIONS: TransactionOptions = {
  ...ALONE_OPTIONS,
  lockTimeoutMs: 500,
  skipsQueue: true,
};

/**
 * Returns waiting calls in turns: the oldest call of each caller, then the second of each, and so
 * on. The calls of one caller stay in order.
 */
export function takeTurns<Call extends { readonly caller: string }>(
  calls: readonly Call[],
): readonly Call[] {
  const taken = new Map<string, number>();
  return calls
    .map((call) => {
      const turn = taken.get(call.caller) ?? 0;
      taken.set(call.caller, turn + 1);
      return { call, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ call }) => call);
}

const compareKeys = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Whether a call rejected by itself, so that the others of its batch go on. */
const isRefusal = (reason: unknown): boolean =>
  reason instanceof StoaError || reason instanceof HeldCall;

/**
 * Creates the group commit: calls that arrive while a transaction is running share the next one.
 * Their reads leave in one write, their effects in one statement, and one flush to the disk makes
 * all of them durable. Each call then costs half of what it costs alone. A refusal of one call does
 * not affect the others. When the database refuses a statement, each call runs again alone.
 */
export function createGroupCommit(db: Database, tracing?: Tracing): GroupCommit {
  let waiting: PendingCall[] = [];
  let running = false;
  /** The number of calls that the last transaction served and left waiting. */
  let lastBatchSize = 0;
  let onArrival = doNothing;
  /** Keys of the calls that run alone after their batch failed. */
  const isolatedKeys = new Set<string>();
  /** Keys of which the last batch had a call that holds later ones: they come one by one. */
  let holdingKeys = new Set<string>();

  const runAlone = <Value>(caller: string, work: Work<Value>): Promise<Value> =>
    db.transaction(
      async (tx) => {
        const { value, effects } = await work(tx, Promise.resolve(0));
        flushEffects(tx, [effects]);
        return value;
      },
      { ...ALONE_OPTIONS, caller },
    );

  const runBatch = (members: readonly PendingCall[]) =>
    db.transaction(async (tx) => {
      const outcomes = await Promise.allSettled(runInOrder(tx, members));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) throw outcome.reason;
      flushEffects(
        tx,
        outcomes.flatMap((outcome) =>
          outcome.status === 'fulfilled' ? [outcome.value.effects] : [],
        ),
      );
      return outcomes;
    }, BATCH_OPTIONS);

  /**
   * Takes the next calls, at most one of each key or, where they may share it, one of each caller
   * for a key. They are in the order of keys: two nodes thus lock in the same order, which prevents
   * deadlocks.
   */
  function takeBatch(): PendingCall[] {
    const batch = new Set<PendingCall>();
    const taken = new Set<string>();
    let bytes = 0;
    for (const call of takeTurns(waiting)) {
      if (batch.size >= MAX_BATCH) break;
      const mayShare = call.isShared && !holdingKeys.has(call.key);
      const place = mayShare ? `${call.key} ${call.caller}` : call.key;
      if (taken.has(place) || isolatedKeys.has(call.key)) continue;
      if (batch.size > 0 && bytes + call.bytes > MAX_BATCH_BYTES) continue;
      batch.add(call);
      taken.add(place);
      bytes += call.bytes;
    }
    waiting = waiting.filter((member) => !batch.has(member));
    return [...batch].sort((a, b) => compareKeys(a.key, b.key));
  }

  /**
   * Runs each call alone, those with one key one after the other. Further calls with these keys
   * wait for them, and all other keys go on in batches.
   */
  function runSeparately(members: readonly PendingCall[]): void {
    for (const key of new Set(members.map((member) => member.key))) {
      isolatedKeys.add(key);
      const runAll = async () => {
        for (const { caller, work, resolve, reject } of members.filter((one) => one.key === key))
          await runAlone(caller, work).then(resolve, reject);
      };
      void runAll().finally(() => {
        isolatedKeys.delete(key);
        startBatches();
      });
    }
  }

  async function settleBatch(members: readonly PendingCall[]): Promise<void> {
    try {
      const held: PendingCall[] = [];
      const holding = new Set<string>();
      for (const [index, outcome] of (await runBatch(members)).entries()) {
        const member = members[index] as PendingCall;
        if (outcome.status === 'fulfilled') {
          if (outcome.value.holdsLater) holding.add(member.key);
          member.resolve(outcome.value.value);
        } else if (outcome.reason instanceof HeldCall) held.push(member);
        else member.reject(outcome.reason);
      }
      waiting = [...held, ...waiting];
      holdingKeys = new Set(waiting.flatMap(({ key }) => (holding.has(key) ? [key] : [])));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.rolledBack)
        return runSeparately(members);
      // Nobody knows whether the commit took place, so clients must repeat with their idempotency
      // keys.
      for (const { reject } of members) reject(error);
    }
  }

  /**
   * Waits until as many calls are here as the last batch served and left waiting. Callers that were
   * answered together soon ask together again. A caller who is alone never waits.
   */
  async function waitForBatch(): Promise<void> {
    // Calls whose requests arrived together with this one are a step behind it.
    await setImmediate();
    const target = Math.min(TARGET_BATCH, lastBatchSize);
    if (waiting.length >= target) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, BATCH_WAIT_MS);
      onArrival = () => {
        if (waiting.length < target) return;
        clearTimeout(timer);
        resolve();
      };
    });
    onArrival = doNothing;
  }

  async function runBatches(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      await waitForBatch();
      const calls = takeBatch();
      if (calls.length === 0) break;
      await settleBatch(calls);
      lastBatchSize = calls.length + waiting.length;
    }
    running = false;
  }

  const startBatches = () => {
    if (!running && waiting.length > 0) void runBatches();
  };

  return {
    run: (caller, member, work) =>
      member === null
        ? runAlone(caller, work)
        : new Promise((resolve, reject) => {
            const settle = { resolve: resolve as (value: unknown) => void, reject };
            // Somebody else's request may run the batch.
            const own = tracing ? tracing.bind(work) : work;
            waiting.push({ ...member, caller, work: own, ...settle });
            onArrival();
            startBatches();
          }),
    get waiting() {
      return waiting.length;
    },
  };
}
