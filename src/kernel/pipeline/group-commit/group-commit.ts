import { setImmediate } from 'node:timers/promises';
import type { Database, Transaction, TransactionOptions } from '../../../db/database.ts';
import { DatabaseUnavailable } from '../../../db/database-errors.ts';
import { StoaError } from '../../errors.ts';
import { type CommitEffects, flushEffects } from './commit-effects.store.ts';

/**
 * What a call does in its transaction: it decides, and says what to leave behind. Runs anew with
 * each attempt.
 */
type Work<Value> = (
  tx: Transaction,
) => Promise<{ readonly value: Value; readonly effects: CommitEffects }>;

const doNothing = () => {};

interface PendingCall {
  readonly key: string;
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  /**
   * Runs a part in a transaction; with a key, in one with others that wait at the same time and
   * have other keys.
   */
  run<Value>(key: string | null, work: Work<Value>): Promise<Value>;
  /** Parts that have not begun. */
  readonly waiting: number;
}

/** More would make the first wait for the last. */
const MAX_BATCH = 16;

/**
 * So many are worth waiting for, and so long: with eight callers, transactions of four take turns
 * otherwise, each of which costs nearly what one of eight does.
 */
const TARGET_BATCH = 8;
const BATCH_WAIT_MS = 2;

/** What calls do, unlike jobs, is always done to a few rows by their index. */
const ALONE_OPTIONS: TransactionOptions = { genericPlans: true, lockTimeoutMs: 5_000 };

/**
 * Who has to wait for a row longer than this does so alone, not with everyone who shares its
 * transaction.
 */
const BATCH_OPTIONS: TransactionOptions = { ...ALONE_OPTIONS, lockTimeoutMs: 500 };

/**
 * Group commit: calls that arrive while a transaction is on its way go together in the next one.
 * Their reads leave in one write, their effects in one statement, and one flush to the disk makes
 * all of them durable; each then costs half of what it costs alone. What one decides concerns no
 * other: a refusal leaves the others alone, and when the database refuses a statement each of them
 * runs again by itself.
 */
export function createGroupCommit(db: Database): GroupCommit {
  let waiting: PendingCall[] = [];
  let running = false;
  /** How many the last transaction served and left waiting. */
  let lastBatchSize = 0;
  let onArrival = doNothing;
  /** Keys of those who run by themselves. */
  const isolatedKeys = new Set<string>();

  const runAlone = <Value>(work: Work<Value>): Promise<Value> =>
    db.transaction(async (tx) => {
      const { value, effects } = await work(tx);
      flushEffects(tx, [effects]);
      return value;
    }, ALONE_OPTIONS);

  const runBatch = (members: readonly PendingCall[]) =>
    db.transaction(async (tx) => {
      const outcomes = await Promise.allSettled(members.map(({ work }) => work(tx)));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected' && !(outcome.reason instanceof StoaError))
          throw outcome.reason;
      flushEffects(
        tx,
        outcomes.flatMap((outcome) =>
          outcome.status === 'fulfilled' ? [outcome.value.effects] : [],
        ),
      );
      return outcomes;
    }, BATCH_OPTIONS);

  /**
   * The first ones of different keys, in key order: so two nodes never wait for each other in a
   * circle.
   */
  function takeBatch(): PendingCall[] {
    const batch = new Map<string, PendingCall>();
    for (const call of waiting)
      if (batch.size < MAX_BATCH && !batch.has(call.key) && !isolatedKeys.has(call.key))
        batch.set(call.key, call);
    waiting = waiting.filter((member) => batch.get(member.key) !== member);
    return [...batch.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Each by itself, at its own pace: nobody else waits for it but those who want the same. */
  function runSeparately(members: readonly PendingCall[]): void {
    for (const { key, work, resolve, reject } of members) {
      isolatedKeys.add(key);
      void runAlone(work)
        .then(resolve, reject)
        .finally(() => {
          isolatedKeys.delete(key);
          startBatches();
        });
    }
  }

  async function settleBatch(members: readonly PendingCall[]): Promise<void> {
    try {
      for (const [index, outcome] of (await runBatch(members)).entries()) {
        if (outcome.status === 'fulfilled') members[index]?.resolve(outcome.value.value);
        else members[index]?.reject(outcome.reason);
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.rolledBack)
        return runSeparately(members);
      // Nobody knows whether it was committed: each caller repeats with its idempotency key.
      for (const { reject } of members) reject(error);
    }
  }

  /**
   * Who was answered together soon asks together again: waits until as many are here as lately. A
   * caller who is alone never waits.
   */
  async function waitForBatch(): Promise<void> {
    // Those whose requests came with this one are a step behind it.
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
    run: (key, work) =>
      key === null
        ? runAlone(work)
        : new Promise((resolve, reject) => {
            waiting.push({ key, work, resolve: resolve as (value: unknown) => void, reject });
            onArrival();
            startBatches();
          }),
    get waiting() {
      return waiting.length;
    },
  };
}
