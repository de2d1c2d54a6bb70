import { setImmediate } from 'node:timers/promises';
import type { Database, TransactionOptions } from '../../../db/database.ts';
import { DatabaseUnavailable } from '../../../db/database-errors.ts';
import { createSemaphore } from '../../../db/turns/semaphore.ts';
import type { Clock } from '../../clock.ts';
import { StoaError } from '../../errors.ts';
import type { Tracing } from '../../tracing.ts';
import { isRecordConflict, listStoredRecords } from '../idempotency.store.ts';
import { type CommitEffects, flushEffects } from './commit-effects.store.ts';
import { createEventWeights } from './event-weights.ts';
import { type BatchedCall, type CommitShape, pickBatch } from './pick-batch.ts';
import { HeldCall, runInOrder, type Work } from './run-in-order.ts';

const doNothing = () => {};

interface PendingCall extends BatchedCall {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs calls in transactions that several of them may share. */
export interface GroupCommit {
  /**
   * Runs a call in a transaction. A call with a key shares the transaction with waiting calls that
   * have other keys, or its own if they may share it. Any other call runs alone, and so does a
   * large one. `caller` says whose call it is: nobody fills a batch or the queue of transactions
   * while somebody else waits.
   */
  run<Value>(caller: string, shape: CommitShape, work: Work<Value>): Promise<Value>;
  /** The number of calls that have not begun. */
  readonly waiting: number;
}

/**
 * Calls with more bytes run alone, few at once, each of another caller. The 21,845 words that a
 * message can have take the database some 300 ms.
 */
const LARGE_BYTES = 8 * 1024;
const LARGE_CALLS = 2;

/**
 * The batch size that is worth waiting for, and the longest wait for it. Without the wait, eight
 * callers form two alternating batches of four, and each of these costs nearly as much as one of
 * eight.
 */
const TARGET_BATCH = 8;
const BATCH_WAIT_MS = 2;

/** Options of a call that runs alone. Calls, unlike jobs, always access a few rows by an index. */
const ALONE_OPTIONS: TransactionOptions = { genericPlans: true, lockTimeoutMs: 5_000 };

/** Options of a large call, which had its turn among those already. */
const LARGE_OPTIONS: TransactionOptions = { ...ALONE_OPTIONS, skipsQueue: true };

/**
 * Options of what has a turn that others wait for: of a call that was woken, and of a batch. Only
 * one of each runs at a time, and it does not queue behind calls that run alone. Nor does it wait
 * long for a locked row; a call of a batch that must then waits alone.
 */
const TURN_OPTIONS: TransactionOptions = {
  ...ALONE_OPTIONS,
  lockTimeoutMs: 500,
  skipsQueue: true,
};

/** How often calls of a batch share a transaction before each of them gets its own. */
const MAX_ATTEMPTS = 4;

/** Whether a call rejected by itself, so that the others of its batch go on. */
const isRefusal = (reason: unknown): boolean =>
  reason instanceof StoaError || reason instanceof HeldCall;

/**
 * Creates the group commit: calls that arrive while a transaction is running share the next one.
 * Their reads leave in one write, their effects in two statements, and one flush to the disk makes
 * all of them durable. Each call then costs half of what it costs alone. A refusal of one call does
 * not affect the others. When the database refuses a statement, each call runs again alone. If that
 * was because another node has used the idempotency keys of some, these are rejected, and the
 * others share a transaction again. `now` returns milliseconds that never go back.
 */
export function createGroupCommit(db: Database, now: Clock, tracing?: Tracing): GroupCommit {
  let waiting: PendingCall[] = [];
  let running = false;
  /** The number of calls that the last transaction served and left waiting. */
  let lastBatchSize = 0;
  let onArrival = doNothing;
  /** The keys of calls that run alone, whose rows a batch would wait for, until they end. */
  const isolatedKeys = new Map<string, Promise<unknown>>();
  /** The keys of the batch that runs, and those who wait for its end, or for that of the next. */
  let batchKeys: ReadonlySet<string> = new Set();
  let atBatchEnd: ((keys: ReadonlySet<string>) => void)[] = [];
  const largeCalls = createSemaphore(LARGE_CALLS, { perCaller: 1, reserved: 1, now });
  /** Keys of which the last batch had a call that holds later ones: they come one by one. */
  let holdingKeys = new Set<string>();
  const weights = createEventWeights();

  const runAlone = <Value>(
    caller: string,
    work: Work<Value>,
    options: TransactionOptions = ALONE_OPTIONS,
  ): Promise<Value> =>
    db.transaction(
      async (tx) => {
        const { value, effects } = await work(tx, Promise.resolve(0));
        flushEffects(tx, [effects]);
        return value;
      },
      { ...options, caller },
    );

  /** Runs calls of a key alone, after others that did. Further calls with it wait meanwhile. */
  async function isolate<Value>(key: string, run: () => Promise<Value>): Promise<Value> {
    for (let other = isolatedKeys.get(key); other; other = isolatedKeys.get(key)) await other;
    const result = run();
    isolatedKeys.set(key, result.then(doNothing, doNothing));
    try {
      return await result;
    } finally {
      isolatedKeys.delete(key);
      startBatches();
    }
  }

  /**
   * Runs a large call of a key alone, when no batch has it, and after a batch with those that wait:
   * nobody keeps a thread for long calls only.
   */
  async function isolateLarge<Value>(key: string, run: () => Promise<Value>): Promise<Value> {
    const endOfBatch = () =>
      new Promise<ReadonlySet<string>>((resolve) => atBatchEnd.push(resolve));
    for (let hadBatch = false; ; ) {
      const other = isolatedKeys.get(key);
      const isWanted = batchKeys.has(key) || (!hadBatch && waiting.some((one) => one.key === key));
      if (other === undefined && !isWanted) return isolate(key, run);
      await other;
      hadBatch = other === undefined && (await endOfBatch()).has(key);
    }
  }

  /** Runs calls in one transaction. `effects` gets what they are to write before it is written. */
  const runBatch = (members: readonly PendingCall[], effects: Map<PendingCall, CommitEffects>) =>
    db.transaction(async (tx) => {
      // The database may run the transaction again.
      effects.clear();
      const outcomes = await Promise.allSettled(runInOrder(tx, members));
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled')
          effects.set(members[index] as PendingCall, outcome.value.effects);
        else if (!isRefusal(outcome.reason)) throw outcome.reason;
      }
      flushEffects(tx, [...effects.values()]);
      return outcomes;
    }, TURN_OPTIONS);

