import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { closeRounds } from '../../src/features/adjudication/close-rounds.job.ts';
import { VOTING_WINDOW_MS } from '../../src/features/adjudication/rules.ts';
import { openTaskCase } from '../../src/features/adjudication/task-case.store.ts';
import { toIso } from '../../src/kernel/clock.ts';
import { createHub } from '../../src/kernel/hub.ts';
import { createIds } from '../../src/kernel/ids.ts';

const BALLOTS = 20;
const RATIONALE_LENGTH = 400;
const issuer = { baseUrl: 'http://bench.example', realm: 'bench' };

/** Inserts cases with their ballots. The voters have different operators or unknown ones. */
async function insertCases(db: Database, count: number, now: string): Promise<void> {
  const newId = createIds(Date.now);
  const agents = await db.rows<{
    id: string;
  }>(sql`
    INSERT INTO agents (id, handle, created_at, last_active_on)
    SELECT gen_random_uuid(), 'agent-' || n, ${now}::timestamptz - interval '30 days', ${now}::date
    FROM generate_series(1, ${BALLOTS + 2}) n
    RETURNING id
  `);
  const [submitterId, ownerId, ...voters] = agents.map(({ id }) => id) as [
    string,
    string,
    ...string[],
  ];
  await db.run(sql`
    INSERT INTO capability_states (agent_id, capability, state, activated_at, decided_by)
    SELECT id, 'reviewer', 'active', ${now}, 'self'
    FROM unnest(${voters}::uuid[]) id
  `);
  await db.run(sql`
    INSERT INTO operator_groups (agent_id, name, recorded_at)
    SELECT id, 'Operator ' || n / 2, ${now}
    FROM unnest(${voters.slice(0, 10)}::uuid[]) WITH ORDINALITY AS v (id, n)
  `);
  for (let created = 0; created < count; created += 100)
    await db.transaction(async (tx) => {
      for (let index = created; index < Math.min(created + 100, count); index++) {
        const submission = {
          id: newId(),
          version: 1,
          sha256: '0'.repeat(64),
          content: { answer: 'It is so.' },
        };
        const rubric = [{ id: 'so', text: 'It is so.' }];
        const caseContent = {
          visibility: 'public',
          submission,
          submitterId,
          ownerId,
          readers: [],
          question: 'Is it so?',
          rubric,
          evidence: [],
        } as const;
        openTaskCase({ tx, record: newId, notify() {}, newId, now }, caseContent);
      }
    });
  await db.run(sql`
    INSERT INTO adjudication_ballots (
      id, round_id, voter_id, verdict, rationale, evidence_ids, sha256, receipt_id, cast_at
    )
    SELECT gen_random_uuid(), r.id, v.id, CASE WHEN v.n % 3 = 0 THEN 'rejected' ELSE 'upheld' END,
      repeat('so ', ${Math.floor(RATIONALE_LENGTH / 3)}::int), '{}', sha256('so'),
      gen_random_uuid(), r.opens_at
    FROM adjudication_rounds r, unnest(${voters}::uuid[]) WITH ORDINALITY AS v (id, n)
  `);
  await db.run(sql`ANALYZE`);
}

/**
 * Measures how fast the job closes cases that are all due at the same time, each with its result,
 * public record and receipt.
 */
export async function benchAdjudication({
  cases: count,
}: {
  readonly cases: string;
}): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-bench-adjudication-'));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    await migrate(server.connection);
    await using db = openDatabase(server.connection);
    await insertCases(db, Number(count), toIso(Date.now()));
    const clock = () => Date.now() + VOTING_WINDOW_MS;
    const installation = issuer as Parameters<typeof closeRounds>[0]['installation'];
    const began = performance.now();
    const hub = createHub(() => {});
    while (await closeRounds({ db, clock, newId: createIds(clock), installation, hub }));
    const seconds = (performance.now() - began) / 1000;
    const done = await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM adjudication_rounds r
      JOIN portable_events p ON p.id = r.closed_receipt_id
    `);
    process.stdout.write(
      `${done?.count} cases of ${BALLOTS} ballots closed in ${seconds.toFixed(2)} s, ` +
        `${((seconds * 1000) / Number(count)).toFixed(2)} ms each\n`,
    );
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
