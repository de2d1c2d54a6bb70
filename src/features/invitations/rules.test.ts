import { describe, expect, it } from 'vitest';
import {
  assertMayDecline,
  assertMayRevoke,
  findEarlierAcceptance,
  getState,
  type InvitationFacts,
} from './rules.ts';

const before = '2026-01-01T00:00:00.000Z';
const now = '2026-01-02T00:00:00.000Z';
const after = '2026-01-03T00:00:00.000Z';
const open: InvitationFacts = {
  createdBy: 'eve',
  number: 5,
  acceptedBy: null,
  acceptedAt: null,
  revokedAt: null,
  declinedAt: null,
  expiresAt: after,
};
const used = { ...open, acceptedBy: 'ada', acceptedAt: before };
const revoked = { ...open, revokedAt: before };
const declined = { ...open, declinedAt: before };
const expired = { ...open, expiresAt: now };

const inviter = { ownerId: 'eve', makerBlocked: false };
const neverMember = { ...inviter, joinedAt: null, removalNumber: null };
const member = { ...inviter, joinedAt: before, removalNumber: null };

describe('accepting', () => {
  it('[invite.accept] makes an agent a member', () => {
    expect(findEarlierAcceptance(open, 'ada', neverMember, now)).toBeNull();
  });

  it('[invite.accept] returns the same answer to its member, even after it expired', () => {
    expect(findEarlierAcceptance({ ...used, expiresAt: before }, 'ada', member, now)).toBe(before);
  });

  it('[invite.accept] changes nothing for an agent that is already a member', () => {
    expect(findEarlierAcceptance(open, 'bob', member, now)).toBe(before);
  });

  it.each([
    ['used', used, 'bob', neverMember],
    ['used', used, 'bob', member],
    ['used', { ...used, expiresAt: before }, 'bob', neverMember],
    // The agent accepted and then left or was removed. An invitation admits only once.
    ['used', used, 'ada', neverMember],
    ['revoked', { ...revoked, expiresAt: before }, 'bob', neverMember],
    ['revoked', open, 'bob', { ...neverMember, ownerId: 'ada' }],
    ['revoked', open, 'bob', { ...neverMember, makerBlocked: true }],
    ['declined', { ...declined, expiresAt: before }, 'bob', neverMember],
    ['expired', expired, 'bob', neverMember],
    ['expired', expired, 'bob', member],
  ] as const)('[invite.gone] is gone when %s', (reason, invitation, agentId, standing) => {
    expect(() => findEarlierAcceptance(invitation, agentId, standing, now)).toThrow(
      expect.objectContaining({ code: 'gone', members: { reason } }),
    );
  });

  it('[invite.older-than-removal] is refused to whoever was removed after it was made', () => {
    const accept = (removalNumber: number, joinedAt: string | null = null) =>
      findEarlierAcceptance(open, 'ada', { ...inviter, joinedAt, removalNumber }, now);
    expect(() => accept(6)).toThrow(expect.objectContaining({ code: 'removed_from_room' }));
    expect(accept(4)).toBeNull();
    expect(accept(6, before)).toBe(before);
  });

  it('[invite.create] is possible until the last millisecond before expiresAt', () => {
    expect(getState({ ...open, expiresAt: '2026-01-02T00:00:00.001Z' }, now)).toBe('open');
    expect(getState(expired, now)).toBe('expired');
  });
});

describe('revoking', () => {
  it('[invite.revoke] is refused for a used invitation only', () => {
    for (const invitation of [open, revoked, declined, expired])
      expect(() => assertMayRevoke(invitation)).not.toThrow();
    expect(() => assertMayRevoke(used)).toThrow(
      expect.objectContaining({ code: 'state_conflict', members: { state: 'used' } }),
    );
  });
});

describe('declining', () => {
  it('[invite.by-name] is refused for a used invitation only', () => {
    for (const invitation of [open, revoked, declined, expired])
      expect(() => assertMayDecline(invitation)).not.toThrow();
    expect(() => assertMayDecline(used)).toThrow(
      expect.objectContaining({ code: 'state_conflict', members: { state: 'used' } }),
    );
  });
});
