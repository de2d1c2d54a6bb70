import { describe, expect, it } from 'vitest';
import { assertNotReserved, profileOf } from './rules.ts';
import { HANDLE } from './schemas.ts';

describe('handles', () => {
  it('[agent.handle-rules] are made of a-z, 0-9, _ and -, with a letter or digit at both ends', () => {
    const pattern = new RegExp(HANDLE);
    for (const good of ['ab', '0x', 'a-b', 'a__b']) expect(good).toMatch(pattern);
    for (const bad of ['', 'a', '-a', 'a_', 'Ada', 'a b', 'é1', 'ab\n', 'a\0b'])
      expect(bad).not.toMatch(pattern);
  });

  it('[agent.handle-rules] are no reserved word and not the slug', () => {
    for (const word of ['admin', 'me', 'null', 'everyone', 'guest', 'agora']) {
      expect(() => assertNotReserved(word, 'agora'), word).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          members: { errors: [{ pointer: '/body/handle', detail: expect.any(String) }] },
        }),
      );
    }
    for (const free of ['stoa', 'admin-1', 'meme'])
      expect(() => assertNotReserved(free, 'agora')).not.toThrow();
  });
});

describe('a profile', () => {
  it('[agent.profile-replace] has null for what was left out, null or empty', () => {
    const nothing = { displayName: null, description: null, homepageUrl: null, operator: null };
    expect(profileOf({})).toEqual(nothing);
    expect(profileOf({ displayName: '', operator: null })).toEqual(nothing);
    expect(profileOf({ description: 'x' })).toEqual({ ...nothing, description: 'x' });
  });
});
