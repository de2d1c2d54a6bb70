import autocannon, { type Result } from 'autocannon';
import { type Round, toRound } from '../measure/stats.ts';
import { answerAsChild } from './child.ts';
import { type ManyWokenOptions, measureManyWoken } from './many-woken.ts';
import { createRequests, type Profile } from './profiles.ts';
import { measureWakeUps, type WakeUpOptions } from './wake-ups.ts';

/** A command to the load generator. */
export type LoadCommand =
  /** Stores a profile under a name, so its texts are sent once. */
  | { readonly keep: string; readonly profile: Profile; readonly adminKey: string }
  | {
      readonly run: string;
      readonly url: string;
      readonly connections: number;
      readonly seconds: number;
    }
  | { readonly wake: WakeUpOptions }
  | { readonly wakeMany: ManyWokenOptions };

/**
 * Runs one round. It records all latencies, because autocannon's own histogram has whole
 * milliseconds only.
 * Errors: Error when a response is not a success.
 */
function runLoad(
  url: string,
  connections: number,
  duration: number,
  next: ReturnType<typeof createRequests>,
): Promise<Round> {
  return new Promise((resolve, reject) => {
    const latencies: number[] = [];
    const beganAt = performance.now();
    let lastAt = beganAt;
    const finish = (error: Error | null, result: Result) => {
      if (error) reject(error);
      else if (result.non2xx + result.errors > 0)
        reject(
          new Error(
            `${url}: not every response was a success: ` +
              `${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
          ),
        );
      else resolve(toRound(latencies, (lastAt - beganAt) / 1000));
    };
    // Otherwise the header says "undefined:undefined", which the service refuses.
    const { host } = new URL(url);
    const setupRequest = () => {
      const { headers, ...request } = next();
      return { ...request, headers: { ...headers, host } };
    };
    const running = autocannon(
      { url, connections, duration, sampleInt: 50, requests: [{ setupRequest }] },
      finish,
    );
    running.on('response', (_client, _status, _bytes, milliseconds: number) => {
      lastAt = performance.now();
      latencies.push(milliseconds);
    });
  });
}

/** Runs the role "load": a load generator in a process of its own. */
export function serveLoad(): void {
  const profiles = new Map<string, ReturnType<typeof createRequests>>();
  answerAsChild<LoadCommand, Round | null>(async (load) => {
    if ('keep' in load) {
      profiles.set(load.keep, createRequests(load.profile, load.adminKey));
      return null;
    }
    if ('wake' in load) return measureWakeUps(load.wake);
    if ('wakeMany' in load) return measureManyWoken(load.wakeMany);
    const next = profiles.get(load.run);
    if (!next) throw new Error(`There is no profile ${load.run}.`);
    return runLoad(load.url, load.connections, load.seconds, next);
  });
}
