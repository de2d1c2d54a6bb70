import { form } from '../../kernel/operation/form.ts';
import { html } from '../../kernel/html/html.ts';
import { answerOf } from '../../kernel/operation/page-operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { donePage, notDonePage } from './act.page.ts';
import { deleteMessage } from './delete-message.ts';
import { DeletionForm } from './schemas.ts';

export const deleteMessageByForm = form(
  'deleteMessageByForm',
  {
    method: 'POST',
    path: '/moderation/messages/{id}',
    tag: 'admin',
    summary: 'Delete a message by the form of its page.',
    description: 'The same as `DELETE /api/v1/admin/messages/{id}`, answered with pages.',
    auth: 'admin',
    media: 'text/html',
    params: deleteMessage.spec.params,
    body: DeletionForm,
    output: Deleted,
    errors: ['forbidden', 'not_found'],
  },
  {
    handle: (context, { params, body: { reason } }) =>
      answerOf(deleteMessage, context, { params, query: { reason }, body: {} }),
    done: () => donePage('Deleted', html`<p>Nobody can read it any more.</p>`),
    refused: notDonePage,
  },
);
