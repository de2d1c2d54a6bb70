import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, offsetQuery } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { loadNames } from '../rooms/store.ts';
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
    sameForStrangers: true,
    statementTimeoutMs: 1_000,
    query: Closed({ ...offsetQuery.properties, state, roomId, tag }),
  },
  async (context, { query: { offset, ...shown } }) => {
    const requests = await runOperation(listRequests, context, {
      params: {},
      query: { ...shown, offset, limit: ITEMS_PER_PAGE },
      body: {},
    });
    const { tx, at, agent } = context;
    const { roomId } = shown;
    const ids = requests.map(({ messageId }) => messageId);
    const [answers, roomNames] = await Promise.all([
      loadAnswers(tx, shown.state === 'answered' ? ids : []),
      roomId === undefined ? null : loadNames(tx, [roomId], agent?.id ?? null),
    ]);
    return renderRequestsPage(
      requests,
      { state: shown.state, roomId, tag: shown.tag },
      { answers, at, view: context.view, roomName: roomNames?.get(roomId ?? '') ?? roomId },
      { offset, limit: ITEMS_PER_PAGE, more: context.reply.more === true },
    );
  },
);
