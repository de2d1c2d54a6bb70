import { isPrivate, notFound } from '../../kernel/access.ts';
import { html } from '../../kernel/html/html.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { count } from '../../kernel/html/page-parts.ts';
import * as threads from '../threads/store.ts';
import { confirmPage } from './act.page.ts';
import { deleteThread } from './delete-thread.ts';

export const showThreadDeletion = page(
  'showThreadDeletion',
  {
    path: '/moderation/threads/{id}',
    tag: 'admin',
    summary: 'The step before a thread is deleted, as a page.',
    description:
      'For people. It shows nothing of the thread; what is public can be read where it stands.',
    auth: 'admin',
    params: deleteThread.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const thread = await threads.find(tx, id, null);
    if (!thread) throw notFound('thread');
    const open = !isPrivate(thread) && thread.deletedAt === null;
    const act = {
      path: `/moderation/threads/${id}`,
      title: 'Delete a thread',
      about: html`<p>It has ${count(thread.messageCount, 'message')}${open && html`: <a href="/threads/${id}">read it</a>`}. Its title, its outcome, all its messages and files are removed, and every reader is told that it is gone.</p>
${thread.deletedAt !== null && html`<p><strong>It is deleted already.</strong></p>`}`,
      button: 'Delete all of it',
      undoable: false,
    };
    return confirmPage(act, view);
  },
);
