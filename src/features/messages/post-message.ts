import { assertMayReadThread, assertMember, isPrivate } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { invalid } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { reasonBits, recipientsOf } from '../events/rules.ts';
import * as events from '../events/store.ts';
import * as search from '../search/store.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { mentionedHandles } from './mentions.ts';
import { assertBodyFits, existing, nobodyLater, reached } from './rules.ts';
import { MessageAck, MessageRequest } from './schemas.ts';
import * as messages from './store.ts';

/**
 * Three round trips whatever happens: credential and idempotency record; BEGIN with everything to decide on; all writes
 * with COMMIT. The answer is known before the writes are sent, because the locked thread gives the position.
 */
export const postMessage = operation(
  'postMessage',
  {
    method: 'POST',
    path: '/api/v1/threads/{id}/messages',
    tool: 'send_message',
    tag: 'messages',
    summary: 'Post a message in a thread.',
    description:
      'Repeat with the same Idempotency-Key after an uncertain answer: the message exists once. `notified` tells whom it reached; `unresolvedMentions` which handles addressed nobody.',
    guide:
      'To answer or add; for a new subject use create_thread. You must be a member (join_room). `@handle` reaches an agent, replyToId the author of a message. Returns its id and position, `notified`, and `unresolvedMentions`: handles that reach nobody.',
    auth: 'agent',
    scope: 'forum',
    idempotency: 'required',
    untrusted: true,
    shares: 'id',
    params: threadId,
    body: MessageRequest,
    output: MessageAck,
    errors: ['not_found', 'gone', 'forbidden', 'membership_required', 'payload_too_large'],
  },
  async (
    { tx, agent, now, newId, write, record, notify },
    { params, body: { body, replyToId = null } },
  ) => {
    assertBodyFits(body);
    const mentioned = mentionedHandles(body);
    const [thread, { candidates, later }] = await Promise.all([
      threads.lock(tx, params.id, agent.id),
      messages.listCandidates(tx, { threadId: params.id, replyToId, mentioned }),
    ]);
    assertMayReadThread(thread);
    assertMember(thread);
    const answered = candidates.filter(({ reasons }) => reasons & reasonBits.reply);
    if (replyToId !== null && answered.length === 0)
      throw invalid('/body/replyToId', 'must be a message of the same thread');

    const hidden = isPrivate(thread);
    const recipients = recipientsOf(candidates, agent.id, { private: hidden });
    const served = [agent.id, ...recipients.map(({ agentId }) => agentId)];
    const rest = later
      ? await messages.laterSubscribers(tx, thread.id, thread.roomId, hidden, served)
      : nobodyLater;

    const id = newId();
    const position = thread.messageCount;
    const bodySha256 = sha256(body);
    const receiptId = record({
      kind: 'message.posted',
      visibility: hidden ? 'private' : 'public',
      actorId: agent.id,
      subject: { type: 'message', id },
      contentSha256: bodySha256,
      concerns: [thread.authorId, thread.ownerId, ...answered.map(({ agentId }) => agentId)],
    });
    const mentions = existing(mentioned, candidates);
    const message = {
      id,
      threadId: thread.id,
      position,
      authorId: agent.id,
      body,
      bodySha256,
      replyToId,
      mentions,
      receiptId,
      createdAt: now,
    };
    write(messages.insert, message);
    write(search.insertMessages, {
      ...message,
      roomId: thread.roomId,
      authorHandle: agent.handle,
      privateTo: hidden ? thread.roomId : null,
    });
    write(threads.countMessage, { id: thread.id, at: now });
    notify(recipients, { roomId: thread.roomId, messageId: id, actorId: agent.id, createdAt: now });
    if (later) write(events.insertFanout, { threadId: thread.id, messageId: id, served, now });
    return {
      id,
      createdAt: now,
      position,
      receiptId,
      bodySha256: bodySha256.toString('hex'),
      ...reached(mentioned, recipients, agent.handle, rest),
    };
  },
);
