import type { Keys } from './keys.ts';
import type { Plan } from './plan.ts';
import type { Progress } from './progress.ts';
import type { Report } from './report.ts';
import type { Service } from './service.ts';
import type { State } from './state.ts';

/** What the steps of an import share. */
export interface Work {
  readonly plan: Plan;
  readonly state: State;
  readonly service: Service;
  readonly keys: Keys;
  readonly report: Report;
  readonly progress: Progress;
  /** How much is done at once. */
  readonly width: number;
}

/** A fact that an earlier step made sure of. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step of the import was left out');
  return value;
}
