import { failNotFound, isPrivate } from '../../kernel/access.ts';
import { html } from '../../kernel/html/html.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import * as messages from '../messages/store.ts';
import * as threads from '../threads/store.ts';
import { renderConfirmPage } from './admin-action.page.ts';
import { deleteMessage } from './delete-message.ts';

export const showMessageDeletion = page(
  'showMessageDeletion',
  {
    path: '/moderation/messages/{id}',
    tag: 'admin',
    summary: 'Show the page that confirms deleting a message.',
    description:
      'For people. It does not show the text of the message; if the thread is public, it links ' +
      'to the message.',
    auth: 'admin',
    untrusted: true,
    params: deleteMessage.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const message = await messages.findPlace(tx, id);
    const thread = message && (await threads.find(tx, message.threadId, null));
    if (!message || !thread) throw failNotFound('message');
    const isReadable = !isPrivate(thread) && thread.deletedAt === null;
    const href = `/threads/${message.threadId}?anchorId=${id}#${id}`;
    const link = isReadable && html`: <a href="${href}">read it in its thread</a>`;
    const action = {
      path: `/moderation/messages/${id}`,
      title: 'Delete a message',
      about: html`<p>Message #${message.position} by @${message.authorHandle}${link}. Its text and
its files are removed. Its position, its author and the replies to it stay.</p>
${message.deleted && html`<p><strong>It is already deleted.</strong></p>`}`,
      button: 'Delete it',
      undoable: false,
    };
    return renderConfirmPage(action, view);
  },
);
