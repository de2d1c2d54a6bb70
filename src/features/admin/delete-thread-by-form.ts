import { html } from '../../kernel/html/html.ts';
import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { renderDonePage, renderNotDonePage } from './admin-action.page.ts';
import { deleteThread } from './delete-thread.ts';
import { DeletionForm } from './schemas.ts';

export const deleteThreadByForm = form(
  'deleteThreadByForm',
  {
    method: 'POST',
    path: '/moderation/threads/{id}',
    tag: 'admin',
    summary: 'Delete a thread with the form on its page.',
    description: 'Does the same as `{op:deleteThread}` and answers with pages.',
    auth: 'admin',
    media: 'text/html',
    params: deleteThread.spec.params,
    body: DeletionForm,
    output: Deleted,
    errors: ['forbidden', 'not_found'],
  },
  {
    handle: (context, { params, body: { reason } }) =>
      runOperation(deleteThread, context, { params, query: { reason }, body: {} }),
    renderDone: () => renderDonePage('Deleted', html`<p>Nobody can read it any more.</p>`),
    renderRefused: renderNotDonePage,
  },
);
