import { iso } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import * as events from '../events/store.ts';
import { faultOf, hintBody, signed } from './webhook-protocol.ts';
import {
  type Attempt,
  accepted,
  COALESCE_MS,
  choose,
  type Hook,
  loadOf,
  refused,
  scheduled,
} from './rules.ts';
import * as webhooks from './store.ts';

type World = Pick<Environment, 'db' | 'clock' | 'newId' | 'random' | 'vault' | 'dial'>;

/** What came of the attempts of this process. */
export type HintOutcome = 'sent' | 'retried' | 'failed';

export interface HintSender {
  /** Notes that these agents have events: it costs a post nothing, the database is asked at the next round. */
  arrived(agentIds: readonly string[]): void;
  /** Begins to send what is due, as far as there is room. Returns whether there may be more of it at once. */
  round(): Promise<boolean>;
  /** Finds hooks whose news got lost: a process died between a commit and its next round. */
  sweep(): Promise<boolean>;
  readonly outcomes: Readonly<Record<HintOutcome, number>>;
  /** Hooks of the whole installation with something to tell, and for how many seconds the oldest notification among them is owed. */
  backlog(): Promise<{ readonly waiting: number; readonly oldestSeconds: number }>;
  /** Begins nothing any more, but for a round that has begun; resolves when what is under way has ended, within seconds. */
  close(): Promise<void>;
}

/** Looked at in one round; more than one round can begin, because some must wait for their host. */
const CANDIDATES = 500;
const SWEPT = 1_000;
/** Settled in one transaction. */
const TOGETHER = 100;
/** Slots that become free within this time are filled together: each round is a transaction that posts would wait for. */
const REFILL_MS = 50;

interface Options {
  /** There is room again, and something was left waiting for it. */
  readonly hurry: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends hints: leases what is due in one transaction, sends outside of any, and settles in another, unless the hook was leased or replaced anew
 * meanwhile. Any number of processes may do so on one database; one that dies leaves its leases to run out.
 */
export function createHintSender(
  { db, clock, newId, random, vault, dial }: World,
  { hurry, onError }: Options,
): HintSender {
  const outcomes: Record<HintOutcome, number> = { sent: 0, retried: 0, failed: 0 };
  const running = new Set<Attempt>();
  const ending = new Set<Promise<void>>();
  let arrivals = new Set<string>();
  let settled: { readonly hook: Hook; readonly ok: boolean }[] = [];
  let settling: Promise<void> | null = null;
  let crowded = false;
  let refilling = false;
  let closed = false;

  /**
   * The hooks to send for, leased; those without anything to tell, or without a credential, are put right in passing. Null when none is due any more:
   * another process has them.
   */
  const lease = (agentIds: readonly string[]): Promise<Hook[] | null> =>
    db.transaction(
      async (tx) => {
        const at = clock();
        const due = await webhooks.lockDue(tx, agentIds, iso(at));
        if (due.length === 0) return null;
        const news = new Map((await events.newsAfter(tx, due)).map((row) => [row.agentId, row]));
        const decided = due.map((hook) =>
          scheduled(
            hook,
            news.get(hook.agentId) ?? { head: hook.cursor, visible: false },
            newId(),
            at,
          ),
        );
        webhooks.save(
          tx,
          decided.map(({ hook }) => hook),
        );
        return decided.flatMap(({ hook, sends }) => (sends ? [hook] : []));
      },
      { genericPlans: true },
    );

  const settleSome = (batch: typeof settled) =>
    db.transaction(
      async (tx) => {
        const found = await webhooks.lockSent(
          tx,
          batch.map(({ hook }) => hook.agentId),
        );
        const at = clock();
        const after = found.flatMap(({ head, ...hook }): [HintOutcome, Hook][] => {
          const one = batch.find(
            ({ hook: sent }) => sent.id === hook.id && sent.generation === hook.generation,
          );
          if (!one || hook.state !== 'active') return [];
          if (one.ok) return [['sent', accepted(hook, head, at)]];
          const tried = refused(hook, at, random(4).readUInt32BE() / 2 ** 32);
          return [[tried.state === 'failed' ? 'failed' : 'retried', tried]];
        });
        webhooks.save(
          tx,
          after.map(([, hook]) => hook),
        );
        return after.map(([outcome]) => outcome);
      },
      { genericPlans: true },
    );

  /** Attempts that end at about the same time are settled together. What cannot be settled is sent again when its lease has run out. */
  async function settleAll(): Promise<void> {
    while (settled.length > 0) {
      const batch = settled.slice(0, TOGETHER);
      settled = settled.slice(TOGETHER);
      for (const outcome of await settleSome(batch)) outcomes[outcome] += 1;
    }
  }

  async function settle(hook: Hook, ok: boolean): Promise<void> {
    settled.push({ hook, ok });
    // Again when the one who settles has just gone through the list for the last time.
    while (settled.length > 0) {
      settling ??= settleAll()
        .catch(onError)
        .finally(() => {
          settling = null;
        });
      await settling;
    }
  }

  async function attempt(hook: Hook): Promise<void> {
    const answer = await dial(
      signed(hook.url, hintBody(hook), vault.open(hook.sealedSecret, hook.agentId), clock()),
    );
    await settle(hook, faultOf(answer) === undefined);
  }

  function refill(): void {
    if (!crowded || refilling || closed) return;
    refilling = true;
    setTimeout(() => {
      refilling = false;
      if (!closed) hurry();
    }, REFILL_MS).unref();
  }

  function begin(hook: Hook): void {
    running.add(hook);
    const end = attempt(hook)
      .catch(onError)
      .finally(() => {
        running.delete(hook);
        ending.delete(end);
        refill();
      });
    ending.add(end);
  }

  async function note(): Promise<void> {
    if (arrivals.size === 0) return;
    const agentIds = [...arrivals];
    arrivals = new Set();
    await webhooks.markArrived(db, agentIds, iso(clock() + COALESCE_MS));
  }

  return {
    arrived(agentIds) {
      for (const id of agentIds) arrivals.add(id);
    },
    async round() {
      if (closed) return false;
      await note();
      const { free, busyHosts, failingMayGo } = loadOf([...running]);
      crowded = free <= 0;
      if (crowded) return false;
      const due = await webhooks.listDue(
        db,
        iso(clock()),
        { hosts: busyHosts, failing: !failingMayGo },
        CANDIDATES,
      );
      const chosen = choose(due, [...running]);
      crowded = busyHosts.length > 0 || chosen.length < due.length;
      if (chosen.length === 0 || closed) return false;
      const leased = await lease(chosen.map(({ agentId }) => agentId));
      for (const hook of leased ?? []) begin(hook);
      return leased !== null;
    },
    sweep: async () => (await webhooks.markMissed(db, iso(clock() + COALESCE_MS), SWEPT)) === SWEPT,
    outcomes,
    async backlog() {
      const { waiting, oldest } = await webhooks.countWaiting(db);
      return {
        waiting,
        oldestSeconds: oldest === null ? 0 : Math.max(0, (clock() - Date.parse(oldest)) / 1000),
      };
    },
    async close() {
      closed = true;
      await Promise.allSettled(ending);
    },
  };
}
