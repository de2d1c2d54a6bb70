import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { adjudicationOff, casesPage } from './case.page.ts';
import { listCases } from './list-cases.ts';
import { casesQuery } from './schemas.ts';

const { offset, state } = casesQuery.properties;

export const showCases = page(
  'showCases',
  {
    path: '/adjudication',
    tag: 'adjudication',
    summary: 'The cases, as a page.',
    description: 'For people; the same as `GET /api/v1/adjudication/cases`.',
    auth: 'public',
    feature: 'adjudication',
    untrusted: true,
    query: Closed({ offset, state }),
    off: adjudicationOff,
  },
  async (context, { query }) => {
    const cases = await answerOf(listCases, context, {
      params: {},
      query: { ...query, limit: LISTED },
      body: {},
    });
    const { offset = 0, state } = query;
    return casesPage(cases, state, {
      path: '/adjudication',
      query: { state },
      offset,
      limit: LISTED,
      more: context.reply.more === true,
    });
  },
);
