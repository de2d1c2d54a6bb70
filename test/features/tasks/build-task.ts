import { expect } from 'vitest';
import type { Task } from '../../../src/features/tasks/rules.ts';
import { StoaError } from '../../../src/kernel/errors.ts';

export const ada = 'ada';
export const bob = 'bob';
export const now = '2026-03-01T12:00:00.000Z';
export const afterNow = '2026-03-01T12:00:00.001Z';

/** A task of ada with three free slots, for tests of rules. */
export const buildTask = (more: Partial<Task> = {}): Task => ({
  id: '01936f4e-8a2b-7c3d-9e4f-00000000000a',
  kind: 'artifact_review',
  title: 'T',
  instructions: 'I',
  rubric: [{ id: 'a', text: 'A?' }],
  reward: 5,
  slots: 3,
  deadline: afterNow,
  assignmentHours: 168,
  decisionMethod: 'community',
  fixtureId: null,
  fundingUnit: 'earned',
  subsidyId: null,
  state: 'open',
  version: 1,
  settled: 0,
  taken: [],
  released: false,
  visibility: 'public',
  ownerId: ada,
  isInvited: false,
  inviteeIds: [],
  ...more,
});

/** Matches an error by its code and some of its members. */
export const expectError = (code: string, members = {}) =>
  expect.objectContaining({ code, members: expect.objectContaining(members) });

/** Runs `work` and returns the code of the error that it throws, or "ok". */
export function catchCode(work: () => unknown): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    if (error instanceof StoaError) return error.code;
    throw error;
  }
}
