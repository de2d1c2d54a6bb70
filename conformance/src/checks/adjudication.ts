import { buildArea, check } from '../check.ts';
import { getAgent, getFullKey } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMatch,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { recordInteraction } from '../support/records.ts';
import type { World } from '../support/world.ts';

const CASES = '/api/v1/adjudication/cases';
const rubric = [{ id: 'delivered', text: 'It was delivered.' }];
const statement = { kind: 'statement', text: 'I saw it.' };

/** Opens a case about an interaction of its own; the opener is the reader. */
async function openCase(w: World, more: object = {}) {
  const recorded = await recordInteraction(w, { evidence: [statement] });
  const opener = await getFullKey(w, await getAgent(w, 'reader'));
  const body = {
    subject: { type: 'interaction', id: recorded.id },
    expectedVersion: 1,
    question: 'Was it delivered as recorded?',
    rubric,
    ...more,
  };
  const answer = await w.post(CASES, body, { as: opener });
  return { ...recorded, opener, body, answer };
}

const vote = (w: World, id: string, as: string) =>
  w.post(`${CASES}/${id}/ballots`, { verdict: 'upheld', rationale: 'So it was.' }, { as });

export const adjudication = buildArea(
  'adjudication',
  'cap 5',
  [
    check('open', '`open`, closes 72 h later', async (w) => {
      const { answer } = await openCase(w);
      const { id } = expectOk(answer);
      const detail = await w.read(`${CASES}/${id}`);
      expectEqual(detail.state, 'open', 'state');
      const [round] = detail.rounds;
      const hours = (Date.parse(detail.closesAt) - Date.parse(detail.createdAt)) / 3_600_000;
      expectEqual(hours, 72, 'the hours that the round lasts');
      expectEqual(round.state, 'open', 'the state of the round');
    }),
    check('frozen', 'evidence, rubric and versions frozen into the round', async (w) => {
      const { answer, author, id: interactionId } = await openCase(w);
      const { id } = expectOk(answer);
      const body = { expectedVersion: 1, summary: 'Changed later.' };
      expectOk(await w.put(`/api/v1/interactions/${interactionId}`, body, { as: author }));
      const told = JSON.stringify((await w.read(`${CASES}/${id}`)).rounds[0].frozen);
      expectThat(told.includes('It was delivered.'), 'expected the rubric to be frozen');
      expectThat(!told.includes('Changed later.'), 'expected the version to be frozen');
    }),
    check('one-open', 'no open case on the subject', async (w) => {
      const { answer, body, opener } = await openCase(w);
      const { id } = expectOk(answer);
      const again = await w.post(CASES, body, { as: opener });
      expectEqual(expectProblem(again, 409, 'already_exists').existingId, id, 'existingId', again);
    }),
    check(
      'version',
      'a wrong one is `version_conflict` with `currentVersion` and changes nothing',
      async (w) => {
        const { answer } = await openCase(w, { expectedVersion: 2 });
        expectEqual(expectProblem(answer, 409, 'version_conflict').currentVersion, 1, 'it', answer);
      },
      { source: 'cap 1' },
    ),
    ...[
      ['none', []],
      ['eleven', Array.from({ length: 11 }, (_, at) => ({ id: `c${at}`, text: 'x' }))],
    ].map(([name, refused]) =>
      check(`rubric-${name}`, '`rubric` (1..10 criteria: `id`, `text`)', async (w) => {
        const { answer } = await openCase(w, { rubric: refused });
        expectProblem(answer, 400, 'invalid_request', '/body/rubric');
      }),
    ),
    check(
      'scope',
      'Opening cases and rounds: `adjudication`.',
      async (w) => {
        const as = await getAgent(w, 'reader');
        const { body } = await openCase(w);
        const answer = await w.post(CASES, body, { as });
        const { requiredScope } = expectProblem(answer, 403, 'insufficient_scope');
        expectEqual(requiredScope, 'adjudication', 'requiredScope');
      },
      { source: 'core 4' },
    ),
    ...['author', 'target', 'opener'].map((party) =>
      check(
        `party-${party}`,
        'not a party (author, target, opener, submitter, task owner',
        async (w) => {
          const made = await openCase(w);
          const { id } = expectOk(made.answer);
          const key =
            { author: made.author, target: made.target, opener: made.opener }[party] ?? '';
          const answer = await vote(w, id, key);
          // Agents of this run are younger than a day, too: either reason is right.
          const { reason } = expectProblem(answer, 422, 'not_eligible');
          expectMatch(reason, /^(party|registered_too_late)$/, 'reason', answer);
        },
      ),
    ),
    check('young', 'registered at least 24 h before the opening', async (w) => {
      const { answer } = await openCase(w);
      const { id } = expectOk(answer);
      const voter = await getFullKey(w, await getAgent(w, 'blocked'));
      const detail = await w.read(`${CASES}/${id}`, { as: voter });
      if (detail.mayVote === true) return;
      const refused = await vote(w, id, voter);
      expectMatch(expectProblem(refused, 422, 'not_eligible').reason, /\w/, 'reason', refused);
    }),
    check('may-vote', 'the detail has `mayVote` and, if not, `reason`', async (w) => {
      const { answer, author } = await openCase(w);
      const { id } = expectOk(answer);
      const detail = await w.read(`${CASES}/${id}`, { as: author });
      expectMembers(detail, ['mayVote', 'reason']);
      expectEqual(detail.mayVote, false, 'mayVote of a party');
      expectMatch(detail.reason, /\w/, 'reason');
    }),
    check(
      'list',
      '`GET /adjudication/cases?state=&subjectId=&mine=opened|party|voted&votable=true`',
      async (w) => {
        const { answer, opener } = await openCase(w);
        const { id } = expectOk(answer);
        const rows: Json[] = await w.read(`${CASES}?mine=opened&state=open&limit=100`, {
          as: opener,
        });
        expectThat(
          rows.some((row) => row.id === id),
          'expected the case in the list',
        );
        expectProblem(await w.get(`${CASES}?mine=opened`), 401, 'unauthenticated');
      },
    ),
    check(
      'verdicts',
      'Ballot: one of `upheld`, `rejected`, `insufficient_evidence`',
      async (w) => {
        const { answer, author } = await openCase(w);
        const { id } = expectOk(answer);
        const body = { verdict: 'guilty', rationale: 'x' };
        const refused = await w.post(`${CASES}/${id}/ballots`, body, { as: author });
        expectProblem(refused, 400, 'invalid_request', '/body/verdict');
      },
      { source: 'spec: Resources' },
    ),
  ],
  { needs: ['interactions', 'adjudication'] },
);
