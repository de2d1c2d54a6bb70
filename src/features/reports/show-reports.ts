import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { listReports } from './list-reports.ts';
import { MODERATION_PATH, renderReportsPage } from './reports.page.ts';
import { renderClosedNote } from './resolution.page.ts';
import { afterQuery } from './resolution.schemas.ts';
import { reportsQuery } from './schemas.ts';
import * as store from './store.ts';

const { offset, state } = reportsQuery.properties;

export const showReports = page(
  'showReports',
  {
    path: MODERATION_PATH,
    tag: 'reports',
    summary: 'The reports, as a page.',
    description: 'For people. It shows the same as `{op:listReports}`, by default open reports.',
    auth: 'admin',
    untrusted: true,
    query: Closed({ offset, state, after: afterQuery.properties.after }),
  },
  async (context, { query: { offset, state = 'open', after } }) => {
    const reports = await runOperation(listReports, context, {
      params: {},
      query: { offset, state, limit: ITEMS_PER_PAGE },
      body: {},
    });
    const paging = {
      path: MODERATION_PATH,
      query: { state: state === 'open' ? undefined : state },
      offset,
      limit: ITEMS_PER_PAGE,
      more: context.reply.more === true,
    };
    const { features } = context.installation;
    const closed = after === undefined ? undefined : await store.find(context.tx, features, after);
    return renderReportsPage(reports, state, paging, renderClosedNote(closed));
  },
);
