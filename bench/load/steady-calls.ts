import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** One kind of call, and how to make it once. Errors: any when it is refused. */
export interface SteadyCall {
  readonly name: string;
  /** How many are made at the same time, and milliseconds between two of each. */
  readonly callers: number;
  readonly everyMs: number;
  /** Returns milliseconds to count instead of the whole duration, or null to count none. */
  call(caller: number): Promise<number | null | undefined>;
}

/** Callers that call continuously. */
export interface SteadyCalls {
  /** Returns the latencies since the last call by name, in milliseconds, and how many failed. */
  take(): { readonly latencies: ReadonlyMap<string, number[]>; readonly failed: number };
  /** Begins no new calls and waits for those under way. */
  stop(): Promise<void>;
  /** The last error, for the report. */
  readonly lastError: string | null;
}

/** Starts callers of all kinds. */
export function startSteadyCalls(kinds: readonly SteadyCall[]): SteadyCalls {
  const stopping = new AbortController();
  // Every caller listens while it pauses.
  setMaxListeners(0, stopping.signal);
  let latencies = new Map<string, number[]>();
  let failed = 0;
  let lastError: string | null = null;

  async function runOnce({ name, call }: SteadyCall, caller: number): Promise<void> {
    const began = performance.now();
    try {
      const counted = await call(caller);
      if (counted === null) return;
      const list = latencies.get(name) ?? [];
      list.push(counted ?? performance.now() - began);
      latencies.set(name, list);
    } catch (error) {
      failed += 1;
      lastError = `${name}: ${(error as Error).message}`;
    }
  }

  const running = kinds.flatMap((kind) =>
    Array.from({ length: kind.callers }, async (_, caller) => {
      // The callers of a kind begin one after the other.
      let pause = (kind.everyMs * caller) / kind.callers;
      while (!stopping.signal.aborted) {
        await sleep(pause, null, { signal: stopping.signal }).catch(() => null);
        if (!stopping.signal.aborted) await runOnce(kind, caller);
        pause = kind.everyMs;
      }
    }),
  );
  return {
    take() {
      const taken = { latencies, failed };
      latencies = new Map();
      failed = 0;
      return taken;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
    get lastError() {
      return lastError;
    },
  };
}
