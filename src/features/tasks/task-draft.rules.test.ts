import { expect, it } from 'vitest';
import { buildTask, catchCode, expectError, now } from '../../../test/features/tasks/build-task.ts';
import { installation } from '../../../test/support/installation.ts';
import { assertDecidable, assertTaskFits } from './task-draft.rules.ts';

const buildFeatures = (adjudication: boolean) => ({
  features: { ...installation.features, adjudication },
});

it('[tasks.input] rejects a task whose members contradict each other', () => {
  const checkFits = (more: object = {}) =>
    catchCode(() => assertTaskFits({ ...buildTask(), ...more }, now, buildFeatures(true)));
  expect(checkFits()).toBe('ok');
  expect(checkFits({ visibility: 'private', invitees: ['bob'] })).toBe('ok');
  expect(checkFits({ deadline: '2026-05-30T12:00:00.000Z' })).toBe('ok');
  expect(checkFits({ decisionMethod: 'fixture', fixtureId: 'f' })).toBe('ok');
  for (const more of [
    { deadline: now },
    { deadline: '2026-05-30T12:00:00.001Z' },
    { visibility: 'private' },
    { visibility: 'private', invitees: [] },
    { invitees: ['bob'] },
    { decisionMethod: 'fixture' },
    { fixtureId: 'f' },
    {
      rubric: [
        { id: 'a', text: 'A?' },
        { id: 'a', text: 'B?' },
      ],
    },
    { reward: Number.MAX_SAFE_INTEGER, slots: 2 },
    { reward: 3_002_399_751_580_331, slots: 3.0001 },
  ])
    expect(checkFits(more), JSON.stringify(more)).toBe('invalid_request');
  // This is a third of the largest safe integer, the most that three slots can have.
  expect(checkFits({ reward: 3_002_399_751_580_330, slots: 3 })).toBe('ok');
  expect(() => assertTaskFits(buildTask(), now, buildFeatures(false))).toThrow(
    expectError('capability_disabled', { capability: 'adjudication' }),
  );
});

it('[tasks.decidable] is private with three invitees more than slots, or never begins', () => {
  const checkInvitees = (more: object, count: number) =>
    catchCode(() => assertDecidable(buildTask(more), Array(count).fill('x')));
  const hidden = { visibility: 'private', slots: 2 };
  expect(checkInvitees(hidden, 4)).toBe('invalid_request');
  expect(checkInvitees(hidden, 5)).toBe('ok');
  expect(checkInvitees({ ...hidden, decisionMethod: 'fixture', fixtureId: 'f' }, 1)).toBe('ok');
  expect(checkInvitees({}, 0)).toBe('ok');
});
