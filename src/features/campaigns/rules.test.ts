import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertNoticesFit, buildNotice, MAX_NOTICE_BYTES } from './notices.rules.ts';
import { type CampaignLimits, getAllowance, getStateAfter } from './rules.ts';
import { campaignMachine, campaignStates, campaignTriggers } from './transitions.ts';

const limit = fc.option(fc.integer({ min: 1, max: 12 }));

describe('a notice', () => {
  it('[campaign.notice] [campaign.bytes] is its parts, and is rejected only for its bytes', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 });
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), (variant, disclosures) => {
        const notice = buildNotice({ text: variant }, disclosures);
        const parts = [variant, ...disclosures];
        expect(Buffer.byteLength(notice)).toBe(
          parts.reduce((bytes, part) => bytes + Buffer.byteLength(part), 2 * disclosures.length),
        );
        expect(parts.every((part) => notice.includes(part))).toBe(true);
        const check = () => assertNoticesFit([{ id: 'a', text: variant }], disclosures);
        if (Buffer.byteLength(notice) <= MAX_NOTICE_BYTES) check();
        else expect(check).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
      }),
    );
  });
});

describe('the limits', () => {
  it('[campaign.legacy-limits] [campaign.override] are never exceeded, in any order', () => {
    const day = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 });
    fc.assert(
      fc.property(limit, limit, fc.array(day, { maxLength: 6 }), (daily, total, days) => {
        const limits: CampaignLimits = { daily, total };
        let all = 0;
        for (const wishes of days) {
          let today = 0;
          for (const wish of wishes) {
            let allowed = 0;
            try {
              allowed = getAllowance(limits, { today, total: all });
              expect(allowed).toBeGreaterThan(0);
            } catch (error) {
              expect(error).toMatchObject({
                code: 'limit_exceeded',
                members: { limit: all === total ? total : daily },
              });
            }
            today += Math.min(wish, allowed);
            all += Math.min(wish, allowed);
          }
          expect(today).toBeLessThanOrEqual(daily ?? Number.POSITIVE_INFINITY);
        }
        expect(all).toBeLessThanOrEqual(total ?? Number.POSITIVE_INFINITY);
      }),
    );
  });
});

describe('the states', () => {
  it('[campaign.states] end with stopped, whatever the trigger', () => {
    for (const trigger of campaignTriggers)
      expect(() => getStateAfter('stopped', trigger)).toThrow(
        expect.objectContaining({ code: 'state_conflict', members: { state: 'stopped' } }),
      );
    for (const state of campaignStates.filter((one) => one !== 'stopped'))
      expect(getStateAfter(state, 'stop')).toBe('stopped');
    // A campaign sends nothing before its notices are published.
    expect(Object.keys(campaignMachine.draft).sort()).toEqual(['prepare', 'stop']);
  });
});
