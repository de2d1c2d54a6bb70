import type { Outcomes } from '../load/open-loop.ts';
import { type Round, toRound } from './stats.ts';

/** What became of the requests of some kind in a part of a round. */
export interface OutcomeFigures {
  /** Answers of success: per second, and their latencies in milliseconds. */
  readonly accepted: Round;
  /** Answers 429 and 503. */
  readonly refused: Round;
  readonly refusedWithoutRetryAfter: number;
  /** Every other answer, and connections that broke. */
  readonly failed: number;
  /** The 99th percentile of how late the generator itself was, in milliseconds. */
  readonly lag: number;
}

/** Which outcomes count: of one kind or all, due in a part of the round (milliseconds). */
export interface OutcomePart {
  readonly kind?: number;
  readonly from: number;
  readonly to: number;
}

/** Sums up outcomes of several generators that ran at the same time. */
export function sumUpOutcomes(
  all: readonly Outcomes[],
  { kind, from, to }: OutcomePart,
): OutcomeFigures {
  const accepted: number[] = [];
  const refused: number[] = [];
  const lags: number[] = [];
  let refusedWithoutRetryAfter = 0;
  let failed = 0;
  for (const outcomes of all)
    for (const [index, due] of outcomes.due.entries()) {
      if (due < from || due >= to || (kind !== undefined && outcomes.kind[index] !== kind))
        continue;
      const latency = outcomes.latency[index] as number;
      lags.push(outcomes.lag[index] as number);
      const status = outcomes.status[index];
      if (status === 200) accepted.push(latency);
      else if (status === 429 || status === 503) {
        refused.push(latency);
        refusedWithoutRetryAfter += outcomes.hasRetryAfter[index] ? 0 : 1;
      } else failed += 1;
    }
  const seconds = (to - from) / 1000;
  return {
    accepted: toRound(accepted, seconds),
    refused: toRound(refused, seconds),
    refusedWithoutRetryAfter,
    failed,
    lag: toRound(lags, seconds).p99,
  };
}
