import { describe, expect, it } from 'vitest';
import type { Role, RoomFacts } from '../../kernel/access.ts';
import { assertMayJoin, assertMayRemove } from './rules.ts';

const room = (role: Role | null): RoomFacts => ({ roomId: 'r', roomVisibility: 'public', role });
const removing = (mine: Role | null, memberId: string, role: Role | null) => () =>
  assertMayRemove(room(mine), 'me', memberId, role);

describe('joining', () => {
  it('[member.join] is open to whoever was not removed', () => {
    expect(() => assertMayJoin({ removed: false })).not.toThrow();
  });

  it('[member.removed-rejoin] is refused to the removed', () => {
    expect(() => assertMayJoin({ removed: true })).toThrow(
      expect.objectContaining({ code: 'removed_from_room' }),
    );
  });
});

describe('ending a membership', () => {
  it('[member.remove] is for the owner, and for oneself', () => {
    expect(removing('owner', 'other', 'member')).not.toThrow();
    expect(removing('member', 'me', 'member')).not.toThrow();
  });

  it.each<[Role | null, Role | null]>([
    ['member', 'member'],
    ['member', 'owner'],
    ['member', null],
    [null, 'member'],
    [null, null],
  ])('[member.remove] of another by %s is forbidden, be it %s', (mine, role) => {
    expect(removing(mine, 'other', role)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  it('[member.owner-stays] is a state conflict for the owner itself', () => {
    expect(removing('owner', 'me', 'owner')).toThrow(
      expect.objectContaining({ code: 'state_conflict', members: { state: 'owner' } }),
    );
  });

  it('[member.remove] of a stranger is not_found', () => {
    expect(removing('owner', 'other', null)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    expect(removing(null, 'me', null)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});
