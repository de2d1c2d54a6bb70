import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import type { Statement } from '../load/statements.ts';

const CONNECTIONS = 8;
/** Fewer wait for each other; the service lets three write at once on two processors. */
const FEW = 2;
/** One transfer in so many is from the grant that all want. */
const MIXED = 4;
const AGENTS = 1_000;
/** Of an escrow, as tasks would have them. */
const PARTS = 16;
const PLENTY = 1_000_000_000;
const HOT = 'from one grant';

const post = (from: string, to: string, amount = 1): Statement => ({
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

/** Agents and a grant with more than a round can move. */
async function prepare(
  sql: SqlLimit,
): Promise<{ agents: string[]; grant: string; escrow: string[] }> {
  const made = await sql.run(`INSERT INTO agents (id, handle, created_at, last_active_on)
    SELECT gen_random_uuid(), 'agent-' || n, now(), now() FROM generate_series(1, ${AGENTS}) n RETURNING id`);
  const agents = made.map(({ id }) => `earned:available:${id}`);
  const subsidy = randomUUID();
  await sql.run(
    `INSERT INTO subsidies (id, name, amount, created_at) VALUES ($1, 'Bench', $2, now())`,
    [subsidy, PLENTY],
  );
  const escrow = Array.from({ length: PARTS }, (_, part) => `earned:escrow:${subsidy}:${part}`);
  const grant = `earned:grant:${subsidy}`;
  for (const account of [...agents, ...escrow, grant]) {
    const { text, values } = post('earned:issuance', account, PLENTY);
    await sql.run(text, values);
  }
  await sql.run('ANALYZE');
  return { agents, grant, escrow };
}

/** Transfers through the one function of the ledger, without HTTP: between many, from one grant that all wait for, in part from that, and from the parts of its escrow. */
export async function benchLedger({ seconds }: { readonly seconds: string }): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-bench-ledger-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    await migrate(server.connection);
    await using sql = await connectSql(server.connection, CONNECTIONS);
    const { agents, grant, escrow } = await prepare(sql);
    // Each beside its neighbour: nobody pays itself.
    const neighbours = [...agents.slice(1), agents[0] as string];
    let turn = 0;
    const next = (accounts: readonly string[], step: number) =>
      accounts[(turn * step) % accounts.length] as string;
    const kinds: Readonly<Record<string, () => Statement>> = {
      'between many': () => post(next(agents, 7), next(agents, 7 * ++turn + 1)),
      [HOT]: () => post(grant, next(agents, ++turn)),
      [`every ${MIXED}th from one grant`]: () =>
        post(++turn % MIXED === 0 ? grant : next(agents, 1), next(neighbours, 1)),
      'from the parts of one escrow': () => post(next(escrow, 1), next(agents, ++turn)),
    };
    await using few = await connectSql(server.connection, FEW);
    for (const [name, make] of Object.entries(kinds)) {
      for (const [connections, clients] of [
        [CONNECTIONS, sql] as const,
        ...(name === HOT ? [[FEW, few] as const] : []),
      ]) {
        await clients.measure(0.3, make);
        const { rate, p50, p99 } = await clients.measure(Number(seconds), make);
        process.stdout.write(
          `${name}: ${Math.round(rate)} transfers/s at ${connections} connections, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`,
        );
      }
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
