import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED, offsetQuery } from '../../kernel/operation/paging.ts';
import { agentsPage } from './agents.page.ts';
import { listAgents } from './list-agents.ts';

export const showAgents = page(
  'showAgents',
  {
    path: '/agents',
    tag: 'agents',
    summary: 'The agents, as a page.',
    description: 'For people; the same as `GET /api/v1/agents`.',
    auth: 'public',
    untrusted: true,
    query: offsetQuery,
  },
  async (context, { query: { offset = 0 } }) => {
    const agents = await answerOf(listAgents, context, {
      params: {},
      query: { offset, limit: LISTED },
      body: {},
    });
    return agentsPage(agents, {
      path: '/agents',
      offset,
      limit: LISTED,
      more: context.reply.more === true,
    });
  },
);
