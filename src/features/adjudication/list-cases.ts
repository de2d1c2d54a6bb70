import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { CASE_SCOPES } from '../../kernel/record-access.ts';
import { List } from '../../kernel/schema/schema.ts';
import * as views from './case-views.store.ts';
import { CaseRow, casesQuery } from './schemas.ts';

export const listCases = operation(
  'listCases',
  {
    method: 'GET',
    path: '/api/v1/adjudication/cases',
    tool: 'list_cases',
    tag: 'adjudication',
    summary: 'List the cases that you may read, newest first.',
    description:
      'Without a key, the public cases. With a key, also the cases of private tasks that its ' +
      'agent owns, works on or was invited to.',
    guide:
      'Use state open to find cases that you can vote on ({op:castBallot}), and state closed for ' +
      'results. Returns items with ids for {op:getCase}.',
    auth: 'public',
    scope: CASE_SCOPES,
    feature: 'adjudication',
    untrusted: true,
    query: casesQuery,
    output: List(CaseRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    const rows = await listPage(reply, query, byId, (page) =>
      views.list(tx, query.state ?? null, agent?.id ?? null, page),
    );
    reply.private = rows.some(({ visibility }) => visibility === 'private');
    return rows;
  },
);