  /** Finds the calls of a failed batch whose idempotency keys are used by now. */
  async function findTwins(
    effects: ReadonlyMap<PendingCall, CommitEffects>,
  ): Promise<ReadonlySet<PendingCall>> {
    const members = [...effects].flatMap(([member, { record }]) =>
      record ? [{ member, record }] : [],
    );
    const stored = await listStoredRecords(
      db,
      members.map(({ record }) => record),
    );
    return new Set(members.filter((_, index) => stored.has(index)).map(({ member }) => member));
  }

  /** Takes the next calls: not those of keys that run alone. */
  function takeBatch(): readonly PendingCall[] {
    const free = waiting.filter(({ key }) => !isolatedKeys.has(key));
    const batch = new Set(pickBatch(free, waiting.length, holdingKeys));
    waiting = waiting.filter((call) => !batch.has(call));
    return [...batch];
  }

  /**
   * Runs each call alone, those with one key one after the other. They have turns by their key: it
   * must not wait for all that one of its callers has under way.
   */
  function runSeparately(members: readonly PendingCall[]): void {
    for (const key of new Set(members.map((member) => member.key)))
      void isolate(key, async () => {
        for (const { work, resolve, reject } of members.filter((one) => one.key === key))
          await runAlone(key, work).then(resolve, reject);
      });
  }

  /**
   * Runs the calls of a batch again that the database rolled back. Calls whose idempotency keys
   * another node has used are rejected, and the others share a transaction again. Later calls do
   * not join it, because they may be such calls too. After MAX_ATTEMPTS each runs alone.
   */
  async function runAgain(
    members: readonly PendingCall[],
    effects: ReadonlyMap<PendingCall, CommitEffects>,
    error: unknown,
    attempt: number,
  ): Promise<void> {
    const mayHaveTwins = attempt < MAX_ATTEMPTS && isRecordConflict(error);
    const twins = mayHaveTwins ? await findTwins(effects).catch(() => null) : null;
    if (!twins?.size) return runSeparately(members);
    for (const { reject } of twins) reject(error);
    const others = members.filter((member) => !twins.has(member));
    if (others.length > 0) await settleBatch(others, attempt + 1);
  }

  async function settleBatch(members: readonly PendingCall[], attempt = 1): Promise<void> {
    const effects = new Map<PendingCall, CommitEffects>();
    try {
      const held: PendingCall[] = [];
      const holding = new Set<string>();
      for (const [index, outcome] of (await runBatch(members, effects)).entries()) {
        const member = members[index] as PendingCall;
        if (outcome.status === 'fulfilled') {
          if (outcome.value.holdsLater) holding.add(member.key);
          weights.learn(member.key, outcome.value.effects);
          member.resolve(outcome.value.value);
        } else if (outcome.reason instanceof HeldCall) held.push(member);
        else member.reject(outcome.reason);
      }
      waiting = [...held, ...waiting];
      holdingKeys = new Set(waiting.flatMap(({ key }) => (holding.has(key) ? [key] : [])));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.rolledBack)
        return await runAgain(members, effects, error, attempt);
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

  function endBatch(): void {
    const told = atBatchEnd;
    const keys = batchKeys;
    atBatchEnd = [];
    batchKeys = new Set();
    for (const tell of told) tell(keys);
  }

  async function runBatches(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      await waitForBatch();
      const calls = takeBatch();
      if (calls.length === 0) break;
      batchKeys = new Set(calls.map(({ key }) => key));
      await settleBatch(calls);
      lastBatchSize = calls.length + waiting.length;
      endBatch();
    }
    running = false;
    endBatch();
  }

  const startBatches = () => {
    if (!running && waiting.length > 0) void runBatches();
  };

  return {
    run(caller, shape, work) {
      const { key, bytes } = shape;
      if (bytes > LARGE_BYTES) {
        return largeCalls.run((begin) => {
          const runLarge = () => {
            begin();
            return runAlone(caller, work, LARGE_OPTIONS);
          };
          return key === null ? runLarge() : isolateLarge(key, runLarge);
        }, caller);
      }
      if (key === null) return runAlone(caller, work, shape.hasTurn ? TURN_OPTIONS : undefined);
      return new Promise((resolve, reject) => {
        const settle = { resolve: resolve as (value: unknown) => void, reject };
        // Somebody else's request may run the batch.
        const own = tracing ? tracing.bind(work) : work;
        const weight = bytes + weights.get(key);
        waiting.push({
          key,
          isShared: shape.isShared,
          bytes: weight,
          caller,
          work: own,
          ...settle,
        });
        onArrival();
        startBatches();
      });
    },
    get waiting() {
      return waiting.length + largeCalls.waiting;
    },
  };
}
