import { linkSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { lchown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeOwner } from './change-owner.ts';

const account = { name: 'stoa', uid: 5001, gid: 5001, switched: true };
const getOwner = (path: string): number => statSync(path).uid;

describe.runIf(process.getuid?.() === 0)('changeOwner', () => {
  const create = () => {
    const root = mkdtempSync(join(tmpdir(), 'stoa-owner-'));
    const elsewhere = join(root, 'elsewhere');
    const own = join(root, 'own');
    for (const folder of [elsewhere, own]) {
      mkdirSync(join(folder, 'inner'), { recursive: true });
      writeFileSync(join(folder, 'inner', 'file'), 'text');
    }
    return { root, elsewhere, own };
  };

  it('[start.drops-root] gives a folder with all that is in it, and follows no link', async () => {
    const { elsewhere, own } = create();
    symlinkSync(elsewhere, join(own, 'link'));
    await changeOwner(account, own);
    expect(['', 'inner', 'inner/file'].map((name) => getOwner(join(own, name)))).toEqual([
      5001, 5001, 5001,
    ]);
    expect(['', 'inner', 'inner/file'].map((name) => getOwner(join(elsewhere, name)))).toEqual([
      0, 0, 0,
    ]);
  });

  it('[attack.14-4] (ASVS 12.3) does not follow a link that somebody else made', async () => {
    const { root, elsewhere, own } = create();
    const link = join(root, 'files');
    symlinkSync(elsewhere, link);
    await lchown(link, 5001, 5001);
    await expect(changeOwner(account, link)).rejects.toThrow(`${link} is a link`);
    expect(getOwner(join(elsewhere, 'inner/file'))).toBe(0);
    // One that root made leads to where root wants the files.
    const chosen = join(root, 'chosen');
    symlinkSync(own, chosen);
    await changeOwner(account, chosen);
    expect(getOwner(join(own, 'inner/file'))).toBe(5001);
  });

  it('[attack.14-4] (ASVS 12.3) gives no file that has another name elsewhere', async () => {
    const { elsewhere, own } = create();
    linkSync(join(elsewhere, 'inner/file'), join(own, 'hard'));
    await expect(changeOwner(account, own)).rejects.toThrow(`${join(own, 'hard')} has a second`);
    expect(getOwner(join(elsewhere, 'inner/file'))).toBe(0);
  });
});
