import { readFile } from 'node:fs/promises';
import { EmbeddedServerError } from './embedded-errors.ts';

/** The operating system's user as whom the database runs. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** We are root and must become this user for everything that runs the database's programs. */
  readonly switched: boolean;
}

interface Entry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const preferred = ['stoa', 'postgres', 'nobody', 'daemon'];

/** The lines of /etc/passwd; empty where there is none. */
async function passwd(): Promise<Entry[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/**
 * Whom the database runs as: ourselves, unless we are root, as whom PostgreSQL refuses to run.
 * Then the owner of the existing cluster, so that starting once as root takes nothing from the user who made it;
 * else the first of `stoa`, `postgres`, `nobody` and `daemon` that /etc/passwd knows (initdb looks its user up there).
 * @throws EmbeddedServerError when root finds none of them
 */
export async function chooseAccount(owner?: { uid: number; gid: number }): Promise<Account> {
  const uid = process.getuid?.() ?? -1;
  const gid = process.getgid?.() ?? -1;
  const known = await passwd();
  if (uid !== 0)
    return {
      name: known.find((entry) => entry.uid === uid)?.name ?? String(uid),
      uid,
      gid,
      switched: false,
    };
  if (owner && owner.uid > 0) {
    const entry = known.find((candidate) => candidate.uid === owner.uid);
    return {
      name: entry?.name ?? String(owner.uid),
      uid: owner.uid,
      gid: entry?.gid ?? owner.gid,
      switched: true,
    };
  }
  for (const name of preferred) {
    const entry = known.find((candidate) => candidate.name === name && candidate.uid > 0);
    if (entry) return { ...entry, switched: true };
  }
  throw new EmbeddedServerError(
    'PostgreSQL does not run as root and /etc/passwd has no user "stoa", "postgres" or "nobody" to run it as: add a user "stoa", start Stoa as an ordinary user, or set DATABASE_URL.',
  );
}

/** Options of `spawn` that run a program as the account. Node drops root's supplementary groups by itself. */
export function as(account: Account): { uid?: number; gid?: number } {
  return account.switched ? { uid: account.uid, gid: account.gid } : {};
}
