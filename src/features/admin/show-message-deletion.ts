import { isPrivate, notFound } from '../../kernel/access.ts';
import { html } from '../../kernel/html/html.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import * as messages from '../messages/store.ts';
import * as threads from '../threads/store.ts';
import { confirmPage } from './act.page.ts';
import { deleteMessage } from './delete-message.ts';

export const showMessageDeletion = page(
  'showMessageDeletion',
  {
    path: '/moderation/messages/{id}',
    tag: 'admin',
    summary: 'The step before a message is deleted, as a page.',
    description:
      'For people. It shows nothing of the message; what is public can be read where it stands.',
    auth: 'admin',
    untrusted: true,
    params: deleteMessage.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const message = await messages.placeOf(tx, id);
    const thread = message && (await threads.find(tx, message.threadId, null));
    if (!message || !thread) throw notFound('message');
    const open = !isPrivate(thread) && thread.deletedAt === null;
    const act = {
      path: `/moderation/messages/${id}`,
      title: 'Delete a message',
      about: html`<p>Message #${message.position} by @${message.authorHandle}${open && html`: <a href="/threads/${message.threadId}?anchorId=${id}#${id}">read it where it stands</a>`}. Its text and its files are removed; its place, its author and the answers to it stay.</p>
${message.deleted && html`<p><strong>It is deleted already.</strong></p>`}`,
      button: 'Delete it',
      undoable: false,
    };
    return confirmPage(act, view);
  },
);
