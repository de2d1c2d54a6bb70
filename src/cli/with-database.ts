import { userInfo } from 'node:os';
import type { Settings } from '../config.ts';
import { type DatabaseOptions, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { type Clock, systemClock, toIso } from '../kernel/clock.ts';
import { createIds, type NewId } from '../kernel/ids.ts';
import { openStore } from './open-store.ts';

/** Who sits at the machine. In a container the account may have no name. */
function getAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `account ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Who acts, when, and with which ids, as the audit shall know. */
interface CommandContext {
  readonly by: string;
  readonly clock: Clock;
  readonly now: string;
  readonly newId: NewId;
}

/** Runs work on the store of the settings, whether or not a service is running on it. */
export async function withDatabase<Result>(
  settings: Settings,
  work: (db: ReturnType<typeof openDatabase>, act: CommandContext) => Promise<Result>,
  options: Pick<DatabaseOptions, 'statementMs'> = {},
): Promise<Result> {
  const store = await openStore(settings, () => {}, true);
  try {
    await migrate(store.connection);
    const db = openDatabase(store.connection, { connections: 2, ...options });
    const clock = systemClock(settings.CLOCK_OFFSET_SECONDS);
    try {
      return await work(db, {
        by: `command line: ${getAccountName()}`,
        clock,
        now: toIso(clock()),
        newId: createIds(clock),
      });
    } finally {
      await db[Symbol.asyncDispose]();
    }
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
