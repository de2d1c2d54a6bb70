import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ROLE, SERVICE_ROLE } from '../roles.ts';
import { type Account, isShared } from './account/server-account.ts';

/** The operating system's user that Stoa runs as when it switches to another one. */
const ROOT = 'root';
const MAP = 'stoa';

/**
 * Builds pg_hba.conf. Only the owner of the socket's folder reaches the socket, which is proof
 * enough where that is the user who started Stoa. Where root did, the kernel names who connects.
 */
const buildRules = ({ switched }: Account): string =>
  `local all all ${switched ? `peer map=${MAP}` : 'trust'}\n`;

/** The first version of PostgreSQL that has a word for all roles in pg_ident.conf. */
const HAS_ALL = 16;

/**
 * Builds pg_ident.conf: root may connect as any role, and Stoa's own account as the service, which
 * serves with it. A shared account may not connect.
 */
const buildMap = (account: Account, superuser: string, major: number): string => {
  const roles = major >= HAS_ALL ? ['all'] : [superuser, OWNER_ROLE, SERVICE_ROLE];
  const lines = roles.map((role) => `${MAP} ${ROOT} ${role}\n`);
  if (!isShared(account)) lines.push(`${MAP} ${account.name} ${SERVICE_ROLE}\n`);
  return lines.join('');
};

/** Writes who may connect to a cluster, before each start of its server. */
export async function writeAuthentication(
  data: string,
  account: Account,
  superuser: string,
  major: number,
): Promise<void> {
  const files = {
    'pg_hba.conf': buildRules(account),
    'pg_ident.conf': buildMap(account, superuser, major),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(data, name);
    // Root never writes through a link that the account could have put there.
    await rm(path, { force: true });
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(text);
    // Given to the account by the open file: the name may be another file's by now.
    if (account.switched) await file.chown(account.uid, account.gid);
  }
}
