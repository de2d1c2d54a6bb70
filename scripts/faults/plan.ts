import { createRandom } from '../../bench/content/varied-text.ts';

/** The kinds of faults, each with what it does. */
export const faultKinds = {
  'kill-node': 'SIGKILL of a node, which starts again with another clock',
  'stop-node': 'SIGSTOP of a node',
  'end-node': 'SIGTERM of a node with work in hand, which starts again',
  'kill-database': 'SIGKILL of the database',
  'stop-database': 'SIGSTOP of the database',
  'restart-database': 'a fast shutdown and a start of the database',
  'kill-both': 'SIGKILL of the database and of a node',
  'cut-clients': 'connections between clients and a node are cut at any byte',
  'cut-database': 'connections between a node and the database are cut at any byte',
  'lose-commits': 'connections to the database are cut when a COMMIT went out, before its answer',
  'cut-store': 'connections between a node and the store of files are cut at any byte',
  'cut-receiver': 'connections between a node and receivers of hints are cut at any byte',
  'bad-receiver': 'receivers of hints are slow, refuse, redirect or answer nonsense',
  'serialization-failure': 'statements fail with serialization_failure',
  deadlock: 'statements fail with deadlock_detected',
  'full-disk': 'statements fail because the disk is full',
  'fail-commits': 'COMMIT fails',
  upgrade: 'the schema is migrated and one node after the other starts with the new program',
} as const;

/** A kind of fault. */
export type FaultKind = keyof typeof faultKinds;

/** A fault, and when it strikes. */
export interface PlannedFault {
  /** Milliseconds from the end of the fault before. */
  readonly after: number;
  readonly kind: FaultKind;
  /** Which node it is about, counted from 0. */
  readonly node: number;
  /** How long it lasts, in milliseconds. */
  readonly length: number;
  /** By how many seconds the clock of a node that starts again is wrong. */
  readonly clockOffset: number;
  /** A number of its own from 0 to 1: how soon connections are cut, how many statements fail. */
  readonly strength: number;
}

/** An upgrade happens once, and only where the nodes run an older program. */
const names = (Object.keys(faultKinds) as FaultKind[]).filter((kind) => kind !== 'upgrade');
const MAX_CLOCK_OFFSET_SECONDS = 600;

/** Adds an upgrade in the middle of a plan. */
export const withUpgrade = (plan: readonly PlannedFault[]): readonly PlannedFault[] => {
  const middle = Math.floor(plan.length / 2);
  const upgrade = { after: 500, node: 0, length: 0, clockOffset: 0, strength: 0 };
  return [...plan.slice(0, middle), { ...upgrade, kind: 'upgrade' }, ...plan.slice(middle)];
};

/** Plans the faults of a seed. The same seed has the same plan everywhere. */
export function planFaults(seed: number, count: number, nodes: number): readonly PlannedFault[] {
  const random = createRandom(seed);
  // The first numbers of near seeds are near.
  for (let nr = 0; nr < 8; nr++) random.next();
  return Array.from({ length: count }, () => ({
    after: 200 + random.pickInt(800),
    kind: random.pickOne(names),
    node: random.pickInt(nodes),
    length: 300 + random.pickInt(1_500),
    clockOffset: random.pickInt(2 * MAX_CLOCK_OFFSET_SECONDS) - MAX_CLOCK_OFFSET_SECONDS,
    strength: random.next(),
  }));
}
