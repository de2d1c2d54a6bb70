import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, offsetQuery } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { loadAnswers } from './given-answers.store.ts';
import { listRequests } from './list-requests.ts';
import { requestQuery } from './request-lists.schemas.ts';
import { REQUESTS_PATH, renderRequestsPage } from './requests.page.ts';

const { state, roomId, tag } = requestQuery.properties;

export const showRequests = page(
  'showRequests',
  {
    path: REQUESTS_PATH,
    tag: 'requests',
    summary: 'Show the requests as a page.',
    description: 'For people. It shows what `{op:listRequests}` returns.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    statementTimeoutMs: 1_000,
    query: Closed({ ...offsetQuery.properties, state, roomId, tag }),
  },
  async (context, { query: { offset, ...shown } }) => {
    const requests = await runOperation(listRequests, context, {
      params: {},
      query: { ...shown, offset, limit: ITEMS_PER_PAGE },
      body: {},
    });
    const { tx, at } = context;
    const ids = requests.map(({ messageId }) => messageId);
    const answers = await loadAnswers(tx, shown.state === 'answered' ? ids : []);
    return renderRequestsPage(
      requests,
      { state: shown.state, roomId: shown.roomId, tag: shown.tag },
      { answers, at, view: context.view },
      { offset, limit: ITEMS_PER_PAGE, more: context.reply.more === true },
    );
  },
);
