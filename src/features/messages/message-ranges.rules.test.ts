import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findUnreadRanges,
  getCentredOffset,
  type PositionRange,
  takeFitting,
  takePositions,
} from './message-ranges.rules.ts';

describe('a page around a message', () => {
  it('[message.page-anchor] has it in the middle, except near the beginning', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 100 }), (position, limit) => {
        const from = getCentredOffset(position, limit);
        const before = position - from;
        const after = from + limit - 1 - position;
        expect(from).toBeGreaterThanOrEqual(0);
        expect(after).toBeGreaterThanOrEqual(0);
        if (from > 0) expect(before - after).toBe(limit % 2 === 0 ? 1 : 0);
        else expect(before).toBeLessThanOrEqual(Math.floor(limit / 2));
      }),
    );
  });
});

describe('a walk through ranges', () => {
  const shape = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 8 }),
    most: fc.integer({ min: 1, max: 12 }),
    /** How many of the requested messages each read finds, as if the others had been too long. */
    cuts: fc.infiniteStream(fc.integer({ min: 1, max: 12 })),
    deleted: fc.array(fc.record({ thread: fc.nat(7), step: fc.nat(8) }), { maxLength: 4 }),
  });

  it('[export.format] [export.broken-off] gives each position once, or ends with gone', () => {
    fc.assert(
      fc.property(shape, ({ sizes, most, cuts, deleted }) => {
        const all: PositionRange[] = sizes.map((to, index) => ({
          threadId: `t${index}`,
          from: 0,
          to,
        }));
        const goneError = (step: number) =>
          new Set(deleted.filter((one) => one.step <= step).map(({ thread }) => `t${thread}`));
        const got: string[] = [];
        let left = all;
        let step = 0;
        try {
          for (; left.length > 0; step++) {
            const asked = takePositions(left, most);
            expect(asked.reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThanOrEqual(
              most,
            );
            const places = asked.flatMap(({ threadId, from, to }) =>
              Array.from({ length: to - from }, (_, n) => ({ threadId, position: from + n })),
            );
            const found = places
              .filter(({ threadId }) => !goneError(step).has(threadId))
              .slice(0, cuts.next().value);
            left = findUnreadRanges(left, found);
            got.push(...found.map(({ threadId, position }) => `${threadId}/${position}`));
          }
        } catch (error) {
          expect(error).toMatchObject({ code: 'gone' });
          const last = got.at(-1)?.split('/') ?? [];
          // The thread that was being read was deleted before its end.
          const begun = all.find(
            ({ threadId, to }) => threadId === last[0] && Number(last[1]) + 1 < to,
          );
          expect(begun && goneError(step).has(begun.threadId)).toBe(true);
          return;
        }
        const whole = all.filter(({ threadId }) => got.includes(`${threadId}/0`));
        expect(got).toEqual(
          whole.flatMap(({ threadId, to }) =>
            Array.from({ length: to }, (_, n) => `${threadId}/${n}`),
          ),
        );
        for (const { threadId } of all)
          if (!whole.some((one) => one.threadId === threadId))
            expect(goneError(step).has(threadId)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('messages that fit', () => {
  it('[attack.49-2] (API4) are the first ones that are short enough as JSON', () => {
    const body = fc.string({ unit: fc.constantFrom('a', '"', '\u0001'), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.record({ body })), fc.nat(300), fc.nat(3), (all, most, least) => {
        const taken = takeFitting(all, most, least);
        expect(taken).toEqual(all.slice(0, taken.length));
        const measure = (end: number) =>
          all.slice(0, end).reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
        if (taken.length > least) expect(measure(taken.length)).toBeLessThanOrEqual(most);
        if (taken.length < all.length) expect(measure(taken.length + 1)).toBeGreaterThan(most);
        expect(taken.length).toBeGreaterThanOrEqual(Math.min(least, all.length));
      }),
      { numRuns: 3_000 },
    );
  });
});
