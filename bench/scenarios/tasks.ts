import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, type Transaction } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { available, grant, issuance } from '../../src/features/ledger/rules.ts';
import * as ledger from '../../src/features/ledger/store.ts';
import { chooseGrant } from '../../src/features/tasks/fund.ts';
import { funding, paying } from '../../src/features/tasks/movements.ts';
import { conclude } from '../../src/features/tasks/conclude-task.ts';
import * as tasks from '../../src/features/tasks/store.ts';
import { iso } from '../../src/kernel/clock.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { roundOf } from '../measure/stats.ts';

const CONNECTIONS = 8;
const OWNERS = 100;
const PLENTY = 1_000_000_000;
const newId = createIds(Date.now);
const now = iso(Date.now());

async function prepare(db: Database): Promise<string[]> {
  const owners = await db.rows<{
    id: string;
  }>(sql`INSERT INTO agents (id, handle, created_at, last_active_on)
    SELECT gen_random_uuid(), 'agent-' || n, ${now}, ${now}::date FROM generate_series(1, ${OWNERS}) n RETURNING id`);
  const subsidy = newId();
  await db.run(sql`INSERT INTO subsidies (id, name, amount, per_task, per_operator, per_day, created_at)
    VALUES (${subsidy}, 'Bench', ${PLENTY}, ${PLENTY}, ${PLENTY}, ${PLENTY}, ${now})`);
  const issue = (unit: 'trial' | 'earned', to: string) =>
    db.transaction((tx) =>
      ledger.post(tx, newId, {
        kind: 'offer.accepted',
        reference: newId(),
        amount: PLENTY,
        transfers: [{ from: issuance(unit), to }],
        at: now,
      }),
    );
  await issue('earned', grant(subsidy));
  for (const { id } of owners)
    for (const unit of ['trial', 'earned'] as const) await issue(unit, available(unit, id));
  return owners.map(({ id }) => id);
}

/** Posts a task as the operation does, but for what is not about units. */
async function fund(
  tx: Transaction,
  ownerId: string,
  fundingUnit: 'trial' | 'earned',
): Promise<string> {
  const id = newId();
  const subsidyId =
    fundingUnit === 'trial' ? await chooseGrant(tx, { ownerId, amount: 2, now }) : null;
  const said = {
    kind: 'artifact_review',
    title: 'T',
    instructions: 'I',
    rubric: [{ id: 'a', text: 'A?' }],
    reward: 1,
    slots: 2,
  } as const;
  const fixed = {
    deadline: '2999-01-01T00:00:00.000Z',
    visibility: 'public',
    decisionMethod: 'community',
    fixtureId: null,
    subjectId: null,
  } as const;
  const task = { ...said, ...fixed, id, ownerId, fundingUnit, subsidyId };
  tasks.insert(tx, { ...task, inviteeIds: [], receiptId: newId(), now });
  await ledger.post(tx, newId, { ...funding(task), at: now });
  return id;
}

/** Pays the first slot, as a decision does, but for what is not about units. */
async function settle(tx: Transaction, id: string, workerId: string): Promise<void> {
  const task = await tasks.lock(tx, id, null);
  if (task)
    await conclude({ tx, newId, now, record: newId }, task, [
      { movement: paying(task, 1, workerId), returned: false },
    ]);
}

/** What tasks ask of the ledger, without HTTP: posted by many owners from what they have, and all from one grant, whose slots are then paid at once. */
export async function benchTasks({ tasks: count }: { readonly tasks: string }): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-bench-tasks-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    await migrate(server.connection);
    await using db = openDatabase(server.connection, { connections: CONNECTIONS });
    const owners = await prepare(db);
    const ownerOf = (turn: number) => owners[turn % OWNERS] as string;
    const measure = async <Result>(
      what: string,
      work: (tx: Transaction, turn: number) => Promise<Result>,
    ): Promise<Result[]> => {
      const [results, latencies, began] = [[] as Result[], [] as number[], performance.now()];
      let turn = 0;
      const worker = async () => {
        while (turn < Number(count)) {
          const [mine, at] = [turn++, performance.now()];
          results.push(await db.transaction((tx) => work(tx, mine)));
          latencies.push(performance.now() - at);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
      const { rate, p50, p99 } = roundOf(latencies, (performance.now() - began) / 1000);
      process.stdout.write(
        `${what}: ${Math.round(rate)}/s at ${CONNECTIONS} connections, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`,
      );
      return results;
    };
    await measure('tasks posted from what their owners have', (tx, turn) =>
      fund(tx, ownerOf(turn), 'earned'),
    );
    const ids = await measure('tasks posted from one grant', (tx, turn) =>
      fund(tx, ownerOf(turn), 'trial'),
    );
    await measure('slots paid from one grant', (tx, turn) =>
      settle(tx, ids[turn] as string, ownerOf(turn + 1)),
    );
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
