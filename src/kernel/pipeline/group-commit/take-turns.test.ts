import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeTurns } from './take-turns.ts';

describe('the calls of a batch', () => {
  it('[attack.2-4] are taken in turns of their callers, each in order', () => {
    const calls = [...'aaaabac'].map((caller, index) => ({ caller, index }));
    expect(
      takeTurns(calls)
        .map(({ caller }) => caller)
        .join(''),
    ).toBe('abcaaaa');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (callers) => {
        const taken = takeTurns(callers.map((caller, index) => ({ caller, index })));
        expect(taken).toHaveLength(callers.length);
        for (const one of ['a', 'b', 'c']) {
          const places = taken.filter(({ caller }) => caller === one).map(({ index }) => index);
          expect(places).toEqual([...places].sort((x, y) => x - y));
        }
      }),
    );
  });
});
