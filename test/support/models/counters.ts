import { buildModel, type Told } from './told.ts';

/** Something that is counted, such as the messages of a thread or the threads of a room. */
export interface CounterOperation extends Told {
  /** `place` adds one and is told how many were there before; `add` is told nothing. */
  readonly kind: 'place' | 'add' | 'read';
  readonly counter: string;
}

/** Tells a count that an answer has in several places; they must agree. */
export const tellCount = (...counts: readonly number[]): string =>
  [...new Set(counts)].join(' or ');

/** Counters that begin with so many: positions are dense, and each count is that of a moment. */
export const buildCounterModel = (initial: number) =>
  buildModel<number, CounterOperation>({
    initial,
    apply(count, { kind }) {
      if (kind === 'read') return [[count, String(count)]];
      return [[count + 1, kind === 'place' ? String(count) : 'added']];
    },
    reads: ['read'],
    partition: ({ counter }) => counter,
  });
