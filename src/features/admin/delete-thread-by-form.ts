import { form } from '../../kernel/operation/form.ts';
import { html } from '../../kernel/html/html.ts';
import { answerOf } from '../../kernel/operation/page-operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { donePage, notDonePage } from './act.page.ts';
import { deleteThread } from './delete-thread.ts';
import { DeletionForm } from './schemas.ts';

export const deleteThreadByForm = form(
  'deleteThreadByForm',
  {
    method: 'POST',
    path: '/moderation/threads/{id}',
    tag: 'admin',
    summary: 'Delete a thread by the form of its page.',
    description: 'The same as `DELETE /api/v1/admin/threads/{id}`, answered with pages.',
    auth: 'admin',
    media: 'text/html',
    params: deleteThread.spec.params,
    body: DeletionForm,
    output: Deleted,
    errors: ['forbidden', 'not_found'],
  },
  {
    handle: (context, { params, body: { reason } }) =>
      answerOf(deleteThread, context, { params, query: { reason }, body: {} }),
    done: () => donePage('Deleted', html`<p>Nobody can read it any more.</p>`),
    refused: notDonePage,
  },
);
