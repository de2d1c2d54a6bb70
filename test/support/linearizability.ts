/*
 * Checks whether a history of concurrent calls agrees with a sequential model: whether each call
 * can have taken effect at one moment between its start and its end, so that a single caller that
 * made the calls in that order would have got the same answers. The search is that of Wing and Gong
 * (1993), which remembers the situations it has tried, as Lowe (2017) refined it.
 */

/** A call of a history. */
export interface Call<Operation> {
  readonly operation: Operation;
  readonly start: number;
  /** Infinity for a call whose answer never came: it may take effect at any time, or never. */
  readonly end: number;
}

/** A sequential model. States are immutable. */
export interface Model<State, Operation> {
  readonly initial: State;
  /** The states to which a call may lead; none if it cannot have happened in this one. */
  next(state: State, call: Call<Operation>): readonly State[];
  /** A text that is the same for equal states only. */
  describe(state: State): string;
}

/** The outcome of a check. */
export interface Verdict<Operation> {
  readonly isLinearizable: boolean;
  /** The most calls that some order explains, for reading when no order explains all. */
  readonly longest: readonly Call<Operation>[];
}

/** One step of the search: the calls that are placed, and the state that they lead to. */
interface Step<State> {
  readonly state: State;
  readonly placed: bigint;
  /** The step before, and the call that was placed by this one. */
  readonly before: Step<State> | null;
  readonly index: number;
  readonly depth: number;
}

function listPlaced<State, Operation>(
  step: Step<State>,
  calls: readonly Call<Operation>[],
): Call<Operation>[] {
  const found: Call<Operation>[] = [];
  for (let one: Step<State> | null = step; one?.before; one = one.before)
    found.unshift(calls[one.index] as Call<Operation>);
  return found;
}

/** Checks a history against a model. The time is linear in practice, and exponential at worst. */
export function checkHistory<State, Operation>(
  history: readonly Call<Operation>[],
  model: Model<State, Operation>,
): Verdict<Operation> {
  const calls = [...history].sort((a, b) => a.start - b.start);
  const answered = calls.reduce(
    (sum, { end }, index) => (end === Infinity ? sum : sum | (1n << BigInt(index))),
    0n,
  );
  const tried = new Set<string>();
  const open: Step<State>[] = [
    { state: model.initial, placed: 0n, before: null, index: -1, depth: 0 },
  ];
  let longest = open[0] as Step<State>;
  for (let step = open.pop(); step; step = open.pop()) {
    const { placed } = step;
    if ((placed & answered) === answered)
      return { isLinearizable: true, longest: listPlaced(step, calls) };
    // A call comes next only if no other that is left had ended before it began.
    let earliestEnd = Infinity;
    const left: number[] = [];
    for (const [index, { start, end }] of calls.entries()) {
      if (start > earliestEnd) break;
      if ((placed & (1n << BigInt(index))) !== 0n) continue;
      left.push(index);
      earliestEnd = Math.min(earliestEnd, end);
    }
    // Those that end first are tried first, so they are pushed last.
    left.sort((a, b) => (calls[b]?.end ?? 0) - (calls[a]?.end ?? 0));
    for (const index of left) {
      const call = calls[index] as Call<Operation>;
      if (call.start > earliestEnd) continue;
      for (const state of model.next(step.state, call)) {
        const now = placed | (1n << BigInt(index));
        const key = `${now.toString(36)} ${model.describe(state)}`;
        if (tried.has(key)) continue;
        tried.add(key);
        const following = { state, placed: now, before: step, index, depth: step.depth + 1 };
        open.push(following);
        if (following.depth > longest.depth) longest = following;
      }
    }
  }
  return { isLinearizable: false, longest: listPlaced(longest, calls) };
}
