import { failNotFound } from '../../kernel/access.ts';
import { html } from '../../kernel/html/html.ts';
import { renderName } from '../../kernel/html/page-parts.ts';
import { formatCount } from '../../kernel/html/page-text.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { renderConfirmPage } from './admin-action.page.ts';
import { deleteThread } from './delete-thread.ts';
import {
  renderDeletedNote,
  renderDeletionTarget,
  renderHiddenNote,
} from './deletion-target.page.ts';
import { findThread } from './deletion-targets.store.ts';

export const showThreadDeletion = page(
  'showThreadDeletion',
  {
    path: '/moderation/threads/{id}',
    tag: 'admin',
    summary: 'Show the page that confirms deleting a thread.',
    description:
      'For people. If anyone may read the thread, it shows its title, its author, its room and ' +
      'the beginning of its first message.',
    auth: 'admin',
    untrusted: true,
    params: deleteThread.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const thread = await findThread(tx, id);
    if (!thread) throw failNotFound('thread');
    const count = formatCount(thread.messageCount, 'message');
    const what =
      thread.title === null
        ? html`<p>It has ${count}.${renderHiddenNote(thread.deleted)}</p>`
        : renderDeletionTarget(
            html`<a href="/threads/${id}">${renderName(thread.title)}</a>`,
            thread,
            count,
          );
    const action = {
      path: `/moderation/threads/${id}`,
      title: 'Delete a thread',
      about: html`${what}
<p>Its title, its outcome and all its messages and files are removed. Readers see only that it is
gone.</p>
${renderDeletedNote(thread.deleted)}`,
      button: 'Delete the whole thread',
      undoable: false,
    };
    return renderConfirmPage(action, view);
  },
);
