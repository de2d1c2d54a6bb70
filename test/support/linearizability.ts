/*
 * Checks whether a history of concurrent calls agrees with a sequential model: whether each call
 * can have taken effect at one moment between its start and its end, so that a single caller that
 * made the calls in that order would have got the same answers.
 *
 * The search is that of Wing and Gong (1993) with what later checkers added: it remembers the
 * situations it has tried (Lowe 2017), it places a call no earlier than the next end requires, so
 * that a situation is told by the few calls that are open then (just in time, Lowe 2017), and it
 * checks independent objects apart from each other (P-compositionality, Horn and Kroening 2015).
 */

import { Agenda, type Situation } from './search-agenda.ts';

/** A call of a history. */
export interface Call<Operation> {
  readonly operation: Operation;
  readonly start: number;
  /** Infinity for a call whose answer never came: it may take effect at any time, or never. */
  readonly end: number;
}

/** A sequential model. States are immutable, and operations are values of JSON. */
export interface Model<State, Operation> {
  readonly initial: State;
  /** The states to which a call may lead; none if it cannot have happened in this one. */
  next(state: State, call: Call<Operation>): readonly State[];
  /** A text that is the same for equal states only. */
  describe(state: State): string;
  /** Names the object that an operation is about. Each object has a state of its own. */
  partition?(operation: Operation): string;
  /** Whether an operation leaves every state as it is. It is placed as soon as its answer fits. */
  isRead?(operation: Operation): boolean;
}

/** Lists for each call, in the order of ends, those that begin before it ends and end no sooner. */
function listOpen(calls: readonly Call<unknown>[]): number[][] {
  const starts = calls.map(({ start }, index) => ({ start, index }));
  starts.sort((a, b) => a.start - b.start);
  let open: number[] = [];
  let begun = 0;
  return calls.map(({ end }, front) => {
    for (let one = starts[begun]; one && one.start <= end; one = starts[++begun])
      open = [...open, one.index];
    open = open.filter((index) => index >= front);
    return open;
  });
}

/** A call that was never answered, its bit, and that of the last one before it that is the same. */
interface LostCall<Operation> {
  readonly call: Call<Operation>;
  readonly bit: bigint;
  readonly twin: bigint;
}

/** Lists the calls that were never answered, in the order of their starts. */
function listLost<Operation>(history: readonly Call<Operation>[]): LostCall<Operation>[] {
  const last = new Map<string, bigint>();
  return history
    .filter(({ end }) => end === Infinity)
    .sort((a, b) => a.start - b.start)
    .map((call, index) => {
      const bit = 1n << BigInt(index);
      const text = JSON.stringify(call.operation);
      const twin = last.get(text) ?? 0n;
      last.set(text, bit);
      return { call, bit, twin };
    });
}

function placeAnswered({ front, ahead }: Situation<unknown>, index: number) {
  if (index !== front) return { front, ahead: [...ahead, index].sort((a, b) => a - b) };
  let passed = 0;
  while (ahead[passed] === front + 1 + passed) passed++;
  return { front: front + 1 + passed, ahead: ahead.slice(passed) };
}

/** Searches an order for the calls of one object. */
function hasOrder<State, Operation>(
  history: readonly Call<Operation>[],
  model: Model<State, Operation>,
): boolean {
  const answered = history.filter(({ end }) => end !== Infinity).sort((a, b) => a.end - b.end);
  const lost = listLost(history);
  const open = listOpen(answered);
  const agenda = new Agenda<State>();
  const text = model.describe(model.initial);
  agenda.add({ state: model.initial, text, front: 0, ahead: [], lost: 0n, lostCount: 0 });
  for (let one = agenda.take(); one; one = agenda.take()) {
    if (one.front === answered.length) return true;
    const left = (open[one.front] as number[]).filter((index) => !one?.ahead.includes(index));
    const ways = left.map((index) => {
      const call = answered[index] as Call<Operation>;
      return { index, call, states: model.next(one.state, call) };
    });
    // Nothing is lost by placing a read at the first moment that its answer allows.
    const read = ways.find(
      ({ call, states }) => states.length > 0 && model.isRead?.(call.operation),
    );
    for (const { index, states } of read ? [read] : ways)
      for (const state of states)
        agenda.add({ ...one, ...placeAnswered(one, index), state, text: model.describe(state) });
    if (read) continue;
    const { end } = answered[one.front] as Call<Operation>;
    for (const { call, bit, twin } of lost) {
      if (call.start > end) break;
      // Of calls that are the same, the first comes first.
      if ((one.lost & bit) !== 0n || (one.lost & twin) !== twin) continue;
      for (const state of model.next(one.state, call)) {
        const changed = model.describe(state);
        // One that changes nothing need not have happened.
        if (changed === one.text) continue;
        const placed = { lost: one.lost | bit, lostCount: one.lostCount + 1 };
        agenda.add({ ...one, ...placed, state, text: changed });
      }
    }
  }
  return false;
}

/**
 * Finds the calls of an object that no order explains; null if each object has an order. The time
 * is linear in practice, and exponential at worst.
 */
export function findFailingPart<State, Operation>(
  history: readonly Call<Operation>[],
  model: Model<State, Operation>,
): readonly Call<Operation>[] | null {
  const parts = new Map<string, Call<Operation>[]>();
  for (const call of history) {
    const name = model.partition?.(call.operation) ?? '';
    const part = parts.get(name) ?? [];
    parts.set(name, part);
    part.push(call);
  }
  return [...parts.values()].find((part) => !hasOrder(part, model)) ?? null;
}

/** Checks a history against a model. */
export const isLinearizable = <State, Operation>(
  history: readonly Call<Operation>[],
  model: Model<State, Operation>,
): boolean => findFailingPart(history, model) === null;
