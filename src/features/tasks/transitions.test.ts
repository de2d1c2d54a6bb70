import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AssignmentState,
  assignmentMachine,
  assignmentStates,
  assignmentTriggers,
  settlementByAssignmentState,
  taskMachine,
  taskStates,
  taskTriggers,
  triggerByResult,
} from './transitions.ts';

describe('the transitions', () => {
  it('[tasks.states] [assignments.states] are those of the tables and no others', () => {
    expect(
      taskStates.flatMap((state) =>
        taskTriggers.flatMap((trigger) => taskMachine[state][trigger] ?? []),
      ),
    ).toHaveLength(7);
    expect(
      assignmentStates.flatMap((state) =>
        assignmentTriggers.flatMap((trigger) => assignmentMachine[state][trigger] ?? []),
      ),
    ).toHaveLength(16);
    for (const [result, next] of [
      ['upheld', 'paid'],
      ['rejected', 'refused'],
      ['inconclusive', 'unresolved'],
    ] as const)
      expect(assignmentMachine.submitted[triggerByResult[result]]).toBe(next);
    expect(assignmentMachine.unresolved[triggerByResult.inconclusive]).toBeUndefined();
  });

  it('[tasks.once] settle a slot at most once, whatever the steps are', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...assignmentTriggers), { maxLength: 15 }), (steps) => {
        let state = 'assigned' as AssignmentState;
        let ends = 0;
        for (const step of steps) {
          const next: AssignmentState | undefined = assignmentMachine[state][step];
          if (next === undefined) continue;
          const before = state;
          state = next;
          if (next !== before && settlementByAssignmentState[state]) ends++;
        }
        expect(ends).toBe(settlementByAssignmentState[state] ? 1 : 0);
      }),
    );
  });
});
