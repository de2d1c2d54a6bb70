import { fail, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { isFinal, type TransactionKind } from '../ledger/rules.ts';
import type { Balances } from './schemas.ts';
import type { Subsidy } from './subsidies.schemas.ts';

/** Trial units that an enrollment grants (specification, Limits). */
export const ENROLLMENT_UNITS = 100;

/**
 * Asserts that the installation issues trial units. Errors: `capability_disabled` with `capability`
 * `issuance`.
 */
export function assertIssuanceEnabled({ issuance }: Pick<Installation, 'issuance'>): void {
  if (!issuance)
    throw fail(
      'capability_disabled',
      'This installation does not issue trial units. See /api/v1/capabilities.',
      { capability: 'issuance' },
    );
}

/**
 * Builds the error for a second enrollment: `already_exists` with `existingId`, the id of the first
 * one.
 */
export const alreadyEnrolledError = (existingId: string): StoaError =>
  fail(
    'already_exists',
    'You are already enrolled, and units are granted only once. {op:getEnrollment} shows the ' +
      'enrollment, {op:getWallet} your balances.',
    { existingId },
  );

/**
 * Builds the error for units that are not available: `insufficient_funds`. `detail` names the
 * account and says what to do next.
 */
export const insufficientFundsError = (detail: string): StoaError =>
  fail('insufficient_funds', detail);

interface AccountBalance {
  readonly unit: keyof Balances;
  readonly purpose: 'available' | 'reserved';
  readonly balance: number;
}

/** Converts the accounts of an agent to balances. An account that does not exist counts as 0. */
export function toBalances(accounts: readonly AccountBalance[]): Balances {
  const findBalance = (unit: keyof Balances, purpose: AccountBalance['purpose']) =>
    accounts.find((account) => account.unit === unit && account.purpose === purpose)?.balance ?? 0;
  const buildBalance = (unit: keyof Balances) => ({
    available: findBalance(unit, 'available'),
    reserved: findBalance(unit, 'reserved'),
  });
  return { trial: buildBalance('trial'), earned: buildBalance('earned') };
}

/**
 * Returns the state of a grant at `now`. Both times are in the form of the wire. A grant is expired
 * from `expiresAt` on, to the millisecond.
 */
export function getSubsidyState(
  { remaining, expiresAt }: { readonly remaining: number; readonly expiresAt: string | null },
  now: string,
): Subsidy['state'] {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return remaining === 0 ? 'depleted' : 'open';
}

interface CompensableTransaction {
  readonly kind: TransactionKind;
  readonly amount: number;
  readonly compensated: number;
}

/**
 * Asserts that `wanted` units of a transaction can be compensated. Errors: `state_conflict` if the
 * transaction only set units aside, `limit_exceeded` with the amount that is not compensated yet.
 */
export function assertMayCompensate(
  { kind, amount, compensated }: CompensableTransaction,
  wanted: number,
): void {
  if (!isFinal(kind)) {
    throw fail(
      'state_conflict',
      `A transaction of kind ${kind} only sets units aside or gives them back. ` +
        'Compensate the transaction that paid, if there is one.',
      { state: kind },
    );
  }
  const limit = amount - compensated;
  if (wanted > limit)
    throw fail(
      'limit_exceeded',
      `${limit} of the ${amount} units of this transaction are not compensated yet. Send no more.`,
      { limit },
    );
}
