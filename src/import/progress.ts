import { escapeControls } from '../../client/src/escape-controls.ts';
import type { Clock } from '../kernel/clock.ts';

/** Shows how far an import is. */
export interface Progress {
  /** Begins a step of `total` pieces. */
  begin(step: string, total: number): void;
  /** Counts pieces as done. */
  add(pieces?: number): void;
  /** Ends the step. */
  end(): void;
  /** Prints a line that remains. Control characters in it are printed as escapes. */
  say(line: string): void;
}

/** How often the line is printed on a terminal, and elsewhere. */
const TERMINAL_MS = 100;
const PLAIN_MS = 5_000;

const wholeNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** Formats a number without decimals, such as 12,345. */
export const formatCount = (value: number): string => wholeNumber.format(value);

/** Formats seconds for a person, such as "2 min 5 s". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Creates a progress display: one line that is overwritten on a terminal, new lines elsewhere. */
export function createProgress(
  out: { readonly isTTY?: boolean; write(text: string): unknown },
  clock: Clock,
): Progress {
  const isTerminal = out.isTTY === true;
  let step = '';
  let total = 0;
  let done = 0;
  let began = 0;
  let shown = 0;

  function buildLine(now: number): string {
    const rate = (done * 1000) / Math.max(1, now - began);
    const left = rate > 0 && done < total ? `, ${formatDuration((total - done) / rate)} left` : '';
    return `${step}: ${formatCount(done)} of ${formatCount(total)}, ${formatCount(rate)}/s${left}`;
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
      if (now - shown < (isTerminal ? TERMINAL_MS : PLAIN_MS)) return;
      shown = now;
      out.write(isTerminal ? `\r\x1b[K${buildLine(now)}` : `${buildLine(now)}\n`);
    },
    end() {
      out.write(`${isTerminal ? '\r\x1b[K' : ''}${buildLine(clock())}\n`);
    },
    say(text) {
      out.write(`${isTerminal ? '\r\x1b[K' : ''}${escapeControls(text)}\n`);
    },
  };
}
