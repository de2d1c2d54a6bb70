import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { listReports } from './list-reports.ts';
import { MODERATION, reportsPage } from './moderation.page.ts';
import { reportsQuery } from './schemas.ts';

const { offset, state } = reportsQuery.properties;

export const showReports = page(
  'showReports',
  {
    path: MODERATION,
    tag: 'reports',
    summary: 'The reports, as a page.',
    description:
      'For people; the same as `GET /api/v1/admin/reports`. Without `state` the open ones.',
    auth: 'admin',
    untrusted: true,
    query: Closed({ offset, state }),
  },
  async (context, { query: { offset = 0, state = 'open' } }) => {
    const reports = await answerOf(listReports, context, {
      params: {},
      query: { offset, state, limit: LISTED },
      body: {},
    });
    const paging = {
      path: MODERATION,
      query: { state },
      offset,
      limit: LISTED,
      more: context.reply.more === true,
    };
    return reportsPage(reports, state, paging);
  },
);
