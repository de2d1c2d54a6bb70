import type { Clock } from '../kernel/clock.ts';

export interface Progress {
  /** Begins a step of `total` pieces. */
  begin(step: string, total: number): void;
  /** Some pieces more are done. */
  add(pieces?: number): void;
  /** The step is over. */
  end(): void;
  /** Says something that stays. */
  say(line: string): void;
}

const TERMINAL_MS = 100;
const PLAIN_MS = 5_000;

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
export const count = (value: number): string => whole.format(value);

/** Seconds as a person says them. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** One line that is written over on a terminal; a line now and then elsewhere. */
export function createProgress(
  out: { readonly isTTY?: boolean; write(text: string): unknown },
  clock: Clock,
): Progress {
  const terminal = out.isTTY === true;
  let step = '';
  let total = 0;
  let done = 0;
  let began = 0;
  let shown = 0;

  function line(now: number): string {
    const rate = (done * 1000) / Math.max(1, now - began);
    const left = rate > 0 && done < total ? `, ${duration((total - done) / rate)} left` : '';
    return `${step}: ${count(done)} of ${count(total)}, ${count(rate)}/s${left}`;
  }

  return {
    begin(name, pieces) {
      step = name;
      total = pieces;
      done = 0;
      began = shown = clock();
    },
    add(pieces = 1) {
      done += pieces;
      const now = clock();
      if (now - shown < (terminal ? TERMINAL_MS : PLAIN_MS)) return;
      shown = now;
      out.write(terminal ? `\r\x1b[K${line(now)}` : `${line(now)}\n`);
    },
    end() {
      out.write(`${terminal ? '\r\x1b[K' : ''}${line(clock())}\n`);
    },
    say(text) {
      out.write(`${terminal ? '\r\x1b[K' : ''}${text}\n`);
    },
  };
}
