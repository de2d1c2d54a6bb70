import { userInfo } from 'node:os';
import type { Settings } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { type Act, createAdminKey, listAdminKeys, revokeAdminKey } from '../features/keys/admin-keys.ts';
import { iso, systemClock } from '../kernel/clock.ts';
import { createIds, systemRandom } from '../kernel/ids.ts';
import { openStore } from './database.ts';
import { CommandError } from './sentence-of.ts';

/** Who sits at the machine. In a container the account may have no name. */
function account(): string {
  try {
    return userInfo().username;
  } catch {
    return `account ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Runs work on the store of the settings, whether or not a service is running on it. */
async function withDatabase<Result>(settings: Settings, work: (db: ReturnType<typeof openDatabase>, act: Act) => Promise<Result>): Promise<Result> {
  const store = await openStore(settings, () => {}, true);
  try {
    await migrate(store.connection);
    const db = openDatabase(store.connection, { connections: 2 });
    const clock = systemClock(settings.CLOCK_OFFSET_SECONDS);
    try {
      return await work(db, { by: `command line: ${account()}`, now: iso(clock()), newId: createIds(clock) });
    } finally {
      await db[Symbol.asyncDispose]();
    }
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);

export async function adminKeyCreate(settings: Settings, name: string): Promise<void> {
  const { id, key } = await withDatabase(settings, (db, act) => createAdminKey(db, { ...act, name, random: systemRandom }));
  process.stderr.write(`Administrator key "${name}" (${id}). It is shown only now; send it in the header X-Admin-Key.\n`);
  say(key);
}

export async function adminKeyList(settings: Settings): Promise<void> {
  const keys = await withDatabase(settings, (db) => listAdminKeys(db));
  if (keys.length === 0) process.stderr.write('There are no administrator keys. Make one with: stoa admin-key create --name <who>\n');
  for (const { id, prefix, name, createdAt, revokedAt } of keys)
    say(`${id}  ${prefix}…  ${createdAt}  ${revokedAt ? `revoked ${revokedAt}` : 'active'}  ${name}`);
}

export async function adminKeyRevoke(settings: Settings, id: string): Promise<void> {
  const revoked = await withDatabase(settings, (db, act) => revokeAdminKey(db, id, act));
  if (!revoked) throw new CommandError(`There is no active administrator key ${id}. List them with: stoa admin-key list`);
  process.stderr.write(`Revoked ${id}.\n`);
}
