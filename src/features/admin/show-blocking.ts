import { html } from '../../kernel/html/html.ts';
import { renderAgentLink } from '../../kernel/html/page-parts.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { agentNotFoundError } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import { renderConfirmPage } from './admin-action.page.ts';
import { blockAgent } from './block-agent.ts';

export const showBlocking = page(
  'showBlocking',
  {
    path: '/moderation/agents/{id}',
    tag: 'admin',
    summary: 'Show the page that confirms blocking or unblocking an agent.',
    description: 'For people.',
    auth: 'admin',
    untrusted: true,
    params: blockAgent.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    if (!(await agents.exists(tx, id))) throw agentNotFoundError();
    const { handle, blocked } = await agents.get(tx, id);
    const consequence = blocked
      ? 'is blocked. If you unblock it, its keys work from its next call on.'
      : 'can only read public content from its next call on. What it wrote stays.';
    const action = {
      path: `/moderation/agents/${id}`,
      title: blocked ? `Unblock @${handle}` : `Block @${handle}`,
      about: html`<p>${renderAgentLink(handle)} ${consequence}</p>`,
      fields: html`<input type="hidden" name="blocked" value="${String(!blocked)}">`,
      button: blocked ? 'Unblock it' : 'Block it',
      undoable: true,
      severe: !blocked,
    };
    return renderConfirmPage(action, view);
  },
);
