import { toIso } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { getShownKinds } from '../events/rules.ts';
import * as events from '../events/store.ts';
import * as dueWebhooks from './due-webhooks.store.ts';
import { afterAccepted, afterRefused, scheduleDelivery } from './hint-delivery.rules.ts';
import { COALESCE_MS, type Hook } from './rules.ts';
import { chooseAttempts, computeLoad, type DeliveryAttempt } from './sender-load.rules.ts';
import * as webhooks from './store.ts';
import { buildHint, buildSignedRequest, findFault } from './webhook-protocol.ts';

type JobContext = Pick<
  Environment,
  'db' | 'clock' | 'newId' | 'random' | 'installation' | 'webhookSecrets' | 'dial'
>;

/** The outcome of an attempt. */
export type HintOutcome = 'sent' | 'retried' | 'failed';

/** Sends hints in rounds, which the job scheduler starts. */
export interface HintSender {
  /**
   * Notes that these agents have new events. This costs a post nothing: the database is updated in
   * the next round.
   */
  noteArrivals(agentIds: readonly string[]): void;
  /**
   * Begins to send hints that are due, as far as the limits allow. Returns whether another round
   * may find more at once.
   */
  runRound(): Promise<boolean>;
  /**
   * Finds hooks whose arrivals were lost because a process died between a commit and its next
   * round. Returns whether there may be more.
   */
  sweep(): Promise<boolean>;
  /** Outcomes of this process since its start. */
  readonly outcomes: Readonly<Record<HintOutcome, number>>;
  /**
   * Counts the hooks of the whole installation for which a hint is due, and the seconds for which
   * the oldest notification has been owed.
   */
  countBacklog(): Promise<{ readonly waiting: number; readonly oldestSeconds: number }>;
  /**
   * Begins no further round. Resolves when running attempts have ended, which takes seconds at
   * most.
   */
  close(): Promise<void>;
}

/** Due hooks read in one round: more than may begin, because some must wait for their host. */
const MAX_CANDIDATES = 500;
/** Hooks that one sweep finds. */
const MAX_SWEPT = 1_000;
/** Attempts settled in one transaction. */
const SETTLE_BATCH = 100;
/**
 * Slots that become free within these milliseconds are filled together, because each round is a
 * transaction for which posts would wait.
 */
const REFILL_MS = 50;

