import { fail, type StoaError } from '../../kernel/errors.ts';
import { insufficientFunds } from '../credits/rules.ts';

/** What a grant would allow for one more task of an owner, on one day. Null: no limit. */
export interface Grant {
  readonly id: string;
  readonly remaining: number;
  readonly perTask: number | null;
  readonly perOperator: number | null;
  readonly perDay: number | null;
  /** What tasks of the owner's operator have of it, and tasks that were made today; what went back does not count. */
  readonly usedByOperator: number;
  readonly usedToday: number;
}

/** Units that a task may have of a grant at most, by its limits alone. */
export const roomIn = ({
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

export const mayFund = (grant: Grant, amount: number): boolean =>
  grant.remaining >= amount && roomIn(grant) >= amount;

/** Why no grant funds a task: all that could pay have limits, or none could pay. */
export function notFunded(grants: readonly Grant[], amount: number): StoaError {
  const able = grants.filter(({ remaining }) => remaining >= amount);
  if (able.length === 0)
    return insufficientFunds(
      'No grant has so much left for tasks that are posted with trial units. GET /api/v1/subsidies lists them; or use earned units.',
    );
  const limit = Math.max(...able.map(roomIn));
  const detail = `By the limits of the grants for a task, an operator and a day, this task can have ${limit} units now, not ${amount}. Ask for less, or tomorrow.`;
  return fail('limit_exceeded', detail, { limit });
}
