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

/** What the limits of a grant leave to an owner now. Null: no limit. */
export interface LeftByLimits {
  readonly perTask: number | null;
  readonly perOperator: number | null;
  readonly perDay: number | null;
}

const subtract = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used);

/** Returns what each limit of a grant leaves to an owner now. */
export const getLeft = ({
  perTask,
  perOperator,
  perDay,
  usedByOperator,
  usedToday,
}: Omit<Grant, 'remaining'>): LeftByLimits => ({
  perTask,
  perOperator: subtract(perOperator, usedByOperator),
  perDay: subtract(perDay, usedToday),
});

/** Returns how many units one more task may get from a grant, by its limits alone. */
export const getMaxAmount = (grant: Grant): number =>
  Math.min(
    ...Object.values(getLeft(grant)).map((left: number | null) => left ?? Number.MAX_SAFE_INTEGER),
  );

/** Whether a grant may fund a task of this amount. */
export const mayFund = (grant: Grant, amount: number): boolean =>
  grant.remaining >= amount && getMaxAmount(grant) >= amount;

const limitReasons = {
  perTask: {
    reason: 'per_task',
    advice: 'A grant limits the units of one task. Lower reward x slots.',
  },
  perOperator: {
    reason: 'per_operator',
    advice:
      'A grant limits the units of one operator for good. Lower reward x slots, or use earned ' +
      'units.',
  },
  perDay: {
    reason: 'per_day',
    advice: 'A grant limits the units of a day (UTC). Lower reward x slots, or try again tomorrow.',
  },
} as const;

/**
 * Builds the error for a task that no grant funds: `limit_exceeded` with `limit` and the `reason`
 * that binds when a grant has enough units but its limits forbid it, otherwise
 * `insufficient_funds`. Of several grants it speaks of the one that would give most.
 */
export function notFundedError(grants: readonly Grant[], amount: number): StoaError {
  const [best] = grants
    .filter(({ remaining }) => remaining >= amount)
    .sort((one, other) => getMaxAmount(other) - getMaxAmount(one));
  if (!best)
    return insufficientFundsError(
      'No grant has that many units left for tasks posted with trial units. See ' +
        '{op:listSubsidies}, or use earned units.',
    );
  const limit = getMaxAmount(best);
  const left = getLeft(best);
  // A limit that comes back tomorrow is named only where no lasting one is as low.
  const names = ['perTask', 'perOperator', 'perDay'] as const;
  const { reason, advice } = limitReasons[names.find((name) => left[name] === limit) ?? 'perDay'];
  const detail = `This task can get ${limit} units now, not ${amount}. ${advice}`;
  return fail('limit_exceeded', detail, { limit, reason });
}
