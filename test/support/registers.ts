import type { SeededRandom } from '../../bench/content/varied-text.ts';
import type { Call, Model } from './linearizability.ts';

/** What a caller does with one of several registers, and what it was told. */
export type RegisterOperation =
  | { readonly kind: 'write'; readonly register: number; readonly value: number }
  | { readonly kind: 'read'; readonly register: number; readonly value: number }
  | {
      readonly kind: 'swap';
      readonly register: number;
      readonly from: number;
      readonly to: number;
      readonly done: boolean;
    };

/** Registers that are read, written, and changed on a condition. All of them begin with 0. */
export const registers: Model<number, RegisterOperation> = {
  initial: 0,
  next(state, { operation }) {
    if (operation.kind === 'read') return operation.value === state ? [state] : [];
    if (operation.kind === 'write') return [operation.value];
    const { from, to, done } = operation;
    if ((state === from) !== done) return [];
    return [done ? to : state];
  },
  describe: String,
  partition: ({ register }) => String(register),
  isRead: ({ kind }) => kind === 'read',
};

/** How a made-up history looks. */
export interface HistoryShape {
  readonly calls: number;
  readonly callers: number;
  readonly registers: number;
  /** One of so many answers is lost. */
  readonly lostOneOf: number;
}

/**
 * Makes up a history that has an order: each caller makes one call after the other, each takes
 * effect at some moment, and it is told what that moment gave.
 */
export function inventHistory(
  shape: HistoryShape,
  random: SeededRandom,
): Call<RegisterOperation>[] {
  const free = Array.from({ length: shape.callers }, () => 0);
  const plans = Array.from({ length: shape.calls }, () => {
    const caller = free.indexOf(Math.min(...free));
    const start = (free[caller] ?? 0) + random.next();
    const end = start + 1 + 9 * random.next();
    free[caller] = end;
    const isLost = random.pickInt(shape.lostOneOf) === 0;
    return { start, end: isLost ? Infinity : end, moment: start + random.next() * (end - start) };
  });
  const values = new Map<number, number>();
  return plans
    .sort((a, b) => a.moment - b.moment)
    .map(({ start, end }, nr) => {
      const register = random.pickInt(shape.registers);
      const value = values.get(register) ?? 0;
      const to = nr + 1;
      const kind = random.pickOne(['write', 'read', 'read', 'swap'] as const);
      if (kind === 'read') return { operation: { kind, register, value }, start, end };
      const from = random.pickInt(3) > 0 ? value : 0;
      const done = from === value;
      if (kind === 'write' || done) values.set(register, to);
      const operation =
        kind === 'write' ? { kind, register, value: to } : { kind, register, from, to, done };
      return { operation, start, end };
    });
}
