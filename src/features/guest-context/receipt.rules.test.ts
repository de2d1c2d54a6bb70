import { describe, expect, it } from 'vitest';
import { installation } from '../../../test/support/installation.ts';
import { buildPayload, toReceipt } from './receipt.rules.ts';

const now = '2026-03-01T12:10:00.000Z';

describe('a receipt', () => {
  it('[guest.receipt] has the content of its signed payload', () => {
    const change = {
      id: 'r',
      contextId: 'c',
      action: 'written' as const,
      key: 'a',
      version: 2,
      valueSha256: 'f'.repeat(64),
      recordedAt: now,
    };
    const payload = buildPayload(change, installation);
    expect(payload).toEqual({
      v: 1,
      iss: 'https://stoa.example.org',
      realm: 'local',
      id: 'r',
      kind: 'guest-context.written',
      occurredAt: now,
      actor: { type: 'guest-context', id: 'c' },
      subject: { type: 'guest-context-entry', key: 'a', version: 2 },
      contentSha256: 'f'.repeat(64),
    });
    const { contextId: _, ...expectedReceipt } = change;
    expect(toReceipt(payload, 'h.p.s')).toEqual({ ...expectedReceipt, jws: 'h.p.s' });
    const deleted = { ...change, action: 'deleted' as const, valueSha256: null };
    expect(toReceipt(buildPayload(deleted, installation), 'a.b.c')).toMatchObject({
      action: 'deleted',
      valueSha256: null,
      jws: 'a.b.c',
    });
  });
});
