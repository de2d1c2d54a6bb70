import { sql } from '../../../src/db/sql.ts';
import { closeRounds } from '../../../src/features/adjudication/close-rounds.job.ts';
import { openTaskCase } from '../../../src/features/adjudication/task-case.store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import type { NewReceipt } from '../../../src/kernel/effects.ts';
import { getApp } from '../../support/app.ts';
import {
  type factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { interactionHelpers } from '../interactions/setup.ts';

/** An installation with adjudication, on top of records. */
export const adjudicationSettings = { ADJUDICATION_ENABLED: 'on' };

export const HOUR = 3600 * 1000;
export const CASES = '/api/v1/adjudication/cases';

export const exampleRubric = [{ id: 'delivered', text: 'It was delivered.' }];
export const exampleStatement = { kind: 'statement', text: 'I saw it.' };

export const buildCaseInput = (id: string, more: object = {}) => ({
  ...{
    subject: { type: 'interaction', id },
    expectedVersion: 1,
    question: 'Was it delivered as recorded?',
    rubric: exampleRubric,
  },
  ...more,
});

/** Short ways to what tests of adjudication need. */
export function adjudicationHelpers(f: ReturnType<typeof factories>) {
  const r = interactionHelpers(f);
  const { env } = getApp(f.url).app;
  const j = {
    /** Makes agents as old as voters must be. */
    ageAgents: (agents: readonly TestAgent[]) =>
      env.db.run(sql`
        UPDATE agents
        SET created_at = created_at - interval '24 hours'
        WHERE id = ANY(${agents.map(({ id }) => id)}::uuid[])
      `),
    /** Agents that registered so long ago that they may vote in what opens now. */
    async createVoters(count: number): Promise<TestAgent[]> {
      const agents = await runConcurrently(count, () => f.createAgent());
      await j.ageAgents(agents);
      return agents;
    },
    /**
     * A public interaction between two agents of its own, and a case about it that a third one
     * opened.
     */
    async createCase(addEvidence: object = {}, interaction: object = {}) {
      const [author, target, opener] = (await runConcurrently(3, () => f.createAgent())) as [
        TestAgent,
        TestAgent,
        TestAgent,
      ];
      const recorded = await r.recordInteraction(
        author,
        { agent: target.handle },
        { evidence: [exampleStatement], ...interaction },
      );
      const createdCase = await j.openCase(opener, recorded.id, addEvidence);
      return {
        author,
        target,
        opener,
        interactionId: recorded.id as string,
        evidenceIds: recorded.evidenceIds as string[],
        id: createdCase.id as string,
        case: createdCase,
      };
    },
    openCase: (agent: TestAgent, interactionId: string, addEvidence: object = {}): Promise<Json> =>
      r.must(agent, 'adjudication', 'POST', CASES, buildCaseInput(interactionId, addEvidence)),
    tryOpenCase: (agent: TestAgent, body: object) =>
      r.as(agent, 'adjudication', 'POST', CASES, body),
    castVote: (agent: TestAgent, id: string, verdict = 'upheld', addEvidence: object = {}) =>
      r.as(agent, 'reviewer', 'POST', `${CASES}/${id}/ballots`, {
        verdict,
        rationale: `I say ${verdict}.`,
        ...addEvidence,
      }),
    /** Another round of the version of the case that the agent sees now. */
    async openRound(
      agent: TestAgent,
      id: string,
      evidenceIds: string[],
      reason = 'There is more.',
      more: object = {},
    ) {
      const key = await f.getKeyWithScope(agent, 'adjudication');
      const { body } = await f.send('GET', `${CASES}/${id}`, { key });
      return r.as(agent, 'adjudication', 'POST', `${CASES}/${id}/rounds`, {
        evidenceIds,
        reason,
        expectedVersion: body.version ?? 1,
        ...more,
      });
    },
    getCase: async (id: string, reader: TestAgent | null = null): Promise<Json> =>
      f.ok('GET', `${CASES}/${id}`, {
        ...(reader && { key: await f.getKeyWithScope(reader, 'adjudication') }),
      }),
    /** Closes, as the job does, what is due in 72 hours, without moving the clock. */
    async closeDueCases(): Promise<void> {
      const laterEnv = { ...env, clock: () => env.clock() + 72 * HOUR };
      const isAnyDue = () =>
        env.db.first(sql`
          SELECT id FROM adjudication_rounds
          WHERE state = 'open' AND closes_at <= ${toIso(laterEnv.clock())}
        `);
      // A case that another job has locked is left for the next turn.
      do while (await closeRounds(laterEnv));
      while (await isAnyDue());
    },
    /** Does what the operation of a task does when it submits work. */
    async createSubmission(
      visibility: 'public' | 'private',
      agents?: readonly [TestAgent, TestAgent, TestAgent],
    ) {
      const [owner, submitter, invited] =
        agents ?? ((await j.createVoters(3)) as [TestAgent, TestAgent, TestAgent]);
      const submissionId = env.newId();
      const receipts: (NewReceipt & { id: string })[] = [];
      const now = new Date(env.clock()).toISOString();
      const id = await env.db.transaction(async (tx) => {
        const record = (act: NewReceipt) => {
          receipts.push({ ...act, id: env.newId() });
          return receipts.at(-1)?.id as string;
        };
        // The kinds of evidence differ between the subject and a new round.
        await tx.run(sql`
          WITH made AS (
            INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
            VALUES (${submissionId}, 'assignment', 1, 'submitted', ${submitter.id}, ${now}, ${now})
          )
          INSERT INTO record_revisions (record_id, version, author_id, state, content, at)
          VALUES (${submissionId}, 1, ${submitter.id}, 'submitted', '{}', ${now})
        `);
        return openTaskCase(
          { tx, record, notify() {}, newId: env.newId, now },
          {
            visibility,
            submitterId: submitter.id,
            ownerId: owner.id,
            readers: visibility === 'private' ? [invited.id] : [],
            question: 'Is it done?',
            submission: {
              id: submissionId,
              version: 1,
              sha256: '0'.repeat(64),
              content: { answers: [{ criterionId: 'a', answer: 'Forty-two clavichords' }] },
            },
            rubric: exampleRubric,
            evidence: [],
          },
        );
      });
      return { id, submissionId, owner, submitter, invited, acts: receipts };
    },
    /** Ballots in the open round of a case by voters that are not registered one by one. */
    fillRound: (id: string, ballots: number) =>
      env.db.run(sql`
        WITH voters AS (
          INSERT INTO agents (id, handle, created_at, last_active_on)
          SELECT n.id, 'crowd-' || right(n.id::text, 12), r.opens_at, r.opens_at
          FROM adjudication_rounds r, (
            SELECT gen_random_uuid() AS id
            FROM generate_series(1, ${ballots})
          ) n
          WHERE r.case_id = ${id}
          RETURNING id
        )
        INSERT INTO adjudication_ballots (
          id, round_id, voter_id, verdict, rationale, evidence_ids, sha256, receipt_id, cast_at
        )
        SELECT gen_random_uuid(), r.id, v.id, 'upheld', 'So.', '{}', sha256('so'),
          gen_random_uuid(), r.opens_at
        FROM voters v, adjudication_rounds r
        WHERE r.case_id = ${id}
      `),
    /** A piece of evidence more, by the author of an interaction. */
    async addEvidence(
      author: TestAgent,
      interactionId: string,
      text = 'There is more.',
    ): Promise<string> {
      const { version } = await r.getInteraction(null, interactionId);
      const answer = await r.submitEvidence(author, interactionId, {
        expectedVersion: version,
        kind: 'statement',
        text,
      });
      return answer.body.id;
    },
  };
  return { ...j, r };
}
