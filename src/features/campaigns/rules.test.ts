import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowance,
  assertNoticesFit,
  type Limits,
  NOTICE_BYTES,
  noticeOf,
  stateAfter,
} from './rules.ts';
import { campaignStates, machine, triggers } from './transitions.ts';

const limit = fc.option(fc.integer({ min: 1, max: 12 }));

describe('a notice', () => {
  it('[campaign.notice] [campaign.bytes] is its parts and nothing else, and refused by its bytes alone', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 });
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), (variant, disclosures) => {
        const notice = noticeOf({ text: variant }, disclosures);
        const parts = [variant, ...disclosures];
        expect(Buffer.byteLength(notice)).toBe(
          parts.reduce((bytes, part) => bytes + Buffer.byteLength(part), 2 * disclosures.length),
        );
        expect(parts.every((part) => notice.includes(part))).toBe(true);
        const check = () => assertNoticesFit([{ id: 'a', text: variant }], disclosures);
        if (Buffer.byteLength(notice) <= NOTICE_BYTES) check();
        else expect(check).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
      }),
    );
  });
});

describe('the limits', () => {
  it('[campaign.legacy-limits] [campaign.override] leave what was not sent yet, whatever comes in which order', () => {
    const day = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 });
    fc.assert(
      fc.property(limit, limit, fc.array(day, { maxLength: 6 }), (daily, total, days) => {
        const limits: Limits = { daily, total };
        let all = 0;
        for (const wishes of days) {
          let today = 0;
          for (const wish of wishes) {
            let may = 0;
            try {
              may = allowance(limits, { today, total: all });
              expect(may).toBeGreaterThan(0);
            } catch (error) {
              expect(error).toMatchObject({
                code: 'limit_exceeded',
                members: { limit: all === total ? total : daily },
              });
            }
            today += Math.min(wish, may);
            all += Math.min(wish, may);
          }
          expect(today).toBeLessThanOrEqual(daily ?? Number.POSITIVE_INFINITY);
        }
        expect(all).toBeLessThanOrEqual(total ?? Number.POSITIVE_INFINITY);
      }),
    );
  });
});

describe('the states', () => {
  it('[campaign.states] end with stopped, whatever is tried', () => {
    for (const trigger of triggers)
      expect(() => stateAfter('stopped', trigger)).toThrow(
        expect.objectContaining({ code: 'state_conflict', members: { state: 'stopped' } }),
      );
    for (const state of campaignStates.filter((one) => one !== 'stopped'))
      expect(stateAfter(state, 'stop')).toBe('stopped');
    // Nothing is sent of what was not published.
    expect(Object.keys(machine.draft).sort()).toEqual(['prepare', 'stop']);
  });
});
