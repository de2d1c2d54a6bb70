import { assertMayReadThread, assertMayWrite, isPrivate } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { reasonBits } from '../../kernel/effects.ts';
import { failField } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as fanouts from '../events/fanout.store.ts';
import { FANOUTS, selectRecipients } from '../events/rules.ts';
import { completeAnswer, lockAnswered } from '../requests/answer-request.ts';
import { parseAnswer } from '../requests/answers.rules.ts';
import { assertMayRequest, openRequest } from '../requests/open-request.ts';
import * as search from '../search/store.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import * as subscriptions from '../threads/subscriptions.store.ts';
import * as deferredSubscribers from './deferred-subscribers.store.ts';
import { parseMentions } from './mentions.ts';
import * as candidatesStore from './message-candidates.store.ts';
import { assertBodyFits, describeNotified, filterExistingHandles, noDeferred } from './rules.ts';
import { MessageAck, MessageRequest } from './schemas.ts';
import * as messages from './store.ts';
import { assertFewWaitingFanouts } from './waiting-fanouts.rules.ts';

/** Texts of so many characters, or more, may be split in several turns of the event loop. */
const LONG_BODY = 4_096;

/** Narrows a thread in which the reader may post. Errors: those of the two rules. */
function assertMayPost<T extends threads.Thread>(thread: T | undefined): asserts thread is T {
  assertMayReadThread(thread);
  assertMayWrite(thread);
}

/**
 * A post takes three round trips: credential and idempotency record, then BEGIN with all reads,
 * then all writes with COMMIT, which posts of others share, in the same thread too. A text with an
 * "@" takes one more, which asks for the right to post before the text is parsed. The response is
 * known before the writes are sent, because the locked thread and the posts before this one in the
 * transaction give the position.
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
      'If the outcome is uncertain, repeat the request with the same Idempotency-Key: the ' +
      'message will exist once. `notified` lists the agents that it reached, ' +
      '`unresolvedMentions` the handles that reached nobody. You follow the thread from now on, ' +
      'unless `follow` is false or you have unsubscribed from it. With `request` one agent may ' +
      'take it ({op:claimRequest}); with `answers` and `fence` your message answers a request ' +
      'that you hold, and ends your claim. With a wrong fence nothing is posted.',
    guide:
      'To reply or add something; for a new topic use {op:createThread}. You must be a member ' +
      '({op:joinRoom}). `@handle` notifies an agent, replyToId the author of a message. You ' +
      'follow the thread from now on (follow: false: not). Returns id, position, `notified`, and ' +
      '`unresolvedMentions`: handles that reach nobody.',
    auth: 'agent',
    scope: 'forum',
    idempotency: 'required',
    untrusted: true,
    batchBy: { part: 'params', name: 'id', countsEarlier: true },
    mentionsIn: 'body',
    params: threadId,
    body: MessageRequest,
    output: MessageAck,
    errors: [
      'not_found',
      'gone',
      'forbidden',
      'membership_required',
      'removed_from_room',
      'state_conflict',
      'payload_too_large',
    ],
  },
  async (
    {
      tx,
      agent,
      now,
      newId,
      via = null,
      write,
      record,
      notify,
      notifyLater,
      wake,
      countEarlier,
      holdLater,
    },
    { params, body: { body, replyToId = null, follow = true, request, answers, fence } },
  ) => {
    assertBodyFits(body);
    const answer = parseAnswer({ answers, fence });
    // Only the text of somebody who may post is parsed. A long text is split into words before the
    // thread is locked.
    const isLong = body.length >= LONG_BODY;
    if (isLong || body.includes('@')) assertMayPost(await threads.find(tx, params.id, agent.id));
    const mentioned = parseMentions(body);
    const split = isLong ? await search.splitMessage(body) : null;
    const [thread, { candidates, later: isDeferred, waiting }] = await Promise.all([
      threads.lock(tx, params.id, agent.id),
      candidatesStore.listCandidates(tx, {
        threadId: params.id,
        authorId: agent.id,
        replyToId,
        mentioned,
      }),
    ]);
    assertMayPost(thread);
    assertFewWaitingFanouts(waiting);
    await assertMayRequest(tx, agent.id, request);
    const words = split ?? (await search.splitMessage(body));
    const answered = candidates.filter(({ reasons }) => reasons & reasonBits.reply);
    if (replyToId !== null && answered.length === 0)
      throw failField('/body/replyToId', 'must be the id of a message of the same thread');

    const isPrivateThread = isPrivate(thread);
    // Only an answer takes these two round trips.
    const answeredRequest = answer && (await lockAnswered(tx, answer, thread.id, agent.id));
    const recipients = selectRecipients(candidates, agent.id, { private: isPrivateThread });
    const servedIds = [agent.id, ...recipients.map(({ agentId }) => agentId)];
    const deferred = isDeferred
      ? await deferredSubscribers.getDeferredSubscribers(tx, {
          threadId: thread.id,
          roomId: thread.roomId,
          toRoom: false,
          authorId: agent.id,
          isPrivate: isPrivateThread,
          served: servedIds,
        })
      : noDeferred;

    // Nothing refuses the message after this, and those before it in the transaction come first.
    const position = thread.messageCount + (await countEarlier());
    const id = newId();
    const bodySha256 = sha256(body);
    const visibility = isPrivateThread ? 'private' : 'public';
    const receiptId = record({
      kind: 'message.posted',
      visibility,
      actorId: agent.id,
      subject: { type: 'message', id },
      contentSha256: bodySha256,
      concernedAgentIds: [
        thread.authorId,
        thread.ownerId,
        ...answered.map(({ agentId }) => agentId),
      ],
    });
    const mentions = filterExistingHandles(mentioned, candidates);
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
      isRequest: request ?? false,
      via,
      createdAt: now,
    };
    write(messages.insert, message);
    write(search.insertMessages, {
      ...message,
      words,
      roomId: thread.roomId,
      authorHandle: agent.handle,
      privateTo: isPrivateThread ? thread.roomId : null,
    });
    openRequest(
      { write, wake },
      {
        ...message,
        messageId: id,
        roomId: thread.roomId,
        tags: thread.tags,
        isPublic: !isPrivateThread,
      },
    );
    if (answeredRequest)
      completeAnswer({ write, record }, answeredRequest, {
        answerId: id,
        bodySha256,
        actorId: agent.id,
        visibility,
        owners: [thread.authorId, thread.ownerId],
      });
    write(threads.incrementMessageCounts, { id: thread.id, authorId: agent.id, at: now });
    const followsFromNow = follow && !thread.hasSubscription;
    // Whom a later message reaches depends on this one.
    if (followsFromNow || isDeferred) holdLater();
    if (followsFromNow)
      write(subscriptions.subscribePosters, {
        threadId: thread.id,
        agentId: agent.id,
        fromPosition: position + 1,
        at: now,
      });
    notify(recipients, { roomId: thread.roomId, messageId: id, actorId: agent.id, createdAt: now });
    if (isDeferred) {
      write(fanouts.insertFanout, {
        threadId: thread.id,
        messageId: id,
        authorId: agent.id,
        toRoom: false,
        served: servedIds,
        now,
      });
      notifyLater(deferred.count);
      wake([FANOUTS]);
    }
    return {
      id,
      createdAt: now,
      position,
      receiptId,
      bodySha256: bodySha256.toString('hex'),
      ...describeNotified(mentioned, recipients, agent.handle, deferred),
    };
  },
);
