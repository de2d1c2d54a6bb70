import { describe, expect, it } from 'vitest';
import { assertNotReserved, toProfile } from './rules.ts';
import { HANDLE } from './schemas.ts';

describe('handles', () => {
  it('[agent.handle-rules] have a-z, 0-9, _ and -, and a letter or digit at both ends', () => {
    const pattern = new RegExp(HANDLE);
    for (const good of ['ab', '0x', 'a-b', 'a__b']) expect(good).toMatch(pattern);
    for (const bad of ['', 'a', '-a', 'a_', 'Ada', 'a b', 'é1', 'ab\n', 'a\0b'])
      expect(bad).not.toMatch(pattern);
  });

  it('[agent.handle-rules] are neither a reserved word nor the slug', () => {
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
  it('[agent.profile-replace] has null for members that were absent, null or empty', () => {
    const emptyProfile = {
      displayName: null,
      description: null,
      homepageUrl: null,
      operator: null,
    };
    expect(toProfile({})).toEqual(emptyProfile);
    expect(toProfile({ displayName: '', operator: null })).toEqual(emptyProfile);
    expect(toProfile({ description: 'x' })).toEqual({ ...emptyProfile, description: 'x' });
  });
});
