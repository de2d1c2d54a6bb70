import { describe, expect, it } from 'vitest';
import { acceptedEarlier, assertMayRevoke, type InvitationFacts, stateOf } from './rules.ts';

const [before, now, after] = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-02T00:00:00.000Z',
  '2026-01-03T00:00:00.000Z',
];
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
  it('[invite.accept] makes a member of whoever is none', () => {
    expect(acceptedEarlier(open, 'ada', null, now)).toBeNull();
  });

  it('[invite.accept] gives the member that it made the same answer, also after it expired', () => {
    expect(acceptedEarlier({ ...used, expiresAt: before }, 'ada', before, now)).toBe(before);
  });

  it('[invite.accept] changes nothing for an agent that is a member already', () => {
    expect(acceptedEarlier(open, 'bob', before, now)).toBe(before);
  });

  it.each([
    ['used', used, 'bob', null],
    ['used', used, 'bob', before],
    ['used', { ...used, expiresAt: before }, 'bob', null],
    // Left or removed since: the invitation has made its one member.
    ['used', used, 'ada', null],
    ['revoked', { ...revoked, expiresAt: before }, 'bob', null],
    ['expired', expired, 'bob', null],
    ['expired', expired, 'bob', before],
  ] as const)('[invite.gone] is gone when %s', (reason, invitation, agentId, joinedAt) => {
    expect(() => acceptedEarlier(invitation, agentId, joinedAt, now)).toThrow(
      expect.objectContaining({ code: 'gone', members: { reason } }),
    );
  });

  it('[invite.create] is possible until the last millisecond before expiresAt', () => {
    expect(stateOf({ ...open, expiresAt: '2026-01-02T00:00:00.001Z' }, now)).toBe('open');
    expect(stateOf(expired, now)).toBe('expired');
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
