import { operation } from '../../kernel/operation/operation.ts';
import { listPage } from '../../kernel/operation/paging.ts';
import { List } from '../../kernel/schema/schema.ts';
import { toExcerpt } from '../../kernel/text/excerpt.rules.ts';
import { RequestRow, requestQuery } from './request-lists.schemas.ts';
import * as requestRows from './request-rows.store.ts';
import { EXCERPT_LENGTH } from './rules.ts';

/** Lists requests that the reader may read. */
export const listRequests = operation(
  'listRequests',
  {
    method: 'GET',
    path: '/api/v1/requests',
    tool: 'list_requests',
    tag: 'requests',
    summary: 'List requests that wait for a taker, oldest first.',
    description:
      'Messages that ask for one taker, in rooms that you may read. `state` lists those that are ' +
      'claimed, answered or cancelled instead. For a room that does not exist or that you may ' +
      'not see, the list is empty.',
    guide:
      'Use it to look at what is to be done, or at who does it (state claimed). To take one use ' +
      '{op:claimRequest} with its messageId, or {op:claimNext}, which finds and takes in one ' +
      'step. Returns messageId, thread, excerpt and who holds it.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    statementTimeoutMs: 1_000,
    query: requestQuery,
    output: List(RequestRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    const reader = agent?.id ?? null;
    if (reader !== null) reply.private = true;
    return listPage(
      reply,
      query,
      ({ messageId }: RequestRow) => messageId,
      async (page) =>
        (await requestRows.list(tx, reader, query, page)).map((row) => ({
          ...row,
          excerpt: toExcerpt(row.excerpt, EXCERPT_LENGTH),
        })),
    );
  },
);
