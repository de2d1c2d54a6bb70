import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import { next, type Standing, standingOf, stated, type Trigger } from './transitions.ts';

const standings: Standing[] = [
  'none',
  'pending',
  'active',
  'delivery_failed',
  'credential_unavailable',
];
const impossible = 'cannot be';

/** The spec's rows, a column a standing before. */
const rows: readonly (readonly [Trigger, ...string[]])[] = [
  // trigger, none, pending, active, delivery_failed, credential_unavailable
  [
    'configured',
    'pending none',
    'pending discarded',
    'pending discarded',
    'pending discarded',
    'pending discarded',
  ],
  ['repeated', impossible, 'pending kept', 'active kept', 'delivery_failed kept', impossible],
  ['verified', impossible, 'active kept', 'active kept', 'active resumed', impossible],
  ['exhausted', impossible, 'delivery_failed kept', 'delivery_failed kept', impossible, impossible],
  ['credentialLost', impossible, ...Array(4).fill('credential_unavailable kept')],
  ['deleted', 'none none', ...Array(4).fill('none discarded')],
];

describe('a webhook', () => {
  it.each(
    rows.flatMap(([trigger, ...after]) =>
      standings.map((standing, at) => [standing, trigger, after[at]] as const),
    ),
  )('[webhook.transitions] that is %s, when %s: %s', (standing, trigger, expected) => {
    const attempt = () => next(standing, trigger);
    if (expected === impossible) expect(attempt).toThrow(StoaError);
    else expect(`${attempt().standing} ${attempt().notification}`).toBe(expected);
  });

  it('[webhook.transitions] that lost its credential says so to whoever verifies it', () => {
    expect(() => next('credential_unavailable', 'verified')).toThrow(
      expect.objectContaining({ code: 'credential_unavailable' }),
    );
  });

  it('[webhook.transitions] is stored as it stands', () => {
    for (const standing of standings)
      if (standing !== 'none') expect(standingOf(stated(standing))).toBe(standing);
    expect(stated('active')).toEqual({ state: 'active', lastError: null });
    expect(stated('delivery_failed')).toEqual({ state: 'failed', lastError: 'delivery_failed' });
  });
});
