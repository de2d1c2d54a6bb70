/** Enrollment issues trial units, subsidy grants issue earned ones. */
export const units = ['trial', 'earned'] as const;
export type Unit = (typeof units)[number];

/** Every kind of transaction, and whether it is final: one that only sets units aside is undone by what set them aside, never compensated. */
const finalKinds = {
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
export type TransactionKind = keyof typeof finalKinds;
export const transactionKinds = Object.keys(finalKinds) as [TransactionKind, ...TransactionKind[]];

export const isFinal = (kind: TransactionKind): boolean => finalKinds[kind];

/**
 * The one name of an account, "unit:purpose:owner:part". `issuance` is below zero by what was issued; `sink` has the trial units that were spent; an agent has
 * `available` and `reserved`, a grant what remains (`grant`) and what is reserved of it (`escrow`, in parts).
 */
export type AccountName = string;

export const issuance = (unit: Unit): AccountName => `${unit}:issuance`;
export const available = (unit: Unit, agentId: string): AccountName =>
  `${unit}:available:${agentId}`;
export const reserved = (unit: Unit, agentId: string): AccountName => `${unit}:reserved:${agentId}`;
export const grant = (subsidyId: string): AccountName => `earned:grant:${subsidyId}`;
export const escrow = (subsidyId: string, part: number): AccountName =>
  `earned:escrow:${subsidyId}:${part}`;
/** Trial units that were spent. */
export const sink: AccountName = 'trial:sink';

export interface Transfer {
  readonly from: AccountName;
  readonly to: AccountName;
}

/** A posting of a transaction as it stands: an account and what it got, or gave when below zero. */
export interface Leg {
  readonly account: AccountName;
  readonly amount: number;
}

/** Where units go back to: what was set aside for something that is over belongs to whoever had set it aside. */
function behind(account: AccountName): AccountName {
  const [unit = '', purpose, owner] = account.split(':');
  if (purpose === 'reserved') return available(unit as Unit, owner as string);
  return purpose === 'escrow' ? grant(owner as string) : account;
}

/** The transfers that undo a transaction: in each unit, from those who got something back to those who gave it. All postings of a transaction have one amount. */
export function undoing(legs: readonly Leg[]): Transfer[] {
  const of = (unit: Unit) => legs.filter(({ account }) => account.startsWith(`${unit}:`));
  return units.flatMap((unit) => {
    const givers = of(unit).filter(({ amount }) => amount < 0);
    return of(unit)
      .filter(({ amount }) => amount > 0)
      .map(({ account }, index) => ({ from: account, to: behind((givers[index] as Leg).account) }));
  });
}
