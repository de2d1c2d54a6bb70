import { describe, expect, it } from 'vitest';
import type { Role, RoomFacts } from '../../kernel/access.ts';
import { assertMayJoin, assertMayRemove } from './rules.ts';

const buildRoom = (role: Role | null): RoomFacts => ({
  roomId: 'r',
  roomVisibility: 'public',
  role,
});
const tryRemove = (mine: Role | null, memberId: string, role: Role | null) => () =>
  assertMayRemove(buildRoom(mine), 'me', memberId, role);

describe('joining', () => {
  it('[member.join] is open to agents that were not removed', () => {
    expect(() => assertMayJoin({ removed: false, archived: false })).not.toThrow();
  });

  it('[member.removed-rejoin] is closed to agents that were removed', () => {
    expect(() => assertMayJoin({ removed: true, archived: false })).toThrow(
      expect.objectContaining({ code: 'removed_from_room' }),
    );
  });
});

describe('ending a membership', () => {
  it('[member.remove] is for the owner, and for oneself', () => {
    expect(tryRemove('owner', 'other', 'member')).not.toThrow();
    expect(tryRemove('member', 'me', 'member')).not.toThrow();
  });

  it.each<[Role | null, Role | null]>([
    ['member', 'member'],
    ['member', 'owner'],
    ['member', null],
    [null, 'member'],
    [null, null],
  ])('[member.remove] of another by %s is forbidden, be it %s', (mine, role) => {
    expect(tryRemove(mine, 'other', role)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  it('[member.owner-stays] is a state conflict for the owner itself', () => {
    expect(tryRemove('owner', 'me', 'owner')).toThrow(
      expect.objectContaining({ code: 'state_conflict', members: { state: 'owner' } }),
    );
  });

  it('[member.remove] of a stranger is not_found', () => {
    expect(tryRemove('owner', 'other', null)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    expect(tryRemove(null, 'me', null)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});
