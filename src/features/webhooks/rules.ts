import { toIso } from '../../kernel/clock.ts';
import type { Webhook } from './schemas.ts';
import {
  getStatus,
  getTransition,
  type HookError,
  type HookState,
  toStatusColumns,
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
  /** Events up to here were announced by a hint, or were there before the hook. */
  readonly cursor: number;
  /** The notification that is owed, for events up to `deliveryHead`. */
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

/** A webhook, with whether its credential works now. */
export type CheckedHook = Hook & { readonly alive: boolean };

/** Milliseconds between the first arrival and its hint, so that many arrivals share one hint. */
export const COALESCE_MS = 5_000;

/** Verifications that an agent may start within the window. */
export const MAX_VERIFICATIONS = 4;

/** The window, in milliseconds. */
export const VERIFICATION_WINDOW_MS = 3_600_000;

/** The columns of a hook that is not due and that no process holds. */
export const noLease = { dueAt: null, leasedUntil: null };

/** The columns of a hook that owes no notification. */
export const noDelivery = {
  deliveryId: null,
  deliveryCreatedAt: null,
  deliveryHead: null,
  attempts: 0,
};

/** Returns the hook after its credential stopped working. */
export const stopHook = (hook: Hook): Hook => {
  const { status } = getTransition(getStatus(hook), 'credentialLost');
  return { ...hook, ...toStatusColumns(status), ...noLease };
};

/**
 * Converts a hook to what its agent sees. A hook whose key has expired is shown as stopped, even
 * before the sender has noticed.
 */
export function toWebhookView({ alive, ...stored }: CheckedHook): Webhook {
  const hook = alive ? stored : stopHook(stored);
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

/** Builds a new configuration, which takes nothing over from an earlier one. */
export const configureHook = (
  wanted: Pick<
    Hook,
    'agentId' | 'id' | 'url' | 'host' | 'sealedSecret' | 'keyId' | 'cursor' | 'createdAt'
  >,
): CheckedHook => ({
  ...wanted,
  ...toStatusColumns('pending'),
  ...noLease,
  ...noDelivery,
  generation: 0,
  verifiedAt: null,
  lastDeliveredAt: null,
  alive: true,
});

/**
 * Asserts that a hook may be verified and returns its transition. Errors: `credential_unavailable`
 * for a hook that only a new configuration can reactivate.
 */
export const assertVerifiable = ({ alive, ...hook }: CheckedHook) =>
  getTransition(getStatus(alive ? hook : stopHook(hook)), 'verified');

/**
 * Returns the hook after its receiver proved that it has the secret. `head` is the newest event of
 * its agent, `at` the time in milliseconds. Errors: `credential_unavailable`.
 */
export function afterVerified(hook: CheckedHook, head: number, at: number): CheckedHook {
  const { status, notification } = assertVerifiable(hook);
  const resumed = notification === 'resumed' ? { attempts: 0, dueAt: toIso(at) } : {};
  // Events that arrived before the verification are announced as if they had arrived now.
  const awaited =
    hook.state === 'pending' && head > hook.cursor ? { dueAt: toIso(at + COALESCE_MS) } : {};
  return {
    ...hook,
    ...toStatusColumns(status),
    ...awaited,
    ...resumed,
    verifiedAt: toIso(at),
  };
}
