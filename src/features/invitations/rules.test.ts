import { describe, expect, it } from 'vitest';
import { assertMayRevoke, findEarlierAcceptance, getState, type InvitationFacts } from './rules.ts';

const before = '2026-01-01T00:00:00.000Z';
const now = '2026-01-02T00:00:00.000Z';
const after = '2026-01-03T00:00:00.000Z';
const open: InvitationFacts = {
  acceptedBy: null,
  acceptedAt: null,
  revokedAt: null,
  expiresAt: after,
};
const used = { ...open, acceptedBy: 'ada', acceptedAt: before };
const revoked = { ...open, revokedAt: before };
const expired = { ...open, expiresAt: now };

describe('accepting', () => {
  it('[invite.accept] makes an agent a member', () => {
    expect(findEarlierAcceptance(open, 'ada', null, now)).toBeNull();
  });

  it('[invite.accept] returns the same answer to its member, even after it expired', () => {
    expect(findEarlierAcceptance({ ...used, expiresAt: before }, 'ada', before, now)).toBe(before);
  });

  it('[invite.accept] changes nothing for an agent that is already a member', () => {
    expect(findEarlierAcceptance(open, 'bob', before, now)).toBe(before);
  });

  it.each([
    ['used', used, 'bob', null],
    ['used', used, 'bob', before],
    ['used', { ...used, expiresAt: before }, 'bob', null],
    // The agent accepted and then left or was removed. An invitation admits only once.
    ['used', used, 'ada', null],
    ['revoked', { ...revoked, expiresAt: before }, 'bob', null],
    ['expired', expired, 'bob', null],
    ['expired', expired, 'bob', before],
  ] as const)('[invite.gone] is gone when %s', (reason, invitation, agentId, joinedAt) => {
    expect(() => findEarlierAcceptance(invitation, agentId, joinedAt, now)).toThrow(
      expect.objectContaining({ code: 'gone', members: { reason } }),
    );
  });

  it('[invite.create] is possible until the last millisecond before expiresAt', () => {
    expect(getState({ ...open, expiresAt: '2026-01-02T00:00:00.001Z' }, now)).toBe('open');
    expect(getState(expired, now)).toBe('expired');
  });
});

describe('revoking', () => {
  it('[invite.revoke] is refused for a used invitation only', () => {
    for (const invitation of [open, revoked, expired])
      expect(() => assertMayRevoke(invitation)).not.toThrow();
    expect(() => assertMayRevoke(used)).toThrow(
      expect.objectContaining({ code: 'state_conflict', members: { state: 'used' } }),
    );
  });
});
