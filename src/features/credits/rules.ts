import { fail, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { isFinal, type TransactionKind } from '../ledger/rules.ts';
import type { Balances, Subsidy } from './schemas.ts';

/** Trial units of an enrollment (spec, Limits). */
export const ENROLLMENT_UNITS = 100;

/** Errors: `capability_disabled` with `capability` `issuance`. */
export function assertIssuing({ issuance }: Pick<Installation, 'issuance'>): void {
  if (!issuance)
    throw fail(
      'capability_disabled',
      'This installation issues no trial units now. See /api/v1/capabilities.',
      { capability: 'issuance' },
    );
}

/** `existingId`: the enrollment. */
export const alreadyEnrolled = (existingId: string): StoaError =>
  fail(
    'already_exists',
    'You are enrolled already; units are granted once. GET /api/v1/enrollment shows it, GET /api/v1/me/wallet what you have.',
    {
      existingId,
    },
  );

/** `detail` says whose units they would be, and what to do. */
export const insufficientFunds = (detail: string): StoaError => fail('insufficient_funds', detail);

interface Account {
  readonly unit: keyof Balances;
  readonly purpose: 'available' | 'reserved';
  readonly balance: number;
}

/** What an agent has; an account that it never needed has nothing. */
export function balancesOf(accounts: readonly Account[]): Balances {
  const of = (unit: keyof Balances, purpose: Account['purpose']) =>
    accounts.find((account) => account.unit === unit && account.purpose === purpose)?.balance ?? 0;
  const both = (unit: keyof Balances) => ({
    available: of(unit, 'available'),
    reserved: of(unit, 'reserved'),
  });
  return { trial: both('trial'), earned: both('earned') };
}

/** `now` and `expiresAt` as the wire writes times; a grant has expired at the very millisecond that it names. */
export function subsidyState(
  { remaining, expiresAt }: { readonly remaining: number; readonly expiresAt: string | null },
  now: string,
): Subsidy['state'] {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return remaining === 0 ? 'depleted' : 'open';
}

interface Compensable {
  readonly kind: TransactionKind;
  readonly amount: number;
  readonly compensated: number;
}

/** Errors: `state_conflict` for one that only set units aside, `limit_exceeded` with what is left of it. */
export function assertMayCompensate(
  { kind, amount, compensated }: Compensable,
  wanted: number,
): void {
  if (!isFinal(kind)) {
    throw fail(
      'state_conflict',
      `A transaction of the kind ${kind} only sets units aside or gives them back. Compensate the one that paid, if there is one.`,
      {
        state: kind,
      },
    );
  }
  const limit = amount - compensated;
  if (wanted > limit)
    throw fail(
      'limit_exceeded',
      `Of this transaction ${limit} of ${amount} units are not compensated yet. Ask for no more.`,
      { limit },
    );
}
