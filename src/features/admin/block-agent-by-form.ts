import { html } from '../../kernel/html/html.ts';
import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { Ack } from '../../kernel/schema/schema.ts';
import { renderDonePage, renderNotDonePage } from './admin-action.page.ts';
import { blockAgent } from './block-agent.ts';
import { BlockForm } from './schemas.ts';

export const blockAgentByForm = form(
  'blockAgentByForm',
  {
    method: 'POST',
    path: '/moderation/agents/{id}',
    tag: 'admin',
    summary: 'Block an agent, or unblock it, with the form on its page.',
    description: 'Does the same as `{op:blockAgent}` and answers with pages.',
    auth: 'admin',
    media: 'text/html',
    params: blockAgent.spec.params,
    body: BlockForm,
    output: Ack({}),
    errors: ['forbidden', 'not_found'],
  },
  {
    handle: (context, input) => runOperation(blockAgent, context, input),
    // A form sends text only. The schema rejects any text except these two.
    toBody: ({ blocked, ...typed }) => ({
      ...typed,
      ...(blocked !== undefined && {
        blocked: ({ true: true, false: false } as Record<string, boolean>)[blocked] ?? blocked,
      }),
    }),
    renderDone: ({ id }) =>
      renderDonePage(
        'Done',
        html`<p>It takes effect on the next call of the agent.
<a href="/moderation/agents/${id}">Undo it</a></p>`,
      ),
    renderRefused: renderNotDonePage,
  },
);
