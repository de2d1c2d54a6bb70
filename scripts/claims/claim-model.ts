import type { Call, Model } from '../../test/support/linearizability.ts';

/** The length of all leases of the proof, in milliseconds: the shortest that there is. */
export const LEASE_MS = 5_000;

/** The wire has milliseconds and the database microseconds, so a lease ends up to 1 ms later. */
const ROUNDING_MS = 1;

/** What was asked of one request, and what came of it. */
export type ClaimOperation =
  | {
      readonly kind: 'claim';
      readonly agent: string;
      readonly outcome: ClaimOutcome;
      /** Since when it waited at which node, for a call that takes what comes next. */
      readonly waited?: Waited;
    }
  | {
      readonly kind: 'renew' | 'release' | 'answer';
      readonly agent: string;
      readonly fence: number;
      /** `unknown` for a call whose answer never came. */
      readonly outcome: 'done' | 'refused' | 'unknown';
      /** When the renewed lease ends. */
      readonly expiresAt?: number;
    };

/** Since when a caller waited, and at which node. */
export interface Waited {
  readonly since: number;
  readonly url: string;
}

/** What came of a claim. */
export type ClaimOutcome =
  | { readonly is: 'taken'; readonly fence: number; readonly expiresAt: number }
  /** Taken, but the answer came when the lease was over, and named neither fence nor expiry. */
  | { readonly is: 'lost' }
  | { readonly is: 'held' }
  | { readonly is: 'over' }
  | { readonly is: 'unknown' };

/** A request, as far as its history says. Times are those of this machine, as the database's. */
export interface RequestState {
  readonly phase: 'open' | 'held' | 'answered';
  /** The fence of the last claim. */
  readonly fence: number;
  readonly agent: string | null;
  /** The lease ends between these two, which differ only where no answer told. */
  readonly endsFrom: number;
  readonly endsTo: number;
  /** No later call took effect before this moment. */
  readonly now: number;
}

const initial: RequestState = {
  phase: 'open',
  fence: 0,
  agent: null,
  endsFrom: 0,
  endsTo: 0,
  now: 0,
};

/**
 * The states in which a request may be when a call takes effect: as it was, at the earliest moment,
 * and with its lease over, if that may be so before the call ends.
 */
function listMoments(state: RequestState, { start, end }: Call<ClaimOperation>): RequestState[] {
  const now = Math.max(state.now, start);
  if (now > end) return [];
  const moments: RequestState[] = [];
  if (state.phase !== 'held' || now < state.endsTo + ROUNDING_MS) moments.push({ ...state, now });
  const over = Math.max(now, state.endsFrom);
  if (state.phase === 'held' && over <= end)
    moments.push({ ...state, phase: 'open', agent: null, now: over });
  return moments;
}

function claim(
  state: RequestState,
  agent: string,
  outcome: ClaimOutcome,
  end: number,
): RequestState[] {
  const { phase, fence, now } = state;
  if (outcome.is === 'held') return phase === 'held' ? [state] : [];
  if (outcome.is === 'over') return phase === 'answered' ? [state] : [];
  if (phase !== 'open') return [];
  const taken = { ...state, phase: 'held' as const, agent, fence: fence + 1 };
  if (outcome.is !== 'taken')
    return [{ ...taken, endsFrom: now + LEASE_MS, endsTo: Math.min(end, 1e15) + LEASE_MS }];
  const { expiresAt } = outcome;
  // The lease began at a moment of this call, by the clock of the database.
  const began = expiresAt - LEASE_MS;
  const isOfDatabase = began >= now - ROUNDING_MS && began <= end + ROUNDING_MS;
  if (outcome.fence !== fence + 1 || !isOfDatabase) return [];
  return [{ ...taken, endsFrom: expiresAt, endsTo: expiresAt }];
}

/** A request as the contract has it (section 13), without its cancellation. */
export const claimModel: Model<RequestState, ClaimOperation> = {
  initial,
  next: (state, call) =>
    listMoments(state, call).flatMap((moment) => {
      const { operation, end } = call;
      if (operation.kind === 'claim') return claim(moment, operation.agent, operation.outcome, end);
      const { kind, agent, fence, outcome, expiresAt } = operation;
      const holds = moment.phase === 'held' && moment.agent === agent && moment.fence === fence;
      if (outcome === 'refused') return holds ? [] : [moment];
      if (!holds) return [];
      if (kind === 'answer') return [{ ...moment, phase: 'answered', agent: null }];
      if (kind === 'release') return [{ ...moment, phase: 'open', agent: null }];
      if (expiresAt === undefined) return [{ ...moment, endsTo: Math.min(end, 1e15) + LEASE_MS }];
      return [{ ...moment, endsFrom: expiresAt, endsTo: expiresAt }];
    }),
  describe: ({ phase, fence, agent, endsFrom, endsTo, now }) =>
    `${phase} ${fence} ${agent} ${endsFrom} ${endsTo} ${now}`,
};
