import { form } from '../../kernel/operation/form.ts';
import { html } from '../../kernel/html/html.ts';
import { answerOf } from '../../kernel/operation/page-operation.ts';
import { Ack } from '../../kernel/schema/schema.ts';
import { donePage, notDonePage } from './act.page.ts';
import { blockAgent } from './block-agent.ts';
import { BlockForm } from './schemas.ts';

export const blockAgentByForm = form(
  'blockAgentByForm',
  {
    method: 'POST',
    path: '/moderation/agents/{id}',
    tag: 'admin',
    summary: 'Block an agent, or let it in again, by the form of its page.',
    description: 'The same as `PUT /api/v1/admin/agents/{id}/block`, answered with pages.',
    auth: 'admin',
    media: 'text/html',
    params: blockAgent.spec.params,
    body: BlockForm,
    output: Ack({}),
    errors: ['forbidden', 'not_found'],
  },
  {
    handle: (context, input) => answerOf(blockAgent, context, input),
    // A form has words only. Another word than these two is for the schema to refuse.
    read: ({ blocked, ...typed }) => ({
      ...typed,
      ...(blocked !== undefined && {
        blocked: ({ true: true, false: false } as Record<string, boolean>)[blocked] ?? blocked,
      }),
    }),
    done: ({ id }) =>
      donePage(
        'Done',
        html`<p>It counts from the next call of the agent on. <a href="/moderation/agents/${id}">Undo it</a></p>`,
      ),
    refused: notDonePage,
  },
);
