import { describe, expect, it } from 'vitest';
import { afterAccepted, getRetryDelayMs } from './hint-delivery.rules.ts';
import { afterVerified, type CheckedHook, configureHook } from './rules.ts';
import { MAX_ATTEMPTS } from './transitions.ts';

const time = '2026-03-01T12:00:00.000Z';
const at = Date.parse(time);
const fiveSecondsLater = '2026-03-01T12:00:05.000Z';
const hook: CheckedHook = configureHook({
  agentId: 'agent',
  id: 'hook',
  url: 'https://hooks.example/',
  host: 'hooks.example',
  sealedSecret: Buffer.alloc(0),
  keyId: 'key',
  cursor: 3,
  createdAt: time,
});

describe('the wait before the next attempt', () => {
  it('[hint.retry-schedule] is 5 s to 12 h, a fifth more or less', () => {
    const middle = [5, 30, 120, 600, 3600, 14_400, 43_200].map((seconds) => seconds * 1000);
    const failed = middle.map((_, index) => index + 1);
    expect(failed.at(-1)).toBe(MAX_ATTEMPTS - 1);
    expect(failed.map((attempts) => getRetryDelayMs(attempts, 0.5))).toEqual(middle);
    expect(failed.map((attempts) => getRetryDelayMs(attempts, 0))).toEqual(
      middle.map((delay) => delay * 0.8),
    );
    expect(failed.map((attempts) => getRetryDelayMs(attempts, 1))).toEqual(
      middle.map((delay) => delay * 1.2),
    );
  });
});

describe('a notification that was accepted', () => {
  const owed = { ...hook, deliveryId: 'x', deliveryHead: 5, attempts: 2 };

  it('[hint.in-flight] is followed by another five seconds later if more has arrived', () => {
    expect(afterAccepted(owed, 5, at)).toMatchObject({
      cursor: 5,
      deliveryId: null,
      attempts: 0,
      dueAt: null,
    });
    expect(afterAccepted(owed, 6, at)).toMatchObject({
      cursor: 5,
      deliveryId: null,
      attempts: 0,
      dueAt: fiveSecondsLater,
    });
  });
});

describe('a webhook that is verified', () => {
  it('[webhook.cursor-now] is due five seconds later if events arrived before', () => {
    expect(afterVerified(hook, 3, at)).toMatchObject({ state: 'active', dueAt: null });
    expect(afterVerified(hook, 4, at)).toMatchObject({
      state: 'active',
      dueAt: fiveSecondsLater,
    });
  });
});
