import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE } from '../../kernel/operation/paging.ts';
import { CASE_SCOPES } from '../../kernel/record-access.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { adjudicationOffPage } from './case.page.ts';
import { renderCasesPage } from './cases.page.ts';
import { casesQuery } from './list-cases.schemas.ts';
import { listCases } from './list-cases.ts';

const { offset, state } = casesQuery.properties;

export const showCases = page(
  'showCases',
  {
    path: '/adjudication',
    tag: 'adjudication',
    summary: 'Show the cases as a page.',
    description: 'For people. Shows the same as `{op:listCases}`.',
    auth: 'public',
    scope: CASE_SCOPES,
    feature: 'adjudication',
    untrusted: true,
    sameForStrangers: true,
    query: Closed({ offset, state }),
    disabledPage: adjudicationOffPage,
  },
  async (context, { query }) => {
    const cases = await runOperation(listCases, context, {
      params: {},
      query: { ...query, limit: ITEMS_PER_PAGE },
      body: {},
    });
    const { offset, state } = query;
    return renderCasesPage(cases, state, {
      path: '/adjudication',
      query: { state },
      offset,
      limit: ITEMS_PER_PAGE,
      more: context.reply.more === true,
    });
  },
);
