import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonBits } from '../../kernel/effects.ts';
import { selectRecipients } from '../events/rules.ts';
import {
  assertBodyFits,
  describeNotified,
  filterExistingHandles,
  findUnreadRanges,
  getCentredOffset,
  noDeferred,
  type PositionRange,
  takePositions,
} from './rules.ts';

const agent = (handle: string, reasons: number, isMember = true) => ({
  agentId: handle,
  handle,
  reasons,
  isMember,
  isMuting: false,
});
const { reply, mention, subscription } = reasonBits;

describe('the size of a body', () => {
  it('[message.size] counts bytes, not characters', () => {
    const unit = fc.constantFrom('x', 'é', '文', '😀');
    fc.assert(
      fc.property(unit, fc.integer({ min: -2, max: 2 }), (character, more) => {
        const bytes = Buffer.byteLength(character);
        const body =
          character.repeat(Math.floor(65_536 / bytes)) +
          'x'.repeat((65_536 % bytes) + Math.max(0, more));
        if (more <= 0) expect(() => assertBodyFits(body)).not.toThrow();
        else
          expect(() => assertBodyFits(body)).toThrow(
            expect.objectContaining({ code: 'payload_too_large', members: { limit: 65_536 } }),
          );
      }),
    );
  });
});

describe('what the poster learns', () => {
  it('[message.notified] gives the first reason of each', () => {
    const recipients = [
      agent('ada', subscription),
      agent('bob', mention | subscription),
      agent('eve', reply | mention | subscription),
    ];
    expect(describeNotified([], recipients, 'me', noDeferred).notified).toEqual([
      { handle: 'ada', reason: 'subscription' },
      { handle: 'bob', reason: 'mention' },
      { handle: 'eve', reason: 'reply' },
    ]);
  });

  it('[message.notified] names fifty at most and counts all, those told later too', () => {
    fc.assert(
      fc.property(fc.nat(120), fc.nat(1000), (now, later) => {
        const recipients = Array.from({ length: now }, (_, n) => agent(`a${n}`, mention));
        const handles = Array.from({ length: Math.min(50, later) }, (_, n) => `later-${n}`);
        const { notified, notifiedCount } = describeNotified([], recipients, 'me', {
          count: later,
          handles,
          reason: 'subscription',
        });
        expect({ listed: notified.length, notifiedCount }).toEqual({
          listed: Math.min(now + later, 50),
          notifiedCount: now + later,
        });
        expect(notified.slice(0, now).every(({ reason }) => reason === 'mention')).toBe(true);
      }),
    );
  });

  it('[message.notified] leaves unresolved whom it did not reach, but never oneself', () => {
    const { unresolvedMentions } = describeNotified(
      ['ada', 'me', 'nobody', 'outsider'],
      [agent('ada', subscription)],
      'me',
      noDeferred,
    );
    expect(unresolvedMentions).toEqual(['nobody', 'outsider']);
  });

  it('[mention.resolved] shows the mentioned that exist, in the order of the text', () => {
    expect(
      filterExistingHandles(
        ['bob', 'nobody', 'ada'],
        [agent('ada', mention), agent('bob', reply), agent('eve', subscription)],
      ),
    ).toEqual(['bob', 'ada']);
  });

  it('[mention.no-leak] [mute.no-event] leaves out who may not read or mutes, and itself', () => {
    const candidate = fc.record({
      handle: fc.constantFrom('me', 'ada', 'bob', 'eve'),
      reasons: fc.integer({ min: 1, max: 7 }),
      isMember: fc.boolean(),
      isMuting: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(candidate, { selector: ({ handle }) => handle }),
        fc.boolean(),
        (candidates, hidden) => {
          const all = candidates.map((one) => ({ ...one, agentId: one.handle }));
          const expected = all.filter(
            ({ handle, isMember, isMuting }) =>
              handle !== 'me' && !isMuting && (isMember || !hidden),
          );
          expect(selectRecipients(all, 'me', { private: hidden })).toEqual(expected);
        },
      ),
    );
  });
});

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
