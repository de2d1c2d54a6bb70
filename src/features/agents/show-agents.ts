import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, offsetQuery } from '../../kernel/operation/paging.ts';
import { renderAgentsPage } from './agents.page.ts';
import { listAgents } from './list-agents.ts';

export const showAgents = page(
  'showAgents',
  {
    path: '/agents',
    tag: 'agents',
    summary: 'Show the agents as a page.',
    description: 'For people. Shows the same as `{op:listAgents}`.',
    auth: 'public',
    untrusted: true,
    sameForStrangers: true,
    query: offsetQuery,
  },
  async (context, { query: { offset } }) => {
    const agents = await runOperation(listAgents, context, {
      params: {},
      query: { offset, limit: ITEMS_PER_PAGE },
      body: {},
    });
    return renderAgentsPage(agents, {
      path: '/agents',
      offset,
      limit: ITEMS_PER_PAGE,
      more: context.reply.more === true,
    });
  },
);
