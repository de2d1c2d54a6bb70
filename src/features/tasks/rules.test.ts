import { describe, expect, it } from 'vitest';
import {
  ada,
  bob,
  buildTask,
  catchCode,
  expectError,
  now,
} from '../../../test/features/tasks/build-task.ts';
import { getCancelledState, getTaskState, type Task } from './rules.ts';
import { assertMayWork } from './worker-eligibility.rules.ts';

describe('a task', () => {
  const edges: readonly [settled: number, taken: number[], released: boolean, state: string][] = [
    // Of three slots: how many are settled, which are taken, and whether the deadline was handled.
    [0, [], false, 'open'],
    [0, [1, 2], false, 'open'],
    [2, [1, 3], false, 'open'],
    [0, [1, 2, 3], false, 'full'],
    [2, [1, 2, 3], false, 'full'],
    [2, [1], true, 'full'],
    [3, [1, 2, 3], false, 'closed'],
    [3, [1], true, 'closed'],
    [3, [], true, 'closed'],
  ];
  it.each(edges)(
    '[tasks.states] with %i of 3 slots settled, %j taken and released %s is %s',
    (settled, taken, released, state) => {
      for (const before of ['open', 'full'] as const)
        expect(getTaskState({ slots: 3, settled, taken, released, state: before })).toBe(state);
      for (const before of ['closed', 'cancelled'] as const)
        expect(() => getTaskState({ slots: 3, settled, taken, released, state: before })).toThrow(
          expectError('state_conflict'),
        );
    },
  );

  it('[tasks.cancel] is cancelled by its owner before its deadline while no slot is taken', () => {
    const tryCancel = (more: Partial<Task>, agent = ada) =>
      catchCode(() => getCancelledState(buildTask(more), { agent, expectedVersion: 1, now }));
    expect(tryCancel({})).toBe('ok');
    expect(tryCancel({}, bob)).toBe('forbidden');
    for (const more of [
      { taken: [1] },
      { state: 'full' },
      { state: 'closed' },
      { state: 'cancelled' },
      { deadline: now },
    ] as const)
      expect(tryCancel(more)).toBe('state_conflict');
  });
});

describe('work for units', () => {
  it('[tasks.blocked] is neither for blocked nor for synthetic agents', () => {
    const agent = { id: 'bob', blocked: false, synthetic: false };
    expect(() => assertMayWork(agent)).not.toThrow();
    expect(() => assertMayWork({ ...agent, blocked: true, synthetic: true })).toThrow(
      expectError('agent_blocked'),
    );
    expect(() => assertMayWork({ ...agent, synthetic: true })).toThrow(
      expectError('not_eligible', { reason: 'synthetic' }),
    );
  });
});
