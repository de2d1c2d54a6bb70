import { expect, it } from 'vitest';
import { countEffects } from './charge-effects.ts';

const effects = { receipts: [], notices: [] } as unknown as Parameters<typeof countEffects>[0];

it('[attack.51-3] (API4) a call pays for a thousand agents at most, however many follow', () => {
  expect([0, 7, 1_000, 50_000].map((count) => countEffects(effects, count).told)).toEqual([
    0, 7, 1_000, 1_000,
  ]);
});
