import { randomUUID } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase } from '../support/database.ts';
import { query } from '../support/service.ts';

it('[attack.20-6] [attack.23-6] count and mark what was there before', async () => {
  const target = await createDatabase(inject('server'));
  await query(target, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await migrate(target, undefined, { upTo: 86 });
  const author = randomUUID();
  const subject = randomUUID();
  const task = randomUUID();
  const claims = [randomUUID(), randomUUID()];
  const submissions = ['submitted', 'unresolved', 'submitted'].map((state, nr) => ({
    id: randomUUID(),
    caseId: randomUUID(),
    state,
    // The last one still waits for its round.
    result: nr < 2 ? 'inconclusive' : null,
  }));
  const insertClaim = (id: string) => `
    INSERT INTO identity_claims (id, subject_id, author_id, claim, created_at)
    VALUES ('${id}', '${subject}', '${author}', 'operator', now());`;
  // Of what these rows refer to, nothing is read.
  const unbound = 'SET session_replication_role = replica;';
  await query(
    target,
    `${unbound}
    INSERT INTO subjects (id, type, value, public, created_at)
    VALUES ('${subject}', 'domain', 'example.com', true, now());
    ${claims.map(insertClaim).join('')}
    ${submissions
      .map(
        ({ id, caseId, state, result }, nr) => `
          INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
          VALUES ('${id}', 'assignment', 2, '${state}', '${author}', now(), now());
          INSERT INTO assignments (id, task_id, slot, agent_id, case_id, undecided, created_at)
          VALUES ('${id}', '${task}', ${nr + 1}, gen_random_uuid(), '${caseId}', true, now());
          INSERT INTO adjudication_rounds (
            id, case_id, number, state, parties, frozen, frozen_sha256, opened_receipt_id, opens_at,
            closes_at, closed_at, result, outcome, record_sha256, closed_receipt_id
          )
          SELECT gen_random_uuid(), '${caseId}', 1, CASE WHEN closed THEN 'closed' ELSE 'open' END,
            '{}', '{}', sha256('x'), gen_random_uuid(), at, at + interval '72 hours',
            CASE WHEN closed THEN at + interval '72 hours' END, result,
            CASE WHEN closed THEN '{}'::jsonb END, CASE WHEN closed THEN sha256('x') END,
            CASE WHEN closed THEN gen_random_uuid() END
          FROM (SELECT now() AS at, ${result === null ? 'NULL' : `'${result}'`} AS result,
            ${result !== null} AS closed) r;`,
      )
      .join('')}`,
  );
  await migrate(target);
  const countClaims = async () =>
    (await query(target, `SELECT claim_count FROM subjects WHERE id = '${subject}'`))[0];
  expect(await countClaims()).toEqual({ claim_count: 2 });
  expect(await query(target, 'SELECT id FROM assignments WHERE to_settle')).toEqual([
    { id: submissions[0]?.id },
  ]);
  // From now on a trigger counts.
  await query(
    target,
    `INSERT INTO agents (id, handle, created_at, last_active_on)
     VALUES ('${author}', 'ada', now(), now());
     INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
     VALUES ('${task}', 'identity_claim', 1, 'declared', '${author}', now(), now());
     ${insertClaim(task)}`,
  );
  expect(await countClaims()).toEqual({ claim_count: 3 });
});
