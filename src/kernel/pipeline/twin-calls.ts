import { monotonicClock } from '../clock.ts';
import { createRecentNames } from '../recent-names.ts';

/** Lets calls with one idempotency key run one after the other in this process. */
export interface TwinCalls {
  /**
   * Runs a call when those before it with its name have ended. `hadTwin` says whether there were
   * any, lately too: then an answer may be stored that the call did not find when it looked.
   */
  run<Result>(name: string, call: (hadTwin: boolean) => Promise<Result>): Promise<Result>;
}

/** Names are remembered for this many milliseconds, and at most for twice as many. */
const REMEMBER_MS = 1_000;

/**
 * Creates the turns of calls with one idempotency key. Of two in one batch, the record of the
 * second would make the database reject the batch, and all calls in it would run again alone.
 */
export function createTwinCalls(now = monotonicClock): TwinCalls {
  const newest = new Map<string, Promise<unknown>>();
  const lately = createRecentNames(now, REMEMBER_MS);

  return {
    async run(name, call) {
      const before = newest.get(name);
      const hadTwin = before !== undefined || lately.has(name);
      const own = before
        ? before.then(
            () => call(hadTwin),
            () => call(hadTwin),
          )
        : call(hadTwin);
      newest.set(name, own);
      try {
        return await own;
      } finally {
        lately.note(name);
        if (newest.get(name) === own) newest.delete(name);
      }
    },
  };
}
