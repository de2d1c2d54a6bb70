/** A situation of the search: the calls that are placed, and the state that they lead to. */
export interface Situation<State> {
  readonly state: State;
  readonly text: string;
  /** All answered calls before this one are placed, in the order of their ends. */
  readonly front: number;
  /** The answered calls after the front that are placed too, in the same order. */
  readonly ahead: readonly number[];
  /** A bit for each placed call that was never answered, and how many these are. */
  readonly lost: bigint;
  readonly lostCount: number;
}

/**
 * Keeps the situations that are to be tried. Those that are furthest come first, and of these the
 * ones that needed the fewest calls without an answer, because they stand for the others.
 */
export class Agenda<State> {
  private readonly stacks: Situation<State>[][][] = [];
  private readonly seen = new Map<string, bigint[]>();

  /** Adds a situation, unless one was added that allows all that this one does. */
  add(one: Situation<State>): void {
    const key = `${one.front} ${one.ahead} ${one.text}`;
    const before = this.seen.get(key) ?? [];
    if (before.some((lost) => (lost & one.lost) === lost)) return;
    this.seen.set(key, [...before, one.lost]);
    while (this.stacks.length <= one.front) this.stacks.push([]);
    const stacks = this.stacks[one.front] as Situation<State>[][];
    const stack = stacks[one.lostCount] ?? [];
    stacks[one.lostCount] = stack;
    stack.push(one);
  }

  /** Takes the one that comes first out; undefined when none is left. */
  take(): Situation<State> | undefined {
    for (; this.stacks.length > 0; this.stacks.pop())
      for (const stack of this.stacks.at(-1) ?? []) {
        const one = stack?.pop();
        if (one) return one;
      }
    return undefined;
  }
}
