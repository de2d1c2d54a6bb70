import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findSystemCode } from '../embedded-errors.ts';
import type { Account } from './server-account.ts';

/**
 * Lists the folders that keep the account from entering `folder`, an absolute path without
 * symlinks. The outermost comes first, and folders that do not exist yet do not count. PostgreSQL
 * opens everything by absolute path, so it must pass every ancestor. The check looks at owner,
 * group and mode only. It misses an access list that grants passage; the cost of that mistake is
 * one copy.
 */
export async function listBlockers(folder: string, account: Account): Promise<string[]> {
  const blockers: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { mode, uid, gid } = await stat(at);
      const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) blockers.unshift(at);
    } catch (error) {
      if (findSystemCode(error) !== 'ENOENT') blockers.unshift(at);
    }
    if (at === dirname(at)) return blockers;
  }
}
