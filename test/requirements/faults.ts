import type { Requirements } from './requirement.ts';

/** The harness that proves that nothing is lost while faults strike. */
export const faults: Requirements = {
  'faults.plan': {
    source: 'issue 22.4',
    text: 'A seed has the same plan of faults everywhere, and seeds have every kind of fault.',
  },
  'faults.relay': {
    source: 'issue 22.1',
    text: 'Connections are cut at any byte, and between a COMMIT and its answer.',
  },
  'faults.planted': {
    source: 'issue 22.4',
    text: 'Planted faults fit the program as it is, and the program that is shipped has none.',
  },
};
