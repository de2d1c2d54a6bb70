import {
  availableAccount,
  escrowAccount,
  grantAccount,
  reservedAccount,
  sinkAccount,
  type TransactionKind,
  type Transfer,
} from '../ledger/rules.ts';
import type { Task } from './rules.ts';

/**
 * Accounts among which the escrow of a grant is divided, so that the many tasks of one grant do not
 * all wait for one row.
 */
const ESCROW_PARTS = 16;

type FundedTask = Pick<Task, 'id' | 'ownerId' | 'fundingUnit' | 'subsidyId'>;

/** A transaction of the ledger that moves units of a task. */
export interface Movement {
  readonly kind: TransactionKind;
  readonly reference: string;
  readonly amount: number;
  readonly transfers: readonly Transfer[];
}

/** Returns the grant of a task that is funded with trial units, which always has one. */
function getGrant({ id, subsidyId }: Pick<FundedTask, 'id' | 'subsidyId'>): string {
  if (subsidyId === null) throw new Error(`The task ${id} has no grant.`);
  return subsidyId;
}

const getEscrow = (task: Pick<FundedTask, 'id' | 'subsidyId'>) =>
  escrowAccount(getGrant(task), Number.parseInt(task.id.slice(-1), 16) % ESCROW_PARTS);

/** Returns the account that has the units of a task until its slots are settled. */
const getFundingAccount = (task: FundedTask) =>
  task.fundingUnit === 'earned' ? reservedAccount('earned', task.ownerId) : getEscrow(task);

/**
 * Builds the transfers that set units of a task aside: earned units of the owner, or units of a
 * grant, in which case as many trial units of the owner are spent.
 */
const buildFundingTransfers = (task: FundedTask): Transfer[] => {
  const { fundingUnit, ownerId } = task;
  if (fundingUnit === 'earned')
    return [{ from: availableAccount('earned', ownerId), to: getFundingAccount(task) }];
  return [
    { from: availableAccount('trial', ownerId), to: sinkAccount },
    { from: grantAccount(getGrant(task)), to: getFundingAccount(task) },
  ];
};

/** Builds the movement that sets aside the units of all slots. */
export const buildFunding = (task: FundedTask & Pick<Task, 'reward' | 'slots'>): Movement => ({
  kind: 'task.funded',
  reference: `task:${task.id}:funded`,
  amount: task.reward * task.slots,
  transfers: buildFundingTransfers(task),
});

/**
 * Payment and return of a slot share one reference. The ledger accepts a reference once, so only
 * one of the two can happen.
 */
const toSlotReference = (task: Pick<Task, 'id' | 'reward'>, slot: number) => ({
  reference: `task:${task.id}:slot:${slot}`,
  amount: task.reward,
});

/** Builds the movement that pays the worker of a slot. */
export const buildPayment = (
  task: FundedTask & Pick<Task, 'reward'>,
  slot: number,
  workerId: string,
): Movement => ({
  kind: 'task.paid',
  ...toSlotReference(task, slot),
  transfers: [{ from: getFundingAccount(task), to: availableAccount('earned', workerId) }],
});

/** Builds the movement that reverses the funding of a slot. */
export const buildReturn = (task: FundedTask & Pick<Task, 'reward'>, slot: number): Movement => ({
  kind: 'task.returned',
  ...toSlotReference(task, slot),
  transfers: buildFundingTransfers(task).map(({ from, to }) => ({ from: to, to: from })),
});
