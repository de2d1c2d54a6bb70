import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from '../../bench/load/service.ts';
import { readPidFile } from '../../src/db/embedded/pid-file.ts';
import { listPostgres, sendSignal } from '../../src/db/embedded/processes.ts';
import type { FaultKind, PlannedFault } from './plan.ts';
import type { Post, Site } from './site.ts';

/** A connection that is cut at any byte lives for so many bytes at most. */
const MAX_BYTES = 20_000;
/** How long everybody goes on when nothing strikes any more. */
const AFTERWARDS_MS = 1_000;
const BETWEEN_UPGRADES_MS = 1_500;
const READY_MS = 60_000;

/** Tables that many kinds of acts write to. */
const struckTables = ['messages', 'idempotency_records', 'events', 'receipts', 'requests', 'files'];

/** Waits until the database answers, and every node says that it is ready. */
export async function waitUntilReady(site: Site): Promise<void> {
  const isReady = async (post: Post) =>
    (await fetch(`${post.url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  const late = Date.now() + READY_MS;
  for (;;) {
    const answers = await Promise.allSettled(site.posts.map(isReady));
    if (answers.every((one) => one.status === 'fulfilled' && one.value)) return;
    if (Date.now() > late) throw new Error(`Not all nodes are ready after ${READY_MS} ms.`);
    await sleep(100);
  }
}

/** Returns the folder of the one server. Errors: Error where the database is a cluster. */
function getDataFolder({ database }: Site): string {
  if (database.relayed) return database.relayed.data;
  throw new Error('This fault strikes a single server only.');
}

async function signalDatabase(site: Site, signal: NodeJS.Signals): Promise<void> {
  const file = await readPidFile(getDataFolder(site));
  if (file && Number.isInteger(file.pid)) sendSignal(file.pid, signal);
}

async function stopDatabase(site: Site, length: number): Promise<void> {
  const pids = await listPostgres(getDataFolder(site));
  for (const pid of pids) sendSignal(pid, 'SIGSTOP');
  await sleep(length);
  for (const pid of pids) sendSignal(pid, 'SIGCONT');
}

/** Lets statements, or COMMIT, fail with an error of the database for a while. */
async function failStatements(
  site: Site,
  { length, strength }: PlannedFault,
  code: string,
  atCommit: boolean,
): Promise<void> {
  const share = (0.05 + strength / 2).toFixed(3);
  const [{ tables } = { tables: [] }] = (await site.query(
    'SELECT array_agg(tablename::text) AS tables FROM pg_tables WHERE tablename = ANY($1)',
    [struckTables],
  )) as { tables: string[] }[];
  await site.query(`
    CREATE OR REPLACE FUNCTION strike() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF random() < TG_ARGV[0]::float THEN
        RAISE EXCEPTION 'struck' USING ERRCODE = TG_ARGV[1];
      END IF;
      RETURN NULL;
    END $$`);
  const kind = atCommit ? 'CONSTRAINT TRIGGER' : 'TRIGGER';
  const when = atCommit ? 'DEFERRABLE INITIALLY DEFERRED' : '';
  for (const table of tables)
    await site.query(
      `CREATE ${kind} strike AFTER INSERT ON ${table} ${when} FOR EACH ROW
       EXECUTE FUNCTION strike('${share}', '${code}')`,
    );
  await sleep(length);
  for (const table of tables) await site.query(`DROP TRIGGER IF EXISTS strike ON ${table}`);
}

/** Cuts connections of one relay for a while. */
const cutFor =
  (which: 'clients' | 'database' | 'store' | 'receiver') =>
  async (_: Site, post: Post, { length, strength }: PlannedFault) => {
    post[which]?.setCut({ bytes: 1 + Math.ceil(strength * MAX_BYTES) });
    await sleep(length);
    post[which]?.setCut(null);
  };

const failWith =
  (code: string, atCommit = false) =>
  (site: Site, _: Post, fault: PlannedFault) =>
    failStatements(site, fault, code, atCommit);

const strikes: Readonly<
  Record<FaultKind, (site: Site, post: Post, fault: PlannedFault) => Promise<void>>
> = {
  'kill-node': (_, { node }, { clockOffset }) => node.restart(clockOffset),
  'stop-node': (_, { node }, { length }) => node.pause(2 * length),
  'end-node': (_, { node }, { clockOffset }) => node.restart(clockOffset, 'SIGTERM'),
  'kill-database': (site) => signalDatabase(site, 'SIGKILL'),
  'stop-database': (site, _, { length }) => stopDatabase(site, length),
  'restart-database': (site) => signalDatabase(site, 'SIGINT'),
  'kill-both': async (site, { node }, { clockOffset }) => {
    await signalDatabase(site, 'SIGKILL');
    await node.restart(clockOffset);
  },
  'cut-clients': cutFor('clients'),
  'cut-database': cutFor('database'),
  'cut-store': cutFor('store'),
  'cut-receiver': cutFor('receiver'),
  'lose-commits': async (_, { database }, { length, strength }) => {
    database?.setCut({ pattern: Buffer.from('COMMIT'), share: 0.02 + strength / 5 });
    await sleep(length);
    database?.setCut(null);
  },
  'bad-receiver': async ({ receiver }, _, { length }) => {
    receiver.setBad(true);
    await sleep(length);
    receiver.setBad(false);
  },
  'serialization-failure': failWith('40001'),
  deadlock: failWith('40P01'),
  'full-disk': failWith('53100'),
  'fail-commits': failWith('40001', true),
  async upgrade(site) {
    const { code, output } = await site.run(['migrate']);
    if (code !== 0) throw new Error(`The schema could not be migrated: ${output}`);
    for (const { node } of site.posts) {
      // Both programs serve meanwhile.
      await sleep(BETWEEN_UPGRADES_MS);
      await node.replace(programPath);
    }
  },
};

/** Lets the faults of a plan strike one after the other. */
export async function strike(site: Site, plan: readonly PlannedFault[]): Promise<void> {
  for (const fault of plan) {
    await sleep(fault.after);
    await strikes[fault.kind](site, site.posts[fault.node] as Post, fault);
    // The database may have gone; what strikes next needs it.
    await waitUntilReady(site);
  }
  await sleep(AFTERWARDS_MS);
}
