import { type Call, findFailingPart, isLinearizable, type Model } from './linearizability.ts';

/**
 * Shrinks a history that no order explains to the calls that contradict each other. What it leaves
 * out may have happened at any time after it began, or never, and the rest still fails; each call
 * of the rest is needed for that. A call is not merely taken away, because then any read would
 * contradict the lack of the write that it saw. Returns them in the order of their starts, and
 * nothing for a history that has an order.
 */
export function shrinkHistory<State, Operation>(
  history: readonly Call<Operation>[],
  model: Model<State, Operation>,
): Call<Operation>[] {
  const part = findFailingPart(history, model);
  if (part === null) return [];
  const needed = new Set<Call<Operation>>();
  let rest = part.filter(({ end }) => end !== Infinity).sort((a, b) => a.end - b.end);
  const fails = (count: number): boolean => {
    const kept = new Set([...needed, ...rest.slice(0, count)]);
    const weaker = part.map((call) => (kept.has(call) ? call : { ...call, end: Infinity }));
    return !isLinearizable(weaker, model);
  };
  // Whatever fails goes on to fail with more calls, so the shortest beginning that fails is found
  // by halving, and its last call is needed.
  while (!fails(0)) {
    let passing = 0;
    let failing = rest.length;
    while (failing - passing > 1) {
      const middle = Math.floor((passing + failing) / 2);
      if (fails(middle)) failing = middle;
      else passing = middle;
    }
    needed.add(rest[failing - 1] as Call<Operation>);
    rest = rest.slice(0, failing - 1);
  }
  return [...needed].sort((a, b) => a.start - b.start);
}

/** Explains why no order explains a history, for a person; null if there is an order. */
export function explainFailure<State, Operation>(
  history: readonly Call<Operation>[],
  model: Model<State, Operation>,
): string | null {
  const calls = shrinkHistory(history, model);
  if (calls.length === 0) return null;
  const zero = calls[0]?.start ?? 0;
  const lines = calls.map(
    ({ operation, start, end }) => `${start - zero} to ${end - zero}: ${JSON.stringify(operation)}`,
  );
  return `No order explains these of ${history.length} calls (times in ms):\n${lines.join('\n')}`;
}
