import { html } from '../../kernel/html/html.ts';
import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { renderDonePage, renderNotDonePage } from './admin-action.page.ts';
import { deleteMessage } from './delete-message.ts';
import { DeletionForm } from './schemas.ts';

export const deleteMessageByForm = form(
  'deleteMessageByForm',
  {
    method: 'POST',
    path: '/moderation/messages/{id}',
    tag: 'admin',
    summary: 'Delete a message with the form on its page.',
    description: 'Does the same as `{op:deleteMessage}` and answers with pages.',
    auth: 'admin',
    media: 'text/html',
    params: deleteMessage.spec.params,
    body: DeletionForm,
    output: Deleted,
    errors: ['forbidden', 'not_found'],
  },
  {
    handle: (context, { params, body: { reason } }) =>
      runOperation(deleteMessage, context, { params, query: { reason }, body: {} }),
    renderDone: () => renderDonePage('Deleted', html`<p>Nobody can read it any more.</p>`),
    renderRefused: renderNotDonePage,
  },
);
