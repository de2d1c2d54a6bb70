import { describe, expect, it } from 'vitest';
import { systemRandom } from '../ids.ts';
import { createDataVault } from './vault.ts';

const buildDataVault = (key: string | null) => createDataVault(key, systemRandom);
const one = 'ab'.repeat(32);
const another = 'cd'.repeat(32);
const secret = Buffer.from('a secret');

describe('a safe', () => {
  it('[research.key-sealed] opens only what was sealed under its key and for its subject', () => {
    const kept = buildDataVault(one).seal(secret, 'mine');
    expect(kept.includes(secret)).toBe(false);
    expect(buildDataVault(one).open(kept, 'mine')).toEqual(secret);
    const changed = Buffer.from(kept);
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
    for (const open of [
      () => buildDataVault(one).open(kept, 'yours'),
      () => buildDataVault(another).open(kept, 'mine'),
      () => buildDataVault(null).open(kept, 'mine'),
      () => buildDataVault(one).open(changed, 'mine'),
    ])
      expect(open).toThrow();
  });

  it('[research.key-sealed] keeps a secret open without a key, and reads it with one', () => {
    const kept = buildDataVault(null).seal(secret, 'mine');
    for (const key of [null, one]) expect(buildDataVault(key).open(kept, 'mine')).toEqual(secret);
  });
});
