import { describe, expect, it } from 'vitest';
import { systemRandom } from '../ids.ts';
import { createSafe } from './vault.ts';

const safeOf = (key: string | null) => createSafe(key, systemRandom);
const [one, another] = ['ab'.repeat(32), 'cd'.repeat(32)];
const secret = Buffer.from('a secret');

describe('a safe', () => {
  it('[research.key-sealed] opens what was sealed under its key, for what it is about, and nothing else', () => {
    const kept = safeOf(one).seal(secret, 'mine');
    expect(kept.includes(secret)).toBe(false);
    expect(safeOf(one).open(kept, 'mine')).toEqual(secret);
    const changed = Buffer.from(kept);
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
    for (const open of [
      () => safeOf(one).open(kept, 'yours'),
      () => safeOf(another).open(kept, 'mine'),
      () => safeOf(null).open(kept, 'mine'),
      () => safeOf(one).open(changed, 'mine'),
    ])
      expect(open).toThrow();
  });

  it('[research.key-sealed] keeps a secret as it is where there is no key, and finds it when there is one', () => {
    const kept = safeOf(null).seal(secret, 'mine');
    for (const key of [null, one]) expect(safeOf(key).open(kept, 'mine')).toEqual(secret);
  });
});
