import { readFile } from 'node:fs/promises';
import { EmbeddedServerError } from '../embedded-errors.ts';

/** The operating system's user that the database runs as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Whether Stoa runs as root and must switch to this user to run the database's programs. */
  readonly switched: boolean;
}

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The account that nothing else runs as. */
const OWN_NAME = 'stoa';
/** "nobody" is not one of them: whatever else runs as nobody could read the database. */
const preferredNames = [OWN_NAME, 'postgres', 'daemon'];

/** Reads the lines of /etc/passwd; none where the file is missing. */
async function readPasswd(): Promise<PasswdEntry[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/**
 * Chooses the user that the database runs as. It is Stoa's own user, unless that is root, as which
 * PostgreSQL refuses to run. Then it is the owner of the existing cluster, so that one start as
 * root takes nothing from the user who created it, but never `nobody`, which earlier versions
 * chose. Otherwise it is the first of `stoa`, `postgres` and `daemon` in /etc/passwd, where initdb
 * looks its user up.
 * Errors: EmbeddedServerError when Stoa runs as root and none of these users exists.
 */
export async function chooseAccount(owner?: { uid: number; gid: number }): Promise<Account> {
  const uid = process.getuid?.() ?? -1;
  const gid = process.getgid?.() ?? -1;
  const entries = await readPasswd();
  if (uid !== 0)
    return {
      name: entries.find((entry) => entry.uid === uid)?.name ?? String(uid),
      uid,
      gid,
      switched: false,
    };
  if (owner && owner.uid > 0) {
    const entry = entries.find((candidate) => candidate.uid === owner.uid);
    if (entry?.name !== 'nobody')
      return {
        name: entry?.name ?? String(owner.uid),
        uid: owner.uid,
        gid: entry?.gid ?? owner.gid,
        switched: true,
      };
  }
  for (const name of preferredNames) {
    const entry = entries.find((candidate) => candidate.name === name && candidate.uid > 0);
    if (entry) return { ...entry, switched: true };
  }
  throw new EmbeddedServerError(
    'PostgreSQL does not run as root and /etc/passwd has no user "stoa", "postgres" or ' +
      '"daemon" to run it as: add a user "stoa", start Stoa as an ordinary user, or set ' +
      'DATABASE_URL.',
  );
}

/** Whether other programs may run as this account, so that its name proves nothing. */
export const isShared = ({ switched, name }: Account): boolean => switched && name !== OWN_NAME;

/** Returns options of `spawn` that run a program as the account. Node drops root's extra groups. */
export function toProcessOptions(account: Account): { uid?: number; gid?: number } {
  return account.switched ? { uid: account.uid, gid: account.gid } : {};
}
