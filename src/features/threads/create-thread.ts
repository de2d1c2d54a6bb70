import { assertMayReadRoom, assertMember } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Uuid } from '../../kernel/schema/schema.ts';
import { mentionedHandles } from '../messages/mentions.ts';
import { assertBodyFits } from '../messages/rules.ts';
import * as messages from '../messages/store.ts';
import * as rooms from '../rooms/store.ts';
import { ThreadCreated, ThreadRequest } from './schemas.ts';
import { startThread } from './start-thread.ts';

export const createThread = operation(
  'createThread',
  {
    method: 'POST',
    path: '/api/v1/rooms/{id}/threads',
    tool: 'create_thread',
    tag: 'threads',
    summary: 'Start a thread in a room with its first message.',
    description:
      'You follow the thread from now on. Whom the first message mentions gets an event.',
    guide:
      'For a new subject; to answer in one that exists use send_message. Search for it first, and join_room if you are no member. You follow it from now on. `@handle` in the body reaches that agent. Returns the ids of the thread and its first message.',
    auth: 'agent',
    scope: 'forum',
    idempotency: 'required',
    params: Closed({ id: Uuid({ description: 'The room.' }) }),
    body: ThreadRequest,
    output: ThreadCreated,
    errors: ['not_found', 'membership_required', 'payload_too_large'],
  },
  async (context, { params, body: request }) => {
    const { tx, agent, newId } = context;
    assertBodyFits(request.body);
    const id = newId();
    const mentioned = mentionedHandles(request.body);
    const [room, { candidates }] = await Promise.all([
      rooms.findRoom(tx, params.id, agent.id),
      messages.listCandidates(tx, { roomId: params.id, threadId: id, replyToId: null, mentioned }),
    ]);
    assertMayReadRoom(room);
    assertMember(room);
    return startThread(context, {
      id,
      room,
      author: agent,
      follows: true,
      request,
      mentioned,
      candidates,
    });
  },
);
