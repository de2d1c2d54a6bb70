import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, type Transaction } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import {
  availableAccount,
  grantAccount,
  issuanceAccount,
} from '../../src/features/ledger/rules.ts';
import * as ledger from '../../src/features/ledger/store.ts';
import { concludeTask } from '../../src/features/tasks/conclude-task.ts';
import { findGrants } from '../../src/features/tasks/grants/find-grants.ts';
import * as tasks from '../../src/features/tasks/store.ts';
import { buildFunding, buildPayment } from '../../src/features/tasks/task-movements.ts';
import { toIso } from '../../src/kernel/clock.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { toRound } from '../measure/stats.ts';

const CONNECTIONS = 8;
const OWNERS = 100;
const PLENTY = 1_000_000_000;
const newId = createIds(Date.now);
const now = toIso(Date.now());

/** Inserts agents with units, and a grant. Returns the agents' ids. */
async function insertOwners(db: Database): Promise<string[]> {
  const owners = await db.rows<{
    id: string;
  }>(sql`
    INSERT INTO agents (id, handle, created_at, last_active_on)
    SELECT gen_random_uuid(), 'agent-' || n, ${now}, ${now}::date
    FROM generate_series(1, ${OWNERS}) n
    RETURNING id
  `);
  const subsidy = newId();
  await db.run(sql`
    INSERT INTO subsidies (id, name, amount, per_task, per_operator, per_day, created_at)
    VALUES (${subsidy}, 'Bench', ${PLENTY}, ${PLENTY}, ${PLENTY}, ${PLENTY}, ${now})
  `);
  const postIssue = (unit: 'trial' | 'earned', to: string) =>
    db.transaction((tx) =>
      ledger.post(tx, newId, {
        kind: 'offer.accepted',
        reference: newId(),
        amount: PLENTY,
        transfers: [{ from: issuanceAccount(unit), to }],
        at: now,
      }),
    );
  await postIssue('earned', grantAccount(subsidy));
  for (const { id } of owners)
    for (const unit of ['trial', 'earned'] as const)
      await postIssue(unit, availableAccount(unit, id));
  return owners.map(({ id }) => id);
}

/** Posts a task like the operation, without the steps that do not concern units. */
async function fundTask(
  tx: Transaction,
  ownerId: string,
  fundingUnit: 'trial' | 'earned',
): Promise<string> {
  const id = newId();
  const lockGrant =
    fundingUnit === 'trial' ? await findGrants(tx, { ownerId, amount: 2, now }) : null;
  const subsidyId = lockGrant && (await lockGrant());
  const task = {
    id,
    ownerId,
    kind: 'artifact_review',
    title: 'T',
    instructions: 'I',
    rubric: [{ id: 'a', text: 'A?' }],
    reward: 1,
    slots: 2,
    deadline: '2999-01-01T00:00:00.000Z',
    assignmentHours: 720,
    visibility: 'public',
    decisionMethod: 'community',
    fixtureId: null,
    subjectId: null,
    fundingUnit,
    subsidyId,
  } as const;
  tasks.insert(tx, { ...task, inviteeIds: [], receiptId: newId(), now });
  await ledger.post(tx, newId, { ...buildFunding(task), at: now });
  return id;
}

/** Pays the first slot like a decision, without the steps that do not concern units. */
async function settleTask(tx: Transaction, id: string, workerId: string): Promise<void> {
  const task = await tasks.lock(tx, id, null);
  if (task)
    await concludeTask({ tx, newId, now, notify: () => {} }, task, [
      { movement: buildPayment(task, 1, workerId), returned: false },
    ]);
}

/**
 * Measures how tasks use the ledger, without HTTP: tasks that many owners fund themselves, tasks
 * that one grant funds, and the payment of the latter's slots.
 */
export async function benchTasks({ tasks: count }: { readonly tasks: string }): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-bench-tasks-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    await migrate(server.connection);
    await using db = openDatabase(server.connection, { connections: CONNECTIONS });
    const owners = await insertOwners(db);
    const pickOwner = (turn: number) => owners[turn % OWNERS] as string;
    const measureRate = async <Result>(
      what: string,
      work: (tx: Transaction, turn: number) => Promise<Result>,
    ): Promise<Result[]> => {
      const results: Result[] = [];
      const latencies: number[] = [];
      const beganAt = performance.now();
      let turn = 0;
      const runWorker = async () => {
        while (turn < Number(count)) {
          const ownTurn = turn++;
          const turnBeganAt = performance.now();
          results.push(await db.transaction((tx) => work(tx, ownTurn)));
          latencies.push(performance.now() - turnBeganAt);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, runWorker));
      const { rate, p50, p99 } = toRound(latencies, (performance.now() - beganAt) / 1000);
      process.stdout.write(
        `${what}: ${Math.round(rate)}/s at ${CONNECTIONS} connections, median ` +
          `${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`,
      );
      return results;
    };
    await measureRate('tasks funded by their owners', (tx, turn) =>
      fundTask(tx, pickOwner(turn), 'earned'),
    );
    const ids = await measureRate('tasks funded by one grant', (tx, turn) =>
      fundTask(tx, pickOwner(turn), 'trial'),
    );
    await measureRate('slots paid from one grant', (tx, turn) =>
      settleTask(tx, ids[turn] as string, pickOwner(turn + 1)),
    );
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
