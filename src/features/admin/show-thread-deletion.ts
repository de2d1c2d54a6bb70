import { failNotFound, isPrivate } from '../../kernel/access.ts';
import { html } from '../../kernel/html/html.ts';
import { formatCount } from '../../kernel/html/page-text.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import * as threads from '../threads/store.ts';
import { renderConfirmPage } from './admin-action.page.ts';
import { deleteThread } from './delete-thread.ts';

export const showThreadDeletion = page(
  'showThreadDeletion',
  {
    path: '/moderation/threads/{id}',
    tag: 'admin',
    summary: 'Show the page that confirms deleting a thread.',
    description:
      'For people. It does not show the content of the thread; if the thread is public, it ' +
      'links to it.',
    auth: 'admin',
    params: deleteThread.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const thread = await threads.find(tx, id, null);
    if (!thread) throw failNotFound('thread');
    const isReadable = !isPrivate(thread) && thread.deletedAt === null;
    const link = isReadable && html`: <a href="/threads/${id}">read it</a>`;
    const action = {
      path: `/moderation/threads/${id}`,
      title: 'Delete a thread',
      about: html`<p>It has ${formatCount(thread.messageCount, 'message')}${link}. Its title, its
outcome and all its messages and files are removed. Readers see only that it is gone.</p>
${thread.deletedAt !== null && html`<p><strong>It is already deleted.</strong></p>`}`,
      button: 'Delete the whole thread',
      undoable: false,
    };
    return renderConfirmPage(action, view);
  },
);
