import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import {
  getStatus,
  getTransition,
  type HookStatus,
  type HookTrigger,
  toStatusColumns,
} from './transitions.ts';

const statuses: HookStatus[] = [
  'none',
  'pending',
  'active',
  'delivery_failed',
  'credential_unavailable',
];
const impossible = 'cannot be';

/** The rows of the spec's table. Each column is a status before the trigger. */
const rows: readonly (readonly [HookTrigger, ...string[]])[] = [
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
      statuses.map((status, column) => [status, trigger, after[column]] as const),
    ),
  )('[webhook.transitions] that is %s, when %s: %s', (status, trigger, expected) => {
    const tryTransition = () => getTransition(status, trigger);
    if (expected === impossible) expect(tryTransition).toThrow(StoaError);
    else expect(`${tryTransition().status} ${tryTransition().notification}`).toBe(expected);
  });

  it('[webhook.transitions] that lost its credential cannot be verified', () => {
    expect(() => getTransition('credential_unavailable', 'verified')).toThrow(
      expect.objectContaining({ code: 'credential_unavailable' }),
    );
  });

  it('[webhook.transitions] has a status that its columns store', () => {
    for (const status of statuses)
      if (status !== 'none') expect(getStatus(toStatusColumns(status))).toBe(status);
    expect(toStatusColumns('active')).toEqual({ state: 'active', lastError: null });
    expect(toStatusColumns('delivery_failed')).toEqual({
      state: 'failed',
      lastError: 'delivery_failed',
    });
  });
});
