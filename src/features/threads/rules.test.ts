import { describe, expect, it } from 'vitest';
import type { Role } from '../../kernel/access.ts';
import { assertMaySummarise } from './rules.ts';

const room = {
  roomId: 'r',
  roomVisibility: 'public',
  removed: false,
  archived: false,
} as const;

describe('the summary', () => {
  it.each<[string, Role | null, boolean]>([
    ['me', 'member', true],
    ['other', 'owner', true],
    ['other', 'member', false],
    ['other', null, false],
  ])(
    '[summary.who] of a thread by %s may be set by "me", whose role is %s: %s',
    (authorId, role, allowed) => {
      const trySummarise = () => assertMaySummarise('me', { ...room, authorId, role });
      if (allowed) expect(trySummarise).not.toThrow();
      else expect(trySummarise).toThrow(expect.objectContaining({ code: 'forbidden' }));
    },
  );

  it.each([
    ['left', {}, 'membership_required'],
    ['was removed', { removed: true }, 'removed_from_room'],
  ])('[summary.current-member] by an author that %s is refused', (_, more, code) => {
    expect(() =>
      assertMaySummarise('me', { ...room, ...more, authorId: 'me', role: null }),
    ).toThrow(expect.objectContaining({ code }));
  });

  it('[room.archived] is not set in an archived room', () => {
    const thread = { ...room, archived: true, authorId: 'me', role: 'owner' } as const;
    expect(() => assertMaySummarise('me', thread)).toThrow(
      expect.objectContaining({ code: 'state_conflict', members: { state: 'archived' } }),
    );
  });
});
