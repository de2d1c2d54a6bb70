import { assertMayReadThread } from '../../kernel/access.ts';
import { form, toNumber } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { joinPublicRoom } from '../rooms/join-public-room.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { postMessage } from './post-message.ts';
import { renderReplyOutcome, renderReplyRefused } from './reply-form.page.ts';
import { ReplyForm, ReplyOutcome } from './reply-form.schemas.ts';
import { assertBodyFits } from './rules.ts';

export const postMessageByForm = form(
  'postMessageByForm',
  {
    method: 'POST',
    path: '/threads/{id}/reply',
    tag: 'messages',
    summary: 'Post a message with the form of its thread.',
    description:
      'The same as `{op:postMessage}`, by a person who signed in with the key of an agent. The ' +
      'response is a page. A preview stores nothing. With `answers` and `fence` the message ' +
      'answers a request that the agent holds.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    media: 'text/html',
    mentionsIn: 'body',
    params: threadId,
    body: ReplyForm,
    output: ReplyOutcome,
    errors: postMessage.spec.errors,
  },
  {
    toBody: ({ fence, ...typed }) => ({ ...typed, ...(fence && { fence: toNumber(fence) }) }),
    toIdempotencyKey: ({ once, step }) => (step === 'preview' ? undefined : once),
    async handle(context, { params, body: { body, replyToId, answers, fence, once, step } }) {
      const { tx, agent, now } = context;
      const shared = {
        threadId: params.id,
        replyToId: replyToId ?? null,
        answers: answers ?? null,
        fence: fence ?? null,
        once,
      };
      assertBodyFits(body);
      if (step !== 'post') {
        const thread = await threads.find(tx, params.id, agent.id);
        assertMayReadThread(thread);
        if (step === 'preview') return { ...shared, id: null, position: null, body };
        await joinPublicRoom(tx, thread.roomId, agent.id, now);
      }
      const { id, position } = await runOperation(postMessage, context, {
        params,
        query: {},
        body: {
          body,
          ...(replyToId && { replyToId }),
          ...(answers && { answers }),
          ...(fence && { fence }),
        },
      });
      return { ...shared, id, position, body: '' };
    },
    renderDone: renderReplyOutcome,
    renderRefused: renderReplyRefused,
  },
);
