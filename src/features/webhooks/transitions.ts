import { fail } from '../../kernel/errors.ts';

export const hookStates = ['pending', 'active', 'failed'] as const;
export type HookState = (typeof hookStates)[number];

export const hookErrors = ['delivery_failed', 'credential_unavailable'] as const;
export type HookError = (typeof hookErrors)[number];

/** Unsuccessful attempts before a hook is `failed`. */
export const ATTEMPTS = 8;

/** Where a hook stands; `failed` has two kinds, told apart by `lastError`. */
export type Standing = 'none' | 'pending' | 'active' | HookError;

export type Trigger =
  | 'configured'
  | 'repeated'
  | 'verified'
  | 'exhausted'
  | 'credentialLost'
  | 'deleted';

/** What becomes of the notification that is owed. */
type Fate = 'none' | 'kept' | 'resumed' | 'discarded';

export interface Next {
  readonly standing: Standing;
  readonly notification: Fate;
}

const to = (standing: Standing, notification: Fate): Next => ({ standing, notification });
const fresh = to('pending', 'discarded');
const absent = to('none', 'discarded');
const lost = to('credential_unavailable', 'kept');

/**
 * The spec's table (States and transitions), a line a trigger: from where it leads where. What is not here cannot happen.
 * `configured` is a PUT with another url, secret or credential than before, `repeated` one with the same (a credential that was lost is never the same);
 * `exhausted` is the eighth unsuccessful attempt.
 */
const table: Readonly<Record<Trigger, Partial<Record<Standing, Next>>>> = {
  configured: {
    none: to('pending', 'none'),
    pending: fresh,
    active: fresh,
    delivery_failed: fresh,
    credential_unavailable: fresh,
  },
  repeated: {
    pending: to('pending', 'kept'),
    active: to('active', 'kept'),
    delivery_failed: to('delivery_failed', 'kept'),
  },
  verified: {
    pending: to('active', 'kept'),
    active: to('active', 'kept'),
    delivery_failed: to('active', 'resumed'),
  },
  exhausted: { pending: to('delivery_failed', 'kept'), active: to('delivery_failed', 'kept') },
  credentialLost: {
    pending: lost,
    active: lost,
    delivery_failed: lost,
    credential_unavailable: lost,
  },
  deleted: {
    none: to('none', 'none'),
    pending: absent,
    active: absent,
    delivery_failed: absent,
    credential_unavailable: absent,
  },
};

/** Where a hook goes. Errors: `credential_unavailable` for one that only a new configuration can bring back. */
export function next(standing: Standing, trigger: Trigger): Next {
  const found = table[trigger][standing];
  if (found) return found;
  throw fail(
    'credential_unavailable',
    'The key that configured this webhook does not work any more. Configure it again with a current one: PUT /api/v1/me/webhook.',
  );
}

interface Stated {
  readonly state: HookState;
  readonly lastError: HookError | null;
}

export const standingOf = ({ state, lastError }: Stated): Standing =>
  state === 'failed' && lastError ? lastError : state === 'active' ? 'active' : 'pending';

/** The columns of a standing. */
export const stated = (standing: Exclude<Standing, 'none'>): Stated =>
  standing === 'pending' || standing === 'active'
    ? { state: standing, lastError: null }
    : { state: 'failed', lastError: standing };
