import type { OpenLoop, Outcomes } from '../load/open-loop.ts';
import { sumUpOutcomes } from './outcomes.ts';

const CALLERS = 32;

/**
 * Returns the successful answers per second of each profile that a service gives to callers that
 * wait for their answers. They send the profiles in the given order, by their indexes.
 */
export async function measureCapacity(
  generator: OpenLoop,
  order: readonly number[],
  seconds: number,
): Promise<readonly number[]> {
  const outcomes = (await generator.ask({ callers: CALLERS, order, seconds })) as Outcomes;
  return [...new Set(order)].sort().map((kind) => {
    const part = { kind, from: 0, to: seconds * 1000 };
    return sumUpOutcomes([outcomes], part).accepted.rate;
  });
}
