import { readFileSync } from 'node:fs';
import { findMedian } from './median.ts';

/** How much more memory the last part of a run may use than the part after the warm-up. */
const MAX_GROWTH = { times: 1.5, mebibytes: 100 } as const;
/** Seconds of a run of four minutes: before, the memory is growing to its usual size. */
const SECONDS_FOR_MEMORY = 230;

/** Resident memory of a process, read once a second. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #mebibytes: number[] = [];

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Reads the memory and returns it in MiB. Errors: throws when the process is gone. */
  read(): number {
    const [, kibibytes = '0'] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8')) ?? [];
    const mebibytes = Number(kibibytes) / 1024;
    this.#mebibytes.push(mebibytes);
    return mebibytes;
  }

  /** Compares the second quarter of a run with its last one, in MiB. */
  compareQuarters(): { readonly early: number; readonly late: number; readonly grew: boolean } {
    const quarter = Math.floor(this.#mebibytes.length / 4);
    const early = findMedian(this.#mebibytes.slice(quarter, 2 * quarter));
    const late = findMedian(this.#mebibytes.slice(-quarter));
    const grew = late > early * MAX_GROWTH.times && late - early > MAX_GROWTH.mebibytes;
    return { early, late, grew: grew && this.#mebibytes.length >= SECONDS_FOR_MEMORY };
  }
}
