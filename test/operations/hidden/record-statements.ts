import pg from 'pg';
import { vi } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { afterFile } from '../../support/each-file.ts';

type RunQuery = (...given: unknown[]) => unknown;

/** The text of a statement, however it was handed to the driver. */
const getText = (given: unknown): string =>
  typeof given === 'string' ? given : String((given as { text?: unknown }).text ?? '');

let recorded: string[] | undefined;
const prototype = pg.Client.prototype as unknown as { query: RunQuery };

/**
 * Lets `recordStatements` see the statements of clients that connect from now on. A file calls it
 * before it starts an app, and it ends with the file: files of one worker share this module.
 */
export function watchStatements(): void {
  const runQuery = prototype.query;
  prototype.query = function query(this: unknown, ...given: unknown[]) {
    recorded?.push(getText(given[0]));
    return runQuery.apply(this, given);
  };
  afterFile(() => {
    prototype.query = runQuery;
  });
}

/** The hub wakes other nodes after a call was answered. */
const isLate = (statement: string): boolean => statement.includes('pg_notify(');

/** Waits until nothing uses a connection: a refusal does not wait for statements beside it. */
const waitUntilQuiet = ({ pool }: Database) =>
  vi.waitUntil(() => pool.waitingCount === 0 && pool.idleCount === pool.totalCount, {
    timeout: 15_000,
    interval: 2,
  });

/**
 * Runs work and records the statements that this process sends for it, sorted. What an earlier
 * call left behind its answer, such as a commit, ends before the recording begins.
 */
export async function recordStatements<Result>(
  db: Database,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly statements: readonly string[] }> {
  const statements: string[] = [];
  await waitUntilQuiet(db);
  recorded = statements;
  try {
    const result = await work();
    await waitUntilQuiet(db);
    return { result, statements: statements.filter((one) => !isLate(one)).sort() };
  } finally {
    recorded = undefined;
  }
}
