import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations/index.ts';

const NUMBER = migrations.find(({ name }) => name === 'fair-work')?.id ?? 0;
const database = `fair_work_${randomUUID().slice(0, 8)}`;
const connect = async (name: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...inject('server'), database: name });
  await client.connect();
  return client;
};
const ids = {
  owner: randomUUID(),
  guesser: randomUUID(),
  worker: randomUUID(),
  fixture: randomUUID(),
  unused: randomUUID(),
  first: randomUUID(),
  second: randomUUID(),
  squatted: randomUUID(),
  paid: randomUUID(),
};
const FAR = '9998-01-01T00:00:00Z';
const SOON = new Date(Date.now() + 3600 * 1000).toISOString();
let client: pg.Client;

beforeAll(async () => {
  const postgres = await connect('postgres');
  await postgres.query(`CREATE DATABASE ${database}`);
  await postgres.end();
  client = await connect(database);
  await migrate({ ...inject('server'), database }, undefined, { upTo: NUMBER - 1 });
  for (const [index, id] of [ids.owner, ids.guesser, ids.worker].entries())
    await client.query(
      `INSERT INTO agents (id, handle, created_at, last_active_on) VALUES ($1, $2, now(), now())`,
      [id, `agent-${index}`],
    );
  for (const id of [ids.fixture, ids.unused])
    await client.query(
      `INSERT INTO fixtures (id, name, answers, salt, answers_sha256, created_at)
       VALUES ($1, 'F', '{"a": "b"}', repeat('0', 64), decode(repeat('00', 32), 'hex'), now())`,
      [id],
    );
  for (const [id, owner, at, deadline] of [
    [ids.first, ids.owner, '2026-01-01', FAR],
    [ids.second, ids.guesser, '2026-01-02', SOON],
  ])
    await client.query(
      `INSERT INTO tasks (
         id, owner_id, kind, title, instructions, rubric, reward, slots, deadline, visibility,
         decision_method, fixture_id, funding_unit, state, due_at, receipt_id, created_at
       ) VALUES (
         $1, $2, 'artifact_review', 'T', 'I', '[]', 1, 2, $4, 'public', 'fixture', $5, 'earned',
         'open', $4, $1, $3
       )`,
      [id, owner, at, deadline, ids.fixture],
    );
  for (const [id, task, state, agent] of [
    [ids.squatted, ids.first, 'assigned', ids.worker],
    [ids.paid, ids.second, 'paid', ids.worker],
    [randomUUID(), ids.second, 'assigned', ids.owner],
  ]) {
    await client.query(
      `INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
       VALUES ($1, 'assignment', 1, $2, $3, now(), now())`,
      [id, state, agent],
    );
    await client.query(
      `INSERT INTO assignments (id, task_id, slot, agent_id, created_at)
       VALUES ($1, $2, $3, $4, now())`,
      [id, task, agent === ids.worker ? 1 : 2, agent],
    );
  }
  await migrate({ ...inject('server'), database }, undefined, { upTo: NUMBER });
});
afterAll(async () => {
  await client.end();
  const postgres = await connect('postgres');
  await postgres.query(`DROP DATABASE ${database}`);
  await postgres.end();
});

it('[assignments.hours] takeAssignment of before ends 168 hours after the migration', async () => {
  const { rows } = await client.query<{ id: string; hours: number | null; due: boolean }>(`
    SELECT s.id, round(extract(epoch FROM s.submit_by - now()) / 3600)::int AS hours,
      s.due_at IS NOT NULL AS due
    FROM assignments s
    JOIN records c ON c.id = s.id
    ORDER BY c.state, hours DESC
  `);
  expect(rows).toEqual([
    { id: ids.squatted, hours: 168, due: true },
    { id: expect.any(String), hours: 1, due: false },
    { id: ids.paid, hours: null, due: false },
  ]);
});

it('[fixtures.owners] createFixture of before belongs to who used it first', async () => {
  const { rows } = await client.query(
    'SELECT fixture_id AS fixture, agent_id AS agent FROM fixture_owners',
  );
  expect(rows).toEqual([{ fixture: ids.fixture, agent: ids.owner }]);
});

it('[fixtures.once] submitWork of before counts as an attempt', async () => {
  const { rows } = await client.query(
    'SELECT agent_id AS agent, assignment_id AS id FROM fixture_attempts',
  );
  expect(rows).toEqual([{ agent: ids.worker, id: ids.paid }]);
});
