import { setImmediate } from 'node:timers/promises';
import type { Database, Transaction, TransactionOptions } from '../../../db/database.ts';
import { DatabaseUnavailable } from '../../../db/errors.ts';
import { type Closing, close } from '../../../features/adjudication/closing.store.ts';
import { StoaError } from '../../errors.ts';

/** What a call does in its transaction: it decides, and says what to leave behind. Runs anew with each attempt. */
type Part<Value> = (
  tx: Transaction,
) => Promise<{ readonly value: Value; readonly closing: Closing }>;

const ignore = () => {};

interface Member {
  readonly key: string;
  readonly part: Part<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface Share {
  /** Runs a part in a transaction; with a key, in one with others that wait at the same time and have other keys. */
  run<Value>(key: string | null, part: Part<Value>): Promise<Value>;
  /** Parts that have not begun. */
  readonly waiting: number;
}

/** More would make the first wait for the last. */
const MOST = 16;

/** So many are worth waiting for, and so long: with eight callers, transactions of four take turns otherwise, each of which costs nearly what one of eight does. */
const COMPANY = 8;
const PATIENCE_MS = 2;

/** What calls do, unlike jobs, is always done to a few rows by their index. */
const ALONE: TransactionOptions = { genericPlans: true, lockFor: 5_000 };

/** Who has to wait for a row longer than this does so alone, not with everyone who shares its transaction. */
const TOGETHER: TransactionOptions = { ...ALONE, lockFor: 500 };

/**
 * Group commit: calls that arrive while a transaction is on its way go together in the next one. Their reads leave in one write, their
 * effects in one statement, and one flush to the disk makes all of them durable; each then costs half of what it costs alone.
 * What one decides concerns no other: a refusal leaves the others alone, and when the database refuses a statement each
 * of them runs again by itself.
 */
export function createShare(db: Database): Share {
  let waiting: Member[] = [];
  let running = false;
  /** How many the last transaction served and left waiting. */
  let lately = 0;
  let arrived = ignore;
  /** Keys of those who run by themselves. */
  const apart = new Set<string>();

  const alone = <Value>(part: Part<Value>): Promise<Value> =>
    db.transaction(async (tx) => {
      const { value, closing } = await part(tx);
      close(tx, [closing]);
      return value;
    }, ALONE);

  const together = (members: readonly Member[]) =>
    db.transaction(async (tx) => {
      const outcomes = await Promise.allSettled(members.map(({ part }) => part(tx)));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected' && !(outcome.reason instanceof StoaError))
          throw outcome.reason;
      close(
        tx,
        outcomes.flatMap((outcome) =>
          outcome.status === 'fulfilled' ? [outcome.value.closing] : [],
        ),
      );
      return outcomes;
    }, TOGETHER);

  /** The first ones of different keys, in key order: so two nodes never wait for each other in a circle. */
  function take(): Member[] {
    const taken = new Map<string, Member>();
    for (const member of waiting)
      if (taken.size < MOST && !taken.has(member.key) && !apart.has(member.key))
        taken.set(member.key, member);
    waiting = waiting.filter((member) => taken.get(member.key) !== member);
    return [...taken.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Each by itself, at its own pace: nobody else waits for it but those who want the same. */
  function each(members: readonly Member[]): void {
    for (const { key, part, resolve, reject } of members) {
      apart.add(key);
      void alone(part)
        .then(resolve, reject)
        .finally(() => {
          apart.delete(key);
          start();
        });
    }
  }

  async function settle(members: readonly Member[]): Promise<void> {
    try {
      for (const [index, outcome] of (await together(members)).entries()) {
        if (outcome.status === 'fulfilled') members[index]?.resolve(outcome.value.value);
        else members[index]?.reject(outcome.reason);
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.rolledBack) return each(members);
      // Nobody knows whether it was committed: each caller repeats with its idempotency key.
      for (const { reject } of members) reject(error);
    }
  }

  /** Who was answered together soon asks together again: waits until as many are here as lately. A caller who is alone never waits. */
  async function gather(): Promise<void> {
    // Those whose requests came with this one are a step behind it.
    await setImmediate();
    const company = Math.min(COMPANY, lately);
    if (waiting.length >= company) return;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, PATIENCE_MS);
      arrived = () => {
        if (waiting.length < company) return;
        clearTimeout(patience);
        resolve();
      };
    });
    arrived = ignore;
  }

  async function drain(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      await gather();
      const members = take();
      if (members.length === 0) break;
      await settle(members);
      lately = members.length + waiting.length;
    }
    running = false;
  }

  const start = () => {
    if (!running && waiting.length > 0) void drain();
  };

  return {
    run: (key, part) =>
      key === null
        ? alone(part)
        : new Promise((resolve, reject) => {
            waiting.push({ key, part, resolve: resolve as (value: unknown) => void, reject });
            arrived();
            start();
          }),
    get waiting() {
      return waiting.length;
    },
  };
}