interface HintSenderOptions {
  /** Asks for a round now, because there is room again and hooks are waiting for it. */
  readonly hurry: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Creates a sender. It leases due hooks in one transaction, sends outside of any transaction, and
 * settles in another one, unless the hook was leased again or replaced during the attempt. Any
 * number of processes may send on one database; the leases of a process that dies expire.
 */
export function createHintSender(
  { db, clock, newId, random, installation, webhookSecrets: vault, dial }: JobContext,
  { hurry: requestRound, onError }: HintSenderOptions,
): HintSender {
  const shownKinds = getShownKinds(installation.features);
  const outcomes: Record<HintOutcome, number> = { sent: 0, retried: 0, failed: 0 };
  const running = new Set<DeliveryAttempt>();
  const unfinished = new Set<Promise<void>>();
  let arrivals = new Set<string>();
  let results: { readonly hook: Hook; readonly ok: boolean }[] = [];
  let settling: Promise<void> | null = null;
  let isCrowded = false;
  let isRefilling = false;
  let isClosed = false;

  /**
   * Leases the hooks for which a hint must be sent. Hooks without news or without a credential are
   * updated on the way. Returns null when none is due any more, because another process took them.
   */
  const leaseHooks = (agentIds: readonly string[]): Promise<Hook[] | null> =>
    db.transaction(
      async (tx) => {
        const at = clock();
        const due = await dueWebhooks.lockDue(tx, agentIds, toIso(at));
        if (due.length === 0) return null;
        const news = new Map(
          (await events.listStreamStates(tx, due, shownKinds)).map((row) => [row.agentId, row]),
        );
        const decided = due.map((hook) =>
          scheduleDelivery(
            hook,
            news.get(hook.agentId) ?? { head: hook.cursor, visible: false, lookedAt: hook.cursor },
            newId(),
            at,
          ),
        );
        webhooks.updateAll(
          tx,
          decided.map(({ hook }) => hook),
        );
        return decided.flatMap(({ hook, sends }) => (sends ? [hook] : []));
      },
      { genericPlans: true },
    );

  const settleBatch = (batch: typeof results) =>
    db.transaction(
      async (tx) => {
        const found = await dueWebhooks.lockWithHeads(
          tx,
          batch.map(({ hook }) => hook.agentId),
        );
        const at = clock();
        const after = found.flatMap(({ head, ...hook }): [HintOutcome, Hook][] => {
          const one = batch.find(
            ({ hook: sent }) => sent.id === hook.id && sent.generation === hook.generation,
          );
          if (!one || hook.state !== 'active') return [];
          if (one.ok) return [['sent', afterAccepted(hook, head, at)]];
          const failedHook = afterRefused(hook, at, random(4).readUInt32BE() / 2 ** 32);
          return [[failedHook.state === 'failed' ? 'failed' : 'retried', failedHook]];
        });
        webhooks.updateAll(
          tx,
          after.map(([, hook]) => hook),
        );
        return after.map(([outcome]) => outcome);
      },
      { genericPlans: true },
    );

  /**
   * Settles attempts that ended at about the same time together. An attempt that cannot be settled
   * is sent again after its lease expires.
   */
  async function settleResults(): Promise<void> {
    while (results.length > 0) {
      const batch = results.slice(0, SETTLE_BATCH);
      results = results.slice(SETTLE_BATCH);
      for (const outcome of await settleBatch(batch)) outcomes[outcome] += 1;
    }
  }

  async function settleResult(hook: Hook, ok: boolean): Promise<void> {
    results.push({ hook, ok });
    // The loop repeats when a running settlement took its last look before this result was added.
    while (results.length > 0) {
      settling ??= settleResults()
        .catch(onError)
        .finally(() => {
          settling = null;
        });
      await settling;
    }
  }

  async function attemptDelivery(hook: Hook): Promise<void> {
    const answer = await dial(
      buildSignedRequest(
        { url: hook.url, secret: vault.open(hook.sealedSecret, hook.agentId) },
        buildHint(hook),
        installation.baseUrl,
        clock(),
      ),
    );
    await settleResult(hook, findFault(answer) === undefined);
  }

  function scheduleRefill(): void {
    if (!isCrowded || isRefilling || isClosed) return;
    isRefilling = true;
    setTimeout(() => {
      isRefilling = false;
      if (!isClosed) requestRound();
    }, REFILL_MS).unref();
  }

  function beginAttempt(hook: Hook): void {
    running.add(hook);
    const end = attemptDelivery(hook)
      .catch(onError)
      .finally(() => {
        running.delete(hook);
        unfinished.delete(end);
        scheduleRefill();
      });
    unfinished.add(end);
  }

  async function saveArrivals(): Promise<void> {
    if (arrivals.size === 0) return;
    const agentIds = [...arrivals];
    arrivals = new Set();
    await dueWebhooks.markArrived(db, agentIds, toIso(clock() + COALESCE_MS));
  }

  return {
    noteArrivals(agentIds) {
      for (const id of agentIds) arrivals.add(id);
    },
    async runRound() {
      if (isClosed) return false;
      await saveArrivals();
      const { free, busyHosts, busySites, failingMayGo } = computeLoad([...running]);
      isCrowded = free <= 0;
      if (isCrowded) return false;
      const due = await dueWebhooks.listDue(
        db,
        toIso(clock()),
        { hosts: busyHosts, sites: busySites, failing: !failingMayGo },
        MAX_CANDIDATES,
      );
      const chosen = chooseAttempts(due, [...running]);
      isCrowded = busyHosts.length > 0 || busySites.length > 0 || chosen.length < due.length;
      if (chosen.length === 0 || isClosed) return false;
      const leased = await leaseHooks(chosen.map(({ agentId }) => agentId));
      for (const hook of leased ?? []) beginAttempt(hook);
      return leased !== null;
    },
    sweep: async () =>
      (await dueWebhooks.markMissed(db, toIso(clock() + COALESCE_MS), MAX_SWEPT)) === MAX_SWEPT,
    outcomes,
    async countBacklog() {
      const { waiting, oldest } = await dueWebhooks.countWaiting(db);
      return {
        waiting,
        oldestSeconds: oldest === null ? 0 : Math.max(0, (clock() - Date.parse(oldest)) / 1000),
      };
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(unfinished);
    },
  };
}
