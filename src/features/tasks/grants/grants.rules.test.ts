import { describe, expect, it } from 'vitest';
import { type Grant, getMaxAmount, mayFund, notFundedError } from './grants.rules.ts';

const buildGrant = (more: Partial<Grant> = {}): Grant => ({
  id: 'g',
  remaining: 100,
  perTask: null,
  perOperator: null,
  perDay: null,
  usedByOperator: 0,
  usedToday: 0,
  ...more,
});
describe('grants', () => {
  it.each([
    [{}, 100, true],
    [{}, 101, false],
    [{ remaining: 9 }, 10, false],
    [{ perTask: 10 }, 10, true],
    [{ perTask: 9 }, 10, false],
    [{ perOperator: 30, usedByOperator: 20 }, 10, true],
    [{ perOperator: 29, usedByOperator: 20 }, 10, false],
    [{ perDay: 30, usedToday: 20 }, 10, true],
    [{ perDay: 29, usedToday: 20 }, 10, false],
    [{ perTask: 10, perOperator: 10, perDay: 9 }, 10, false],
    [{ perOperator: 5, usedByOperator: 9 }, 1, false],
  ] as const)('[tasks.limits] of a grant %j allow %i: %s', (more, amount, allowed) => {
    expect(mayFund(buildGrant(more), amount)).toBe(allowed);
    expect(getMaxAmount(buildGrant(more))).toBeGreaterThanOrEqual(0);
  });

  it('[tasks.limits] [tasks.depleted] report the highest limit, or that none has enough', () => {
    expect(notFundedError([], 5)).toMatchObject({ code: 'insufficient_funds' });
    expect(notFundedError([buildGrant({ remaining: 4 })], 5)).toMatchObject({
      code: 'insufficient_funds',
    });
    expect(
      notFundedError(
        [
          buildGrant({ perTask: 4 }),
          buildGrant({ perDay: 9, usedToday: 6 }),
          buildGrant({ remaining: 4 }),
        ],
        5,
      ),
    ).toMatchObject({
      code: 'limit_exceeded',
      members: { limit: 4, reason: 'per_task' },
    });
  });
});
