import type { Settings } from '../config.ts';
import { latestMigration } from '../db/migrate.ts';
import { migrateStore, openStore } from './open-store.ts';

/** The command `migrate`: brings the schema up to date. It can run while services are running. */
export async function runMigrations(settings: Settings): Promise<void> {
  const store = await openStore(settings, () => {}, true);
  try {
    const ran = await migrateStore(store, settings, {
      report: (text) => process.stderr.write(`${text}\n`),
    });
    process.stdout.write(
      ran.length
        ? `Ran ${ran.join(', ')}. The schema is at migration ${latestMigration}.\n`
        : `Nothing to do: the schema is at migration ${latestMigration}.\n`,
    );
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
