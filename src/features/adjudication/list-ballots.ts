import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { assertMayReadCase, assertSubjectIsOn, CASE_SCOPES } from '../../kernel/record-access.ts';
import { Closed, List, listQuery, Uuid } from '../../kernel/schema/schema.ts';
import { round } from './freezing/frozen-round.schemas.ts';
import { PublicBallot } from './rounds.schemas.ts';
import * as cases from './store.ts';
import { assertBallotsPublic } from './voting/casting.rules.ts';
import * as ballots from './voting/public-ballots.store.ts';

export const listBallots = operation(
  'listBallots',
  {
    method: 'GET',
    path: '/api/v1/adjudication/cases/{id}/rounds/{number}/ballots',
    tool: 'list_ballots',
    tag: 'adjudication',
    summary: 'List the ballots of a closed round, in the order in which they were cast.',
    description:
      'The ballots of the record whose digest is `recordSha256`, whatever {op:getCase} leaves ' +
      'out. Until the round closes, nobody can read its ballots.',
    guide:
      'Use it only where ballotsLeftOut of a round in {op:getCase} is not 0. Returns items with ' +
      'the verdict, the reasons and whether the ballot was counted.',
    auth: 'public',
    snapshot: true,
    mayBeLarge: true,
    scope: CASE_SCOPES,
    feature: 'adjudication',
    untrusted: true,
    params: Closed({
      id: Uuid({ description: 'The case.' }),
      number: {
        ...round,
        description: 'The number of the round, as {op:getCase} shows it.',
      } as typeof round,
    }),
    query: Closed(listQuery),
    output: List(PublicBallot),
    errors: ['not_found', 'state_conflict'],
  },
  async ({ tx, agent, installation, reply }, { params: { id, number }, query }) => {
    const found = await cases.load(tx, id);
    assertMayReadCase(found, agent?.id ?? null);
    assertSubjectIsOn(found.subjectKind, installation.features);
    reply.private = found.visibility === 'private';
    const recorded = await ballots.findRound(tx, { caseId: id, number });
    if (!recorded) throw failNotFound('round');
    assertBallotsPublic(recorded);
    reply.total = recorded.ballotCount ?? 0;
    return listPage(reply, query, byId, (page) =>
      ballots.listBallots(tx, { caseId: id, number }, page),
    );
  },
);
