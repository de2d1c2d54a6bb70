import autocannon, { type Result } from 'autocannon';
import { answerAsChild } from './child.ts';
import { type Profile, requestsOf } from './profiles.ts';
import { type Round, roundOf } from '../measure/stats.ts';
import { type Waking, wakeUps } from './wake-ups.ts';

export type Load =
  /** Keeps a profile under a name: its texts travel once. */
  | { readonly keep: string; readonly profile: Profile; readonly adminKey: string }
  | {
      readonly run: string;
      readonly url: string;
      readonly connections: number;
      readonly seconds: number;
    }
  | { readonly wake: Waking };

/** One round; all latencies of successful answers are kept, because autocannon's own histogram has whole milliseconds only. */
function run(
  url: string,
  connections: number,
  duration: number,
  next: ReturnType<typeof requestsOf>,
): Promise<Round> {
  return new Promise((resolve, reject) => {
    const latencies: number[] = [];
    const began = performance.now();
    let last = began;
    const done = (error: Error | null, result: Result) => {
      if (error) reject(error);
      else if (result.non2xx + result.errors > 0)
        reject(
          new Error(
            `${url}: not every answer was a success: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
          ),
        );
      else resolve(roundOf(latencies, (last - began) / 1000));
    };
    const running = autocannon(
      { url, connections, duration, sampleInt: 50, requests: [{ setupRequest: next }] },
      done,
    );
    running.on('response', (_client, _status, _bytes, milliseconds: number) => {
      last = performance.now();
      latencies.push(milliseconds);
    });
  });
}

/** The role "load": a process of its own, as a load generator would be. */
export function serveLoad(): void {
  const profiles = new Map<string, ReturnType<typeof requestsOf>>();
  answerAsChild<Load, Round | null>(async (load) => {
    if ('keep' in load) {
      profiles.set(load.keep, requestsOf(load.profile, load.adminKey));
      return null;
    }
    if ('wake' in load) return wakeUps(load.wake);
    const next = profiles.get(load.run);
    if (!next) throw new Error(`There is no profile ${load.run}.`);
    return run(load.url, load.connections, load.seconds, next);
  });
}
