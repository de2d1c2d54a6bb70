import { readResidentMemory } from './memory.ts';

/** The resident memory of a process in MiB, read several times a second. */
export interface MemoryWatch extends Disposable {
  /** Returns the maximum since the last call, and the value of now. */
  take(): { readonly now: number; readonly peak: number };
}

const SAMPLE_MS = 250;

/** Watches the memory of a process. */
export function watchMemory(pid: number): MemoryWatch {
  let peak = 0;
  const sample = () => {
    const { now } = readResidentMemory(pid);
    peak = Math.max(peak, now);
    return now;
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    take() {
      const now = sample();
      const taken = { now, peak };
      peak = now;
      return taken;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
