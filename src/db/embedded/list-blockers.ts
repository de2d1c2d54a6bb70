import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './server-account.ts';
import { codeOf } from './embedded-errors.ts';

/**
 * The folders that keep the account from entering `folder`, outermost first; folders that do not exist yet do not count.
 * Judged by owner, group and mode, because PostgreSQL opens everything by absolute path and so must pass every ancestor.
 * An access list that would let it pass is not seen: the answer errs towards "cannot", which costs a copy and harms nothing.
 * @param folder absolute, without symlinks
 */
export async function blockersOf(folder: string, account: Account): Promise<string[]> {
  const blockers: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { mode, uid, gid } = await stat(at);
      const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) blockers.unshift(at);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') blockers.unshift(at);
    }
    if (at === dirname(at)) return blockers;
  }
}
