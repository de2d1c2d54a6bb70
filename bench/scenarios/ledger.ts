import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import type { Statement } from '../load/statements.ts';

const CONNECTIONS = 8;
/** Fewer connections wait less for each other. The service writes with three on two processors. */
const FEW_CONNECTIONS = 2;
/** Every fourth mixed transfer comes from the shared grant. */
const MIXED = 4;
const AGENTS = 1_000;
/** The number of parts of an escrow, as for tasks. */
const PARTS = 16;
const PLENTY = 1_000_000_000;
const HOT = 'from one grant';

const buildPost = (from: string, to: string, amount = 1): Statement => ({
  name: 'ledger_post',
  text: 'SELECT ledger_post($1, $2, $3, $4, $5, $6, $7, now(), NULL) AS outcome',
  values: [
    randomUUID(),
    'offer.accepted',
    randomUUID(),
    amount,
    [from],
    [to],
    [randomUUID(), randomUUID()],
  ],
});

/** Inserts agents and a grant with more units than a round can move. */
async function insertAccounts(
  sql: SqlLimit,
): Promise<{ agents: string[]; grant: string; escrow: string[] }> {
  const inserted = await sql.run(`INSERT INTO agents (id, handle, created_at, last_active_on)
    SELECT gen_random_uuid(), 'agent-' || n, now(), now()
    FROM generate_series(1, ${AGENTS}) n
    RETURNING id`);
  const agents = inserted.map(({ id }) => `earned:available:${id}`);
  const subsidy = randomUUID();
  await sql.run(
    `INSERT INTO subsidies (id, name, amount, created_at)
     VALUES ($1, 'Bench', $2, now())`,
    [subsidy, PLENTY],
  );
  const escrow = Array.from({ length: PARTS }, (_, part) => `earned:escrow:${subsidy}:${part}`);
  const grant = `earned:grant:${subsidy}`;
  for (const account of [...agents, ...escrow, grant]) {
    const { text, values } = buildPost('earned:issuance', account, PLENTY);
    await sql.run(text, values);
  }
  await sql.run('ANALYZE');
  return { agents, grant, escrow };
}

/**
 * Measures transfers with the function of the ledger, without HTTP: between many accounts, from one
 * grant that all transactions wait for, partly from that grant, and from the parts of its escrow.
 */
export async function benchLedger({ seconds }: { readonly seconds: string }): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-bench-ledger-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    await migrate(server.connection);
    await using sql = await connectSql(server.connection, CONNECTIONS);
    const { agents, grant, escrow } = await insertAccounts(sql);
    // Each agent pays its neighbor, so that none pays itself.
    const neighbors = [...agents.slice(1), agents[0] as string];
    let turn = 0;
    const pickNext = (accounts: readonly string[], step: number) =>
      accounts[(turn * step) % accounts.length] as string;
    const statementKinds: Readonly<Record<string, () => Statement>> = {
      'between many': () => buildPost(pickNext(agents, 7), pickNext(agents, 7 * ++turn + 1)),
      [HOT]: () => buildPost(grant, pickNext(agents, ++turn)),
      [`every ${MIXED}th from one grant`]: () =>
        buildPost(++turn % MIXED === 0 ? grant : pickNext(agents, 1), pickNext(neighbors, 1)),
      'from the parts of one escrow': () =>
        buildPost(pickNext(escrow, 1), pickNext(agents, ++turn)),
    };
    await using few = await connectSql(server.connection, FEW_CONNECTIONS);
    for (const [name, buildStatement] of Object.entries(statementKinds)) {
      for (const [connections, clients] of [
        [CONNECTIONS, sql] as const,
        ...(name === HOT ? [[FEW_CONNECTIONS, few] as const] : []),
      ]) {
        await clients.measure(0.3, buildStatement);
        const { rate, p50, p99 } = await clients.measure(Number(seconds), buildStatement);
        process.stdout.write(
          `${name}: ${Math.round(rate)} transfers/s at ${connections} connections, median ` +
            `${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`,
        );
      }
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
