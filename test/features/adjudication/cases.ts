import { sql } from '../../../src/db/sql.ts';
import {
  agents,
  askingForOwn,
  everyone,
  ownerOfPrivate,
  readingMembers,
} from '../../operations/access.ts';
import { anyone, byAnyone, byOwner, nowhere, onId, onMissing } from '../../operations/inputs.ts';
import type {
  BuildInput,
  CaseSetup,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import type { TestAgent } from '../../support/factories.ts';
import { externalSubject, interactionHelpers } from '../interactions/setup.ts';
import { createTaskUpTo } from '../tasks/task-situations.ts';
import { adjudicationHelpers, buildCaseInput, exampleStatement } from './setup.ts';

type AdjudicationHelpers = ReturnType<typeof adjudicationHelpers>;
type CreatedCase = Awaited<ReturnType<AdjudicationHelpers['createCase']>>;

interface Situation extends CreatedCase {
  readonly setup: CaseSetup;
  readonly j: AdjudicationHelpers;
}

async function createVoter(j: AdjudicationHelpers): Promise<TestAgent> {
  const [voter] = await j.createVoters(1);
  if (!voter) throw new Error('createVoters(1) made no voter.');
  return voter;
}

type GetCallerKey = (situation: Situation) => Promise<string>;
const opener: GetCallerKey = ({ setup: { f }, opener }) =>
  f.getKeyWithScope(opener, 'adjudication');
const voter: GetCallerKey = async ({ setup: { f }, j }) =>
  f.getKeyWithScope(await createVoter(j), 'reviewer');

/** A call about a case that is open. */
const callAboutCase =
  (
    input: (situation: Situation) => object | Promise<object>,
    as: GetCallerKey,
    prepare?: (situation: Situation) => Promise<unknown>,
  ): MakeErrorCase =>
  async (setup) => {
    const j = adjudicationHelpers(setup.f);
    const situation = { ...(await j.createCase()), setup, j };
    await prepare?.(situation);
    const key = await as(situation);
    return { input: await input(situation), as: { key } };
  };

const inputOfVote = (id: string) => onId(id, { verdict: 'upheld', rationale: 'So.' });
const inputOfRound = (id: string, evidenceId = nowhere) =>
  onId(id, { evidenceIds: [evidenceId], reason: 'So.', expectedVersion: 1 });
const closeCase = ({ j }: Situation) => j.closeDueCases();
const openAnotherCase = async ({ j, opener, interactionId }: Situation) => {
  await j.closeDueCases();
  await j.openCase(opener, interactionId);
};

/** About an interaction that the owner recorded about the member. */
const buildCaseAbout =
  (visibility: 'public' | 'private', more: object = {}): BuildInput =>
  async ({ f, fixture }) => {
    const { id } = await interactionHelpers(f).recordInteraction(
      fixture.owner,
      { agent: fixture.member.handle },
      { visibility, ...more },
    );
    return { body: buildCaseInput(id) };
  };

/** A case between two agents of its own. */
const onNewCase: BuildInput = async ({ f }) => onId((await adjudicationHelpers(f).createCase()).id);

/** A ballot in a case between the owner and the member, when everybody is old enough to vote. */
const onCaseOfOwner: BuildInput = async ({ f, fixture: { owner, member, outsider, removed } }) => {
  const j = adjudicationHelpers(f);
  const { id } = await j.r.recordInteraction(owner, { agent: member.handle });
  await j.ageAgents([owner, member, outsider, removed]);
  return inputOfVote((await j.openCase(await f.createAgent(), id)).id);
};

/** The case of work that the member did for a private task of the owner. */
const onPrivateCase: BuildInput = async (setup) => {
  const { f, fixture } = setup;
  const { assignmentId } = await createTaskUpTo(setup, 'submitted', {
    visibility: 'private',
    invitees: [fixture.member.handle],
  });
  const { caseId } = await f.ok('GET', `/api/v1/assignments/${assignmentId}`, {
    key: await f.getKeyWithScope(fixture.member, 'credits'),
  });
  return onId(caseId);
};

/** A round that nobody voted in. */
const onClosedRound: BuildInput = async ({ f }) => {
  const j = adjudicationHelpers(f);
  const { id } = await j.createCase();
  await j.closeDueCases();
  return { params: { id, number: '1' } };
};

/** A further round of a case that is closed, on new evidence. */
const buildRound: BuildInput = async ({ f }) => {
  const j = adjudicationHelpers(f);
  const { id, author, interactionId } = await j.createCase();
  await j.closeDueCases();
  return onId(id, {
    evidenceIds: [await j.addEvidence(author, interactionId)],
    reason: 'There is more.',
    expectedVersion: 2,
  });
};

export const cases: OperationCases = {
  openCase: {
    call: byOwner(
      buildCaseAbout('public', { evidence: [exampleStatement] }),
      buildCaseAbout('public', { evidence: [exampleStatement] }),
      'adjudication',
    ),
    errors: {
      not_found: callAboutCase(() => ({ body: buildCaseInput(nowhere) }), opener),
      forbidden: async ({ f, fixture }) => {
        const { id } = await adjudicationHelpers(f).r.recordInteraction(
          fixture.owner,
          { agent: fixture.member.handle },
          { visibility: 'private' },
        );
        return {
          input: { body: buildCaseInput(id) },
          as: { key: await f.getKeyWithScope(fixture.owner, 'adjudication') },
        };
      },
      already_exists: callAboutCase(
        ({ interactionId }) => ({ body: buildCaseInput(interactionId) }),
        opener,
      ),
      version_conflict: callAboutCase(
        ({ interactionId }) => ({ body: buildCaseInput(interactionId, { expectedVersion: 2 }) }),
        opener,
        closeCase,
      ),
      state_conflict: callAboutCase(
        ({ interactionId }) => ({ body: buildCaseInput(interactionId, { expectedVersion: 2 }) }),
        opener,
        async (situation) => {
          await situation.j.closeDueCases();
          await situation.j.r.reviseInteraction(situation.author, situation.interactionId, {
            expectedVersion: 1,
            state: 'withdrawn',
          });
        },
      ),
    },
    access: [
      {
        on: 'about a public interaction',
        input: buildCaseAbout('public'),
        expected: agents,
      },
      {
        on: 'about a private interaction',
        input: buildCaseAbout('private'),
        expected: { ...ownerOfPrivate, owner: 'forbidden' },
      },
    ],
    ack: 'record',
    idempotency: 'required',
  },
  listCases: {
    call: byAnyone(() => ({ query: { state: 'open' } })),
    errors: {
      unauthenticated: () => ({ input: { query: { votable: 'true' } }, as: anyone }),
    },
    access: [
      { input: () => ({}), expected: everyone },
      {
        on: 'of its own',
        input: () => ({ query: { mine: 'voted' } }),
        expected: askingForOwn,
      },
    ],
    list: {
      order: ['createdAt', 'id'],
      arrange: async ({ f }) => {
        const j = adjudicationHelpers(f);
        // An agent may have 50 open rounds.
        const openers = [await f.createAgent(), await f.createAgent(), await f.createAgent()];
        return {
          createRow: async ({ index }) => {
            const opener = openers[index % openers.length] as TestAgent;
            const subject = externalSubject(`model ${index}`, 'model');
            await j.openCase(opener, (await j.r.recordInteraction(opener, subject)).id);
          },
        };
      },
    },
  },
  getCase: {
    call: byAnyone(onNewCase),
    errors: { not_found: onMissing() },
    access: [
      { on: 'about a public interaction', expected: everyone },
      { on: 'about private work', input: onPrivateCase, expected: readingMembers },
    ],
  },
  setReviewNotices: {
    call: async ({ f }) => ({
      input: { body: { enabled: true } },
      as: { key: await f.getKeyWithScope(await f.createAgent(), 'reviewer') },
      other: { body: { enabled: false } },
    }),
    access: [{ input: () => ({ body: { enabled: true } }), expected: agents }],
    ack: ['enabled'],
  },
  castBallot: {
    call: async ({ f }) => {
      const j = adjudicationHelpers(f);
      const voter = await createVoter(j);
      return {
        input: inputOfVote((await j.createCase()).id),
        as: { key: await f.getKeyWithScope(voter, 'reviewer') },
        other: inputOfVote((await j.createCase()).id),
      };
    },
    errors: {
      not_found: callAboutCase(() => inputOfVote(nowhere), voter),
      state_conflict: callAboutCase(({ id }) => inputOfVote(id), voter, closeCase),
      already_exists: async ({ f }) => {
        const j = adjudicationHelpers(f);
        const { id } = await j.createCase();
        const agent = await createVoter(j);
        await j.castVote(agent, id);
        return {
          input: inputOfVote(id),
          as: { key: await f.getKeyWithScope(agent, 'reviewer') },
        };
      },
      not_eligible: callAboutCase(
        ({ id }) => inputOfVote(id),
        ({ setup: { f }, author }) => f.getKeyWithScope(author, 'reviewer'),
      ),
      // So many voters are not registered one by one.
      limit_exceeded: callAboutCase(
        ({ id }) => inputOfVote(id),
        voter,
        ({ id, j }) => j.fillRound(id, 1000),
      ),
    },
    access: [
      {
        on: 'of parties and others',
        input: onCaseOfOwner,
        expected: { ...agents, member: 'not_eligible', owner: 'not_eligible' },
      },
    ],
    ack: ['caseId', 'closesAt', 'createdAt', 'id', 'receiptId', 'round', 'sha256'],
    idempotency: 'required',
  },
  listBallots: {
    call: byAnyone(onClosedRound),
    errors: {
      not_found: () => ({ input: { params: { id: nowhere, number: '1' } }, as: anyone }),
      state_conflict: async ({ f }) => {
        const { id } = await adjudicationHelpers(f).createCase();
        return { input: { params: { id, number: '1' } }, as: anyone };
      },
    },
    access: [
      { on: 'about a public interaction', expected: everyone },
      {
        on: 'about private work',
        input: async (setup) => {
          const { params } = await onPrivateCase(setup);
          await adjudicationHelpers(setup.f).closeDueCases();
          return { params: { ...params, number: '1' } };
        },
        expected: readingMembers,
      },
    ],
    list: {
      total: true,
      // Agents of other lists vote in a private case, so that no other list has more rows.
      arrange: async ({ app, f }) => {
        const j = adjudicationHelpers(f);
        const { env } = app.app;
        const owner = await f.createAgent();
        const { id } = await j.createSubmission('private', [owner, owner, owner]);
        const voters = await env.db.rows<{ id: string }>(sql`
          SELECT id FROM agents WHERE id <> ${owner.id} ORDER BY id LIMIT 20
        `);
        for (const voter of voters)
          await env.db.run(sql`
            INSERT INTO adjudication_ballots (
              id, round_id, voter_id, verdict, rationale, evidence_ids, sha256, receipt_id, cast_at
            )
            SELECT ${env.newId()}, id, ${voter.id}, 'upheld', 'So.', '{}', sha256('so'),
              gen_random_uuid(), opens_at
            FROM adjudication_rounds
            WHERE case_id = ${id}
          `);
        await j.closeDueCases();
        return {
          input: { params: { id, number: '1' } },
          as: { key: await f.getKeyWithScope(owner, 'adjudication') },
          count: () => voters.length,
        };
      },
    },
  },
  openRound: {
    call: byOwner(buildRound, buildRound, 'adjudication'),
    errors: {
      not_found: callAboutCase(() => inputOfRound(nowhere), opener),
      forbidden: async ({ f }) => {
        const { id, invited } = await adjudicationHelpers(f).createSubmission('private');
        return {
          input: inputOfRound(id),
          as: { key: await f.getKeyWithScope(invited, 'adjudication') },
        };
      },
      version_conflict: callAboutCase(
        ({ id }) => onId(id, { evidenceIds: [nowhere], reason: 'So.', expectedVersion: 9 }),
        opener,
      ),
      state_conflict: callAboutCase(({ id }) => inputOfRound(id), opener),
      already_exists: callAboutCase(
        ({ id }) => onId(id, { evidenceIds: [nowhere], reason: 'So.', expectedVersion: 2 }),
        opener,
        openAnotherCase,
      ),
    },
    access: agents,
    ack: 'record',
    idempotency: 'required',
  },
  showCases: { call: byAnyone(), access: everyone },
  showCase: {
    call: byAnyone(onNewCase),
    errors: {
      not_found: onMissing(),
      // Adjudication is on, and what the case is about is not.
      capability_disabled: async (setup) => {
        const settings = { TRUST_ENABLED: 'off', REPUTATION_ENABLED: 'off' };
        const off = await setup.app.startNode({ ...settings, INTERACTIONS_ENABLED: 'off' });
        return { input: await onNewCase(setup), as: anyone, url: off.url };
      },
    },
    access: [
      { on: 'about a public interaction', expected: everyone },
      { on: 'about private work', input: onPrivateCase, expected: readingMembers },
    ],
  },
};
