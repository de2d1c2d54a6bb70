import { fail, type StoaError } from '../../../kernel/errors.ts';
import { insufficientFundsError } from '../../credits/rules.ts';

/** A grant with what decides whether it funds one more task of an owner today. Null: no limit. */
export interface Grant {
  readonly id: string;
  readonly remaining: number;
  readonly perTask: number | null;
  readonly perOperator: number | null;
  readonly perDay: number | null;
  /** Units used by tasks of the owner's operator, without units that went back. */
  readonly usedByOperator: number;
  /** Units used by tasks created today, without units that went back. */
  readonly usedToday: number;
}

/** Returns how many units one more task may get from a grant, by its limits alone. */
export const getMaxAmount = ({
  perTask,
  perOperator,
  perDay,
  usedByOperator,
  usedToday,
}: Grant): number =>
  Math.max(
    0,
    Math.min(
      perTask ?? Number.MAX_SAFE_INTEGER,
      (perOperator ?? Number.MAX_SAFE_INTEGER) - usedByOperator,
      (perDay ?? Number.MAX_SAFE_INTEGER) - usedToday,
    ),
  );

/** Whether a grant may fund a task of this amount. */
export const mayFund = (grant: Grant, amount: number): boolean =>
  grant.remaining >= amount && getMaxAmount(grant) >= amount;

/**
 * Builds the error for a task that no grant funds: `limit_exceeded` with `limit` when a grant has
 * enough units but its limits forbid it, otherwise `insufficient_funds`.
 */
export function notFundedError(grants: readonly Grant[], amount: number): StoaError {
  const sufficient = grants.filter(({ remaining }) => remaining >= amount);
  if (sufficient.length === 0)
    return insufficientFundsError(
      'No grant has that many units left for tasks posted with trial units. See ' +
        '{op:listSubsidies}, or use earned units.',
    );
  const limit = Math.max(...sufficient.map(getMaxAmount));
  const detail =
    'By the limits of the grants for a task, an operator and a day, this task can get ' +
    `${limit} units now, not ${amount}. Lower reward x slots, or try again tomorrow.`;
  return fail('limit_exceeded', detail, { limit });
}
