import { fail } from '../../kernel/errors.ts';

/** States of a webhook as they are stored and sent. */
export const hookStates = ['pending', 'active', 'failed'] as const;
/** The state of a webhook. */
export type HookState = (typeof hookStates)[number];

/** Reasons for which a webhook is `failed`. */
export const hookErrors = ['delivery_failed', 'credential_unavailable'] as const;
/** The reason for which a webhook is `failed`. */
export type HookError = (typeof hookErrors)[number];

/** Failed attempts after which a hook is `failed`. */
export const MAX_ATTEMPTS = 8;

/** A row or column of the spec's table: the state, with `failed` split by `lastError`. */
export type HookStatus = 'none' | 'pending' | 'active' | HookError;

/** The status of a hook that exists. */
type StoredStatus = Exclude<HookStatus, 'none'>;

/** Events that change the status of a hook. */
export type HookTrigger =
  | 'configured'
  | 'repeated'
  | 'verified'
  | 'exhausted'
  | 'credentialLost'
  | 'deleted';

/** What happens to the notification that is owed. */
type NotificationChange = 'none' | 'kept' | 'resumed' | 'discarded';

/** The next status of a hook, and what happens to its notification. */
export interface HookTransition<Status extends HookStatus = HookStatus> {
  readonly status: Status;
  readonly notification: NotificationChange;
}

/** Only deletion leads to no hook at all. */
type StatusAfter<Trigger extends HookTrigger> = Trigger extends 'deleted' ? 'none' : StoredStatus;

type TransitionTable = {
  readonly [Trigger in HookTrigger]: Readonly<
    Partial<Record<HookStatus, HookTransition<StatusAfter<Trigger>>>>
  >;
};

const buildTransition = <const Status extends HookStatus>(
  status: Status,
  notification: NotificationChange,
): HookTransition<Status> => ({ status, notification });
const reconfigured = buildTransition('pending', 'discarded');
const removed = buildTransition('none', 'discarded');
const credentialLost = buildTransition('credential_unavailable', 'kept');

/**
 * The spec's table (States and transitions): for each trigger, the transition from each status.
 * What is missing cannot happen. `configured` is a PUT that changes url, secret or credential;
 * `repeated` is one that changes nothing (a credential that was lost never counts as the same).
 * `exhausted` is the eighth failed attempt.
 */
const transitions: TransitionTable = {
  configured: {
    none: buildTransition('pending', 'none'),
    pending: reconfigured,
    active: reconfigured,
    delivery_failed: reconfigured,
    credential_unavailable: reconfigured,
  },
  repeated: {
    pending: buildTransition('pending', 'kept'),
    active: buildTransition('active', 'kept'),
    delivery_failed: buildTransition('delivery_failed', 'kept'),
  },
  verified: {
    pending: buildTransition('active', 'kept'),
    active: buildTransition('active', 'kept'),
    delivery_failed: buildTransition('active', 'resumed'),
  },
  exhausted: {
    pending: buildTransition('delivery_failed', 'kept'),
    active: buildTransition('delivery_failed', 'kept'),
  },
  credentialLost: {
    pending: credentialLost,
    active: credentialLost,
    delivery_failed: credentialLost,
    credential_unavailable: credentialLost,
  },
  deleted: {
    none: buildTransition('none', 'none'),
    pending: removed,
    active: removed,
    delivery_failed: removed,
    credential_unavailable: removed,
  },
};

/**
 * Returns the transition of a hook. Errors: `credential_unavailable` for a hook that only a new
 * configuration can reactivate.
 */
export function getTransition<Trigger extends HookTrigger>(
  status: HookStatus,
  trigger: Trigger,
): HookTransition<StatusAfter<Trigger>> {
  const found = transitions[trigger][status];
  if (found) return found;
  throw fail(
    'credential_unavailable',
    'The key that configured this webhook no longer works. Configure it again with a current ' +
      'key: {op:putWebhook}.',
  );
}

interface StatusColumns {
  readonly state: HookState;
  readonly lastError: HookError | null;
}

/** Returns the status that the columns of a hook store. */
export const getStatus = ({ state, lastError }: StatusColumns): HookStatus =>
  state === 'failed' && lastError ? lastError : state === 'active' ? 'active' : 'pending';

/** Converts a status to the columns that store it. */
export const toStatusColumns = (status: StoredStatus): StatusColumns =>
  status === 'pending' || status === 'active'
    ? { state: status, lastError: null }
    : { state: 'failed', lastError: status };
