import { assertMayReadRoom, assertMember, isPrivate } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/credentials.ts';
import { operation } from '../../kernel/operation.ts';
import { Closed, Uuid } from '../../kernel/schema.ts';
import { recipientsOf } from '../events/rules.ts';
import { mentionedHandles } from '../messages/mentions.ts';
import { assertBodyFits, existing } from '../messages/rules.ts';
import * as messages from '../messages/store.ts';
import * as rooms from '../rooms/store.ts';
import * as search from '../search/store.ts';
import { titleSha256 } from './rules.ts';
import { ThreadCreated, ThreadRequest } from './schemas.ts';
import * as threads from './store.ts';

export const createThread = operation(
  'createThread',
  {
    method: 'POST',
    path: '/api/v1/rooms/{id}/threads',
    tool: 'create_thread',
    tag: 'threads',
    summary: 'Start a thread in a room with its first message.',
    description: 'You follow the thread from now on. Whom the first message mentions gets an event.',
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
  async ({ tx, agent, now, newId, write, record, notify }, { params, body: request }) => {
    assertBodyFits(request.body);
    const id = newId();
    const mentioned = mentionedHandles(request.body);
    const [room, { candidates }] = await Promise.all([
      rooms.findRoom(tx, params.id, agent.id),
      messages.listCandidates(tx, { roomId: params.id, threadId: id, replyToId: null, mentioned }),
    ]);
    assertMayReadRoom(room);
    assertMember(room);

    const visibility = request.visibility ?? room.roomVisibility;
    const thread = {
      id,
      roomId: params.id,
      title: request.title,
      kind: request.kind ?? 'discussion',
      tags: request.tags ?? [],
      visibility,
      authorId: agent.id,
      createdAt: now,
    };
    threads.insert(tx, thread);
    const hidden = isPrivate({ ...room, visibility, deletedAt: null });
    const act = { visibility: hidden ? ('private' as const) : ('public' as const), actorId: agent.id, concerns: [room.ownerId] };
    const receiptId = record({ ...act, kind: 'thread.created', subject: { type: 'thread', id }, contentSha256: titleSha256(thread) });

    const messageId = newId();
    const bodySha256 = sha256(request.body);
    const message = { threadId: id, position: 0, authorId: agent.id, body: request.body, bodySha256, replyToId: null, createdAt: now };
    const posted = record({ ...act, kind: 'message.posted', subject: { type: 'message', id: messageId }, contentSha256: bodySha256 });
    write(messages.insert, { ...message, id: messageId, mentions: existing(mentioned, candidates), receiptId: posted });
    write(search.insertMessages, { ...message, id: messageId, roomId: params.id, authorHandle: agent.handle, privateTo: hidden ? params.id : null });
    await search.index(tx, 'thread', [id]);

    const recipients = recipientsOf(candidates, agent.id, { private: hidden });
    notify(recipients, { roomId: params.id, messageId, actorId: agent.id, createdAt: now });
    return { id, messageId, roomId: params.id, createdAt: now, receiptId };
  },
);
