import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonBits } from '../../kernel/effects.ts';
import { selectRecipients } from '../events/rules.ts';
import { assertBodyFits, describeNotified, filterExistingHandles, noDeferred } from './rules.ts';

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
