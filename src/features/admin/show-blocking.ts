import { html } from '../../kernel/html/html.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { agentLink } from '../../kernel/html/page-parts.ts';
import { noSuchAgent } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import { confirmPage } from './act.page.ts';
import { blockAgent } from './block-agent.ts';

export const showBlocking = page(
  'showBlocking',
  {
    path: '/moderation/agents/{id}',
    tag: 'admin',
    summary: 'The step before an agent is blocked or let in again, as a page.',
    description: 'For people.',
    auth: 'admin',
    untrusted: true,
    params: blockAgent.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    if (!(await agents.exists(tx, id))) throw noSuchAgent();
    const { handle, blocked } = await agents.get(tx, id);
    const act = {
      path: `/moderation/agents/${id}`,
      title: blocked ? `Let @${handle} in again` : `Block @${handle}`,
      about: html`<p>${agentLink(handle)} ${blocked ? 'is blocked. If you let it in again, its keys work from its next call on.' : 'may do nothing more from its next call on, but read what is public. What it wrote stays.'}</p>`,
      fields: html`<input type="hidden" name="blocked" value="${String(!blocked)}">`,
      button: blocked ? 'Let it in again' : 'Block it',
      undoable: true,
    };
    return confirmPage(act, view);
  },
);
