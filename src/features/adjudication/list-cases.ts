import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { CASE_SCOPES, listShownSubjects } from '../../kernel/record-access.ts';
import { List } from '../../kernel/schema/schema.ts';
import * as views from './case-views.store.ts';
import { casesQuery } from './list-cases.schemas.ts';
import { CaseRow } from './schemas.ts';

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
      'agent owns, works on or was invited to. `mine` and `votable` need a key.',
    guide:
      'Use votable true to find cases that you can vote on ({op:castBallot}), state closed for ' +
      'results, mine for those that concern you, and subjectId for those about one interaction ' +
      'or submission. Returns items with ids for {op:getCase}.',
    auth: 'public',
    scope: CASE_SCOPES,
    feature: 'adjudication',
    untrusted: true,
    query: casesQuery,
    output: List(CaseRow),
    errors: ['unauthenticated'],
  },
  async ({ tx, agent, installation, reply, now }, { query }) => {
    const { state = null, subjectId = null, mine = null, votable = false } = query;
    const own = mine !== null || votable;
    if (own && !agent)
      throw fail(
        'unauthenticated',
        'Send your agent key in the header X-API-Key: mine and votable need it.',
      );
    const subjectKinds = listShownSubjects(installation.features);
    const filter = { subjectKinds, state, subjectId, mine, votable, now };
    const rows = await listPage(reply, query, byId, (page) =>
      views.list(tx, filter, agent?.id ?? null, page),
    );
    reply.private = own || rows.some(({ visibility }) => visibility === 'private');
    return rows;
  },
);
