/** The kinds of units. Enrollment issues trial units, and subsidy grants issue earned ones. */
export const creditUnits = ['trial', 'earned'] as const;
/** A kind of units. */
export type CreditUnit = (typeof creditUnits)[number];

/**
 * Every kind of transaction, and whether it is final. A transaction that only reserves units is not
 * final: the record that reserved them releases them, and it is never compensated.
 */
const finalByKind = {
  'credits.enrolled': true,
  'subsidy.granted': true,
  'offer.reserved': false,
  'offer.accepted': true,
  'offer.released': false,
  'task.funded': false,
  'task.paid': true,
  'task.returned': false,
  compensation: true,
} as const;
/** A kind of transaction. */
export type TransactionKind = keyof typeof finalByKind;
/** All kinds of transactions. */
export const transactionKinds = Object.keys(finalByKind) as [TransactionKind, ...TransactionKind[]];

/** Whether transactions of this kind are final, so that they can be compensated. */
export const isFinal = (kind: TransactionKind): boolean => finalByKind[kind];

/**
 * The unique name of an account, "unit:purpose:owner:part". The balance of `issuance` is the
 * negative of the issued units, and `sink` has the trial units that were spent. An agent has
 * `available` and `reserved` accounts. A grant has one account for the remaining units (`grant`)
 * and one for each part that is reserved (`escrow`).
 */
export type AccountName = string;

/** Builds the name of the account that issues units. */
export const issuanceAccount = (unit: CreditUnit): AccountName => `${unit}:issuance`;
/** Builds the name of the account with an agent's available units. */
export const availableAccount = (unit: CreditUnit, agentId: string): AccountName =>
  `${unit}:available:${agentId}`;
/** Builds the name of the account with an agent's reserved units. */
export const reservedAccount = (unit: CreditUnit, agentId: string): AccountName =>
  `${unit}:reserved:${agentId}`;
/** Builds the name of the account with the remaining units of a grant. */
export const grantAccount = (subsidyId: string): AccountName => `earned:grant:${subsidyId}`;
/** Builds the name of the account with a reserved part of a grant. */
export const escrowAccount = (subsidyId: string, part: number): AccountName =>
  `earned:escrow:${subsidyId}:${part}`;
/** The name of the account with the trial units that were spent. */
export const sinkAccount: AccountName = 'trial:sink';

/** A movement of units from one account to another. */
export interface Transfer {
  readonly from: AccountName;
  readonly to: AccountName;
}

/** A posting of a transaction: an account and the amount that it received, or gave if negative. */
export interface Leg {
  readonly account: AccountName;
  readonly amount: number;
}

/**
 * Finds the account to which units return. Units that were reserved return to the account that
 * reserved them, because the record that they were reserved for is closed.
 */
function findReturnAccount(account: AccountName): AccountName {
  const [unit, purpose, owner = ''] = account.split(':');
  if (purpose === 'reserved') return availableAccount(unit as CreditUnit, owner);
  return purpose === 'escrow' ? grantAccount(owner) : account;
}

/**
 * Builds the transfers that undo a transaction: in each unit, from the accounts that received
 * something back to those that gave it. All postings of a transaction have the same amount, so each
 * receiver is paired with one giver.
 */
export function buildReversal(legs: readonly Leg[]): Transfer[] {
  const filterByUnit = (unit: CreditUnit) =>
    legs.filter(({ account }) => account.startsWith(`${unit}:`));
  return creditUnits.flatMap((unit) => {
    const givers = filterByUnit(unit).filter(({ amount }) => amount < 0);
    const receivers = filterByUnit(unit).filter(({ amount }) => amount > 0);
    return receivers.map(({ account }, index) => {
      const giver = givers[index];
      if (!giver) throw new Error('A transaction has more receivers than givers.');
      return { from: account, to: findReturnAccount(giver.account) };
    });
  });
}
