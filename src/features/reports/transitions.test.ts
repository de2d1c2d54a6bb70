import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import {
  assertMayResolve,
  type ReportOutcome,
  type ReportState,
  reportOutcomes,
  reportStates,
} from './transitions.ts';

const tryResolve = (state: ReportState, outcome: ReportOutcome): ReportState | StoaError => {
  try {
    assertMayResolve(state, outcome);
    return outcome;
  } catch (error) {
    if (error instanceof StoaError) return error;
    throw error;
  }
};

describe('a report', () => {
  it.each(
    reportStates.flatMap((state) => reportOutcomes.map((outcome) => [state, outcome] as const)),
  )('[report.transitions] from %s to %s', (state, outcome) => {
    const next = tryResolve(state, outcome);
    if (state === 'open') expect(next).toBe(outcome);
    else expect(next).toMatchObject({ code: 'state_conflict', members: { state } });
  });

  it('[report.transitions] is decided by the first step, and rejects every later one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...reportOutcomes), { minLength: 1, maxLength: 8 }),
        (steps) => {
          let state: ReportState = 'open';
          const refused = steps.filter((step) => {
            const next = tryResolve(state, step);
            if (next instanceof StoaError) return true;
            state = next;
            return false;
          });
          expect({ state, refused: refused.length }).toEqual({
            state: steps[0],
            refused: steps.length - 1,
          });
        },
      ),
    );
  });
});
