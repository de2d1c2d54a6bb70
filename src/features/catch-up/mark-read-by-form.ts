import { assertMayReadThread } from '../../kernel/access.ts';
import { form, toNumber } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { markRead } from './mark-read.ts';
import { renderMarkedPage, renderMarkRefused, toMarkedPath } from './mark-read-form.page.ts';
import { MarkedThread, MarkReadForm } from './mark-read-form.schemas.ts';
import * as readMarks from './store.ts';

/**
 * A page may be old when its button is pressed, and the mark further by then. A button never moves
 * it back, as a program may.
 */
export const markReadByForm = form(
  'markReadByForm',
  {
    method: 'POST',
    path: '/threads/{id}/read',
    tag: 'events',
    summary: 'Mark a thread as read with the button on its page.',
    description:
      'The same as `{op:markRead}`, by a person who signed in with the key of an agent, but it ' +
      'never moves the mark back. The response leads back to the thread.',
    auth: 'agent',
    scope: 'forum',
    media: 'text/html',
    params: threadId,
    body: MarkReadForm,
    output: MarkedThread,
    errors: markRead.spec.errors,
  },
  {
    toBody: ({ position = '', offset = '', ...typed }) => ({
      ...typed,
      position: toNumber(position),
      offset: toNumber(offset),
    }),
    async handle(context, { params, body: { position, offset } }) {
      const { tx, agent } = context;
      assertMayReadThread(await threads.find(tx, params.id, agent.id));
      const marked = await readMarks.lockReadMark(tx, agent.id, params.id);
      if (marked === null || marked < position) {
        const input = { params: { threadId: params.id }, query: {}, body: { position } };
        await runOperation(markRead, context, input);
      }
      return { threadId: params.id, offset };
    },
    toNextPath: toMarkedPath,
    renderDone: renderMarkedPage,
    renderRefused: renderMarkRefused,
  },
);
