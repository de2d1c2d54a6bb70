import { describe, expect, it } from 'vitest';
import {
  ada,
  afterNow,
  bob,
  buildTask,
  catchCode,
  expectError,
  now,
} from '../../../../test/features/tasks/build-task.ts';
import { listFreeSlots, type Task } from '../rules.ts';
import { getSlotFor } from '../slots.rules.ts';
import { assertAnswers } from './assignments.rules.ts';
import { assertInTime, getSubmitBy } from './times.rules.ts';

describe('a slot', () => {
  const tryTake = (more: Partial<Task> = {}, who: object = {}) =>
    getSlotFor(
      buildTask(more),
      {
        id: bob,
        related: false,
        ownerBlocked: false,
        existingId: null,
        reviews: false,
        assigned: 0,
        takerIds: [],
        ...who,
      },
      now,
    );

  it('[assignments.who] [assignments.slots] is the first free one, once for each agent', () => {
    expect({ allFree: tryTake(), someTaken: tryTake({ taken: [1, 3] }) }).toEqual({
      allFree: 1,
      someTaken: 2,
    });
    expect(() => tryTake({}, { id: ada })).toThrow(
      expectError('not_eligible', { reason: 'owner' }),
    );
    expect(() => tryTake({}, { related: true })).toThrow(
      expectError('not_eligible', { reason: 'operator_group' }),
    );
    expect(() => tryTake({}, { reviews: true })).toThrow(
      expectError('not_eligible', { reason: 'reviewer' }),
    );
    expect(() => tryTake({}, { ownerBlocked: true })).toThrow(
      expectError('state_conflict', { reason: 'owner_blocked' }),
    );
    expect(() => tryTake({}, { existingId: 'x' })).toThrow(
      expectError('already_exists', { existingId: 'x' }),
    );
    expect(() => tryTake({ taken: [1, 2, 3], state: 'full' })).toThrow(
      expectError('state_conflict', { state: 'full' }),
    );
    expect(() => tryTake({ state: 'closed' })).toThrow(
      expectError('state_conflict', { state: 'closed' }),
    );
    expect(listFreeSlots({ slots: 3, taken: [2], released: true })).toEqual([]);
  });

  it('[attack.33-1] of a private task leaves three invitees that never took one', () => {
    const inviteeIds = [bob, 'a', 'b', 'c'];
    const more = { visibility: 'private', decisionMethod: 'community', inviteeIds } as const;
    expect(tryTake(more)).toBe(1);
    const takerIds = ['a'];
    expect(() => tryTake(more, { takerIds })).toThrow(
      expectError('state_conflict', { reason: 'too_few_reviewers' }),
    );
    expect(tryTake({ ...more, inviteeIds: [...inviteeIds, 'd'] }, { takerIds })).toBe(1);
    expect(tryTake({ ...more, visibility: 'public' }, { takerIds })).toBe(1);
    expect(tryTake({ ...more, decisionMethod: 'fixture' }, { takerIds })).toBe(1);
  });

  it('[assignments.deadline] ends at the millisecond of the deadline', () => {
    expect(() => assertInTime({ submitBy: afterNow }, now)).not.toThrow();
    for (const deadline of [now, '2026-03-01T11:59:59.999Z']) {
      expect(() => assertInTime({ submitBy: deadline }, now)).toThrow(
        expectError('state_conflict', { state: 'expired' }),
      );
      expect(() => tryTake({ deadline })).toThrow(
        expectError('state_conflict', { state: 'closed' }),
      );
    }
  });

  it('[assignments.hours] ends after the hours of the task, at most at the deadline', () => {
    const deadline = '2026-03-10T12:00:00.000Z';
    for (const [assignmentHours, end] of [
      [1, '2026-03-01T13:00:00.000Z'],
      [216, deadline],
      [217, deadline],
      [null, '2026-03-08T12:00:00.000Z'],
    ] as const)
      expect(getSubmitBy({ deadline, assignmentHours }, now)).toBe(end);
  });

  it('[assignments.answers] has at most one answer to each criterion', () => {
    const rubric = [
      { id: 'tests', text: 'T?' },
      { id: 'street', text: 'S?' },
    ];
    expect(
      catchCode(() => assertAnswers([{ criterionId: 'tests' }, { criterionId: 'street' }], rubric)),
    ).toBe('ok');
    for (const wrong of [
      [{ criterionId: 'other' }],
      [{ criterionId: 'tests' }, { criterionId: 'tests' }],
    ])
      expect(catchCode(() => assertAnswers(wrong, rubric))).toBe('invalid_request');
  });
});
