import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../src/db/embedded/server.ts';
import { migrate } from '../src/db/migrate.ts';
import { connectSql, type SqlLimit } from './sql-limit.ts';
import type { Statement } from './statements.ts';

const CONNECTIONS = 8;
const AGENTS = 1_000;
/** Of an escrow, as tasks would have them. */
const PARTS = 16;
const PLENTY = 1_000_000_000;

const post = (from: string, to: string, amount = 1): Statement => ({
  name: 'ledger_post',
  text: 'SELECT ledger_post($1, $2, $3, $4, $5, $6, $7, now(), NULL) AS outcome',
  values: [randomUUID(), 'offer.accepted', randomUUID(), amount, [from], [to], [randomUUID(), randomUUID()]],
});

/** Agents and a grant with more than a round can move. */
async function prepare(sql: SqlLimit): Promise<{ agents: string[]; grant: string; escrow: string[] }> {
  const made = await sql.run(`INSERT INTO agents (id, handle, created_at, last_active_on)
    SELECT gen_random_uuid(), 'agent-' || n, now(), now() FROM generate_series(1, ${AGENTS}) n RETURNING id`);
  const agents = made.map(({ id }) => `earned:available:${id}`);
  const subsidy = randomUUID();
  await sql.run(`INSERT INTO subsidies (id, name, amount, created_at) VALUES ($1, 'Bench', $2, now())`, [subsidy, PLENTY]);
  const escrow = Array.from({ length: PARTS }, (_, part) => `earned:escrow:${subsidy}:${part}`);
  const grant = `earned:grant:${subsidy}`;
  for (const account of [...agents, ...escrow, grant]) {
    const { text, values } = post('earned:issuance', account, PLENTY);
    await sql.run(text, values);
  }
  await sql.run('ANALYZE');
  return { agents, grant, escrow };
}

/** Transfers through the one function of the ledger, without HTTP: between many, from one grant that all wait for, and from the parts of its escrow. */
export async function benchLedger({ seconds }: { readonly seconds: string }): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-bench-ledger-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    await migrate(server.connection);
    await using sql = await connectSql(server.connection, CONNECTIONS);
    const { agents, grant, escrow } = await prepare(sql);
    let turn = 0;
    const next = (accounts: readonly string[], step: number) => accounts[(turn * step) % accounts.length] as string;
    const kinds: Readonly<Record<string, () => Statement>> = {
      'between many': () => post(next(agents, 7), next(agents, 7 * ++turn + 1)),
      'from one grant': () => post(grant, next(agents, ++turn)),
      'from the parts of one escrow': () => post(next(escrow, 1), next(agents, ++turn)),
    };
    for (const [name, make] of Object.entries(kinds)) {
      await sql.measure(0.3, make);
      const { rate, p50, p99 } = await sql.measure(Number(seconds), make);
      process.stdout.write(`${name}: ${Math.round(rate)} transfers/s at ${CONNECTIONS} connections, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`);
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
