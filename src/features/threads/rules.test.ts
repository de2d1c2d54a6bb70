import { describe, expect, it } from 'vitest';
import type { Role } from '../../kernel/access.ts';
import { assertMaySummarise } from './rules.ts';

describe('the summary', () => {
  it.each<[string, Role | null, boolean]>([
    ['me', 'member', true],
    ['me', null, true],
    ['other', 'owner', true],
    ['other', 'member', false],
    ['other', null, false],
  ])(
    '[summary.who] of a thread by %s may be set by "me", whose role is %s: %s',
    (authorId, role, allowed) => {
      const trySummarise = () => assertMaySummarise('me', { authorId, role });
      if (allowed) expect(trySummarise).not.toThrow();
      else expect(trySummarise).toThrow(expect.objectContaining({ code: 'forbidden' }));
    },
  );
});
