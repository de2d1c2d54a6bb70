import type { StateMachine } from '../../kernel/records/versioned.ts';

/** The states of a request, in the order of its life. */
export const requestStates = ['open', 'claimed', 'answered', 'cancelled'] as const;
/** The state of a request. */
export type RequestState = (typeof requestStates)[number];

/** The triggers of transitions between these states. */
export type RequestTrigger = 'claim' | 'renew' | 'release' | 'expire' | 'answer' | 'cancel';

/**
 * The table of section 13 of the contract. `release` stands for everything that takes a claim from
 * its holder before its time: giving it back, leaving, removal, block and archiving. A claim whose
 * time is over counts as `open` from that moment on. Final states have no triggers.
 */
export const requestMachine: StateMachine<RequestState, RequestTrigger> = {
  open: { claim: 'claimed', cancel: 'cancelled' },
  claimed: {
    renew: 'claimed',
    release: 'open',
    expire: 'open',
    answer: 'answered',
    cancel: 'cancelled',
  },
  answered: {},
  cancelled: {},
};
