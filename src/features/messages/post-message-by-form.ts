import { assertMayReadRoom, assertMayReadThread } from '../../kernel/access.ts';
import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import * as members from '../rooms/members.store.ts';
import { assertMayJoin } from '../rooms/rules.ts';
import * as rooms from '../rooms/store.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { postMessage } from './post-message.ts';
import { renderReplyOutcome, renderReplyRefused } from './reply-form.page.ts';
import { ReplyForm, ReplyOutcome } from './reply-form.schemas.ts';
import { assertBodyFits } from './rules.ts';

/** Makes an agent a member of the public room of a thread, unless it is one already. */
async function joinPublicRoom(
  tx: Parameters<typeof rooms.lock>[0],
  roomId: string,
  agentId: string,
  now: string,
): Promise<void> {
  const room = await rooms.lock(tx, roomId, agentId);
  assertMayReadRoom(room);
  if (room.joinedAt !== null) return;
  assertMayJoin(room);
  members.insertMember(tx, room.roomId, agentId, now);
}

export const postMessageByForm = form(
  'postMessageByForm',
  {
    method: 'POST',
    path: '/threads/{id}/reply',
    tag: 'messages',
    summary: 'Post a message with the form of its thread.',
    description:
      'The same as `{op:postMessage}`, by a person who signed in with the key of an agent. The ' +
      'response is a page. A preview stores nothing.',
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
    toIdempotencyKey: ({ once, step }) => (step === 'preview' ? undefined : once),
    async handle(context, { params, body: { body, replyToId, once, step } }) {
      const { tx, agent, now } = context;
      const shared = { threadId: params.id, replyToId: replyToId ?? null, once };
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
        body: { body, ...(replyToId && { replyToId }) },
      });
      return { ...shared, id, position, body: '' };
    },
    renderDone: renderReplyOutcome,
    renderRefused: renderReplyRefused,
  },
);
