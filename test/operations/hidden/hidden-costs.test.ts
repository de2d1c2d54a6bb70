import pg from 'pg';
import { raw } from 'sql-template-tag';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { createContextKey, factories } from '../../support/factories.ts';
import { getCase } from '../cases.ts';
import {
  callOperation,
  createFixture,
  getUsualScope,
  type OperationInput,
  registry,
  toOutcomeCode,
} from '../fixture.ts';
import { nowhere } from '../inputs.ts';
import type { AccessRow } from '../operation-case.ts';
import { recordStatements, watchStatements } from './record-statements.ts';

watchStatements();
const app = await startApp(await allFeaturesOn(), { manualJobs: true });
const f = factories(app);
const fixture = await createFixture(f);
const guestKey = createContextKey();
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Calls about something that a stranger may not know of. */
const hiddenRows = registry.flatMap((operation) => {
  const { access } = getCase(operation.name);
  return (Array.isArray(access) ? (access as readonly AccessRow[]) : [])
    .filter(({ expected, input }) => expected.outsider === 'not_found' && input !== undefined)
    .map(({ on = '', input }) => ({ name: operation.name, operation, on, input }));
});

const isPublicRoom = (on: string): boolean => /public room$/.test(on) && !on.includes('thread');

/** The same call about an id that names nothing. */
const toMissing = (input: OperationInput): OperationInput => ({
  ...input,
  params: Object.fromEntries(
    Object.entries(input.params ?? {}).map(([name, value]) => [
      name,
      UUID.test(value) ? nowhere : value,
    ]),
  ),
});

/** Tables of callers, which every call reads and writes; all others hold what may be hidden. */
const callerTables = [
  'agents',
  'api_keys',
  'admin_keys',
  'capability_states',
  'idempotency_records',
  'idempotency_claims',
  'rate_buckets',
  'event_heads',
];

/** Runs work while another transaction holds every row that may be hidden. */
async function whileLocked(work: () => Promise<unknown>): Promise<void> {
  const client = new pg.Client(app.app.env.db.connection);
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(
      `SELECT tablename AS name
        FROM pg_tables
        WHERE schemaname = 'public'
          AND tablename <> ALL($1)
          AND NOT starts_with(tablename, 'log_')`,
      [callerTables],
    );
    for (const { name } of rows) await client.query(`SELECT 1 FROM ${name} FOR UPDATE`);
    await work();
  } finally {
    await client.end();
  }
}

describe('what a stranger may not know of', () => {
  it.for(hiddenRows)(
    '[error.not-found-cost] $name $on costs what an unknown id costs, and waits for no lock',
    async ({ operation, input, on }) => {
      const key = await f.getKeyWithScope(fixture.outsider, getUsualScope(operation));
      const hidden = (await input?.({ app, f, fixture, guestKey, caller: 'outsider' })) ?? {};
      const ask = async (about: OperationInput) =>
        toOutcomeCode(
          await callOperation(app.url, operation, about, {
            key,
            signal: AbortSignal.timeout(15_000),
          }),
        );
      // The first call with a key also notes that it was used.
      expect(await ask(toMissing(hidden))).toBe('not_found');
      const forMissing = await recordStatements(app.app.env.db, () => ask(toMissing(hidden)));
      const forHidden = await recordStatements(app.app.env.db, () => ask(hidden));
      expect(forHidden.result).toBe('not_found');
      expect(forHidden.statements).toEqual(forMissing.statements);
      // Anyone may know of a public room, and wait for a lock on it.
      if (!isPublicRoom(on))
        await whileLocked(async () => expect(await ask(hidden)).toBe('not_found'));
    },
  );

  it('[error.not-found-cost] is asked about by most operations on rooms and threads', async () => {
    expect(hiddenRows.length).toBeGreaterThan(40);
    const { statements } = await recordStatements(app.app.env.db, () =>
      app.app.env.db.rows(sql`SELECT ${raw('1')} AS found`),
    );
    expect(statements).toEqual(['SELECT 1 AS found']);
  });
});
