import { userInfo } from 'node:os';
import type { Settings } from '../config.ts';
import { type DatabaseOptions, openDatabase } from '../db/database.ts';
import { type Clock, systemClock, toIso } from '../kernel/clock.ts';
import { createIds, type NewId } from '../kernel/ids.ts';
import { migrateStore, openInstallation } from './open-store.ts';

/** Returns the name of the user at this machine. In a container the account may have no name. */
function getAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `account ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * The facts of a command that the audit log records: who acts, when, and the ids of its entries.
 */
interface CommandContext {
  readonly by: string;
  readonly clock: Clock;
  readonly now: string;
  readonly newId: NewId;
}

interface WorkOptions extends Pick<DatabaseOptions, 'statementMs'> {
  /** Whether the work needs the owner of the tables. */
  readonly asOwner?: boolean;
}

/** Migrates the database of the settings and runs work on it. A service may be running on it. */
export async function withDatabase<Result>(
  settings: Settings,
  work: (db: ReturnType<typeof openDatabase>, context: CommandContext) => Promise<Result>,
  { asOwner = false, ...options }: WorkOptions = {},
): Promise<Result> {
  const store = await openInstallation(settings);
  try {
    await migrateStore(store, settings);
    const connection = asOwner ? store.owner : store.connection;
    const db = openDatabase(connection, { connections: 2, ...options });
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
