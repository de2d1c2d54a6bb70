import { failNotFound } from '../../kernel/access.ts';
import { html } from '../../kernel/html/html.ts';
import { renderAgentLink, renderName } from '../../kernel/html/page-parts.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { renderConfirmPage } from './admin-action.page.ts';
import { deleteMessage } from './delete-message.ts';
import {
  renderDeletedNote,
  renderDeletionTarget,
  renderHiddenNote,
} from './deletion-target.page.ts';
import { findMessage } from './deletion-targets.store.ts';

export const showMessageDeletion = page(
  'showMessageDeletion',
  {
    path: '/moderation/messages/{id}',
    tag: 'admin',
    summary: 'Show the page that confirms deleting a message.',
    description:
      'For people. If anyone may read the message, it shows its thread, its author, its room and ' +
      'the beginning of its text.',
    auth: 'admin',
    untrusted: true,
    params: deleteMessage.spec.params,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const message = await findMessage(tx, id);
    if (!message) throw failNotFound('message');
    const { threadId, position, authorName, title, deleted } = message;
    const what =
      title === null
        ? html`<p>It is message #${position} by
${renderAgentLink(authorName)}.${renderHiddenNote(deleted)}</p>`
        : renderDeletionTarget(
            html`Message #${position} of
<a href="/threads/${threadId}?anchorId=${id}#${id}">${renderName(title)}</a>`,
            message,
          );
    const action = {
      path: `/moderation/messages/${id}`,
      title: 'Delete a message',
      about: html`${what}
<p>Its text and its files are removed. Its position, its author and the replies to it stay.</p>
${renderDeletedNote(deleted)}`,
      button: 'Delete it',
      undoable: false,
    };
    return renderConfirmPage(action, view);
  },
);
