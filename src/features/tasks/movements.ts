import {
  available,
  escrow,
  grant,
  reserved,
  sink,
  type TransactionKind,
  type Transfer,
} from '../ledger/rules.ts';
import type { Task } from './rules.ts';

/** Of an escrow: so a grant that pays for many tasks at once is not one row that all of them wait for. */
const PARTS = 16;

type Funded = Pick<Task, 'id' | 'ownerId' | 'fundingUnit' | 'subsidyId'>;

export interface Movement {
  readonly kind: TransactionKind;
  readonly reference: string;
  readonly amount: number;
  readonly transfers: readonly Transfer[];
}

const escrowOf = ({ id, subsidyId }: Pick<Funded, 'id' | 'subsidyId'>) =>
  escrow(subsidyId as string, Number.parseInt(id.slice(-1), 16) % PARTS);

/** Where the pay of a task waits. */
const purse = (task: Funded) =>
  task.fundingUnit === 'earned' ? reserved('earned', task.ownerId) : escrowOf(task);

/** What sets units of a task aside: the owner's own, or a grant's while as many trial units are spent. */
const setAside = (task: Funded): Transfer[] => {
  const { fundingUnit, ownerId, subsidyId } = task;
  if (fundingUnit === 'earned') return [{ from: available('earned', ownerId), to: purse(task) }];
  return [
    { from: available('trial', ownerId), to: sink },
    { from: grant(subsidyId as string), to: purse(task) },
  ];
};

/** For all slots at once. */
export const funding = (task: Funded & Pick<Task, 'reward' | 'slots'>): Movement => ({
  kind: 'task.funded',
  reference: `task:${task.id}:funded`,
  amount: task.reward * task.slots,
  transfers: setAside(task),
});

/** Paid or given back, a slot has one reference: the ledger lets only one of them happen, once. */
const ofSlot = (task: Pick<Task, 'id' | 'reward'>, slot: number) => ({
  reference: `task:${task.id}:slot:${slot}`,
  amount: task.reward,
});

export const paying = (
  task: Funded & Pick<Task, 'reward'>,
  slot: number,
  workerId: string,
): Movement => ({
  kind: 'task.paid',
  ...ofSlot(task, slot),
  transfers: [{ from: purse(task), to: available('earned', workerId) }],
});

export const returning = (task: Funded & Pick<Task, 'reward'>, slot: number): Movement => ({
  kind: 'task.returned',
  ...ofSlot(task, slot),
  transfers: setAside(task).map(({ from, to }) => ({ from: to, to: from })),
});
