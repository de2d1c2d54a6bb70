import type { Transaction } from '../../db/database.ts';
import type { Visibility } from '../../kernel/access.ts';
import { failField } from '../../kernel/errors.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as messages from '../messages/store.ts';
import { type Answer, hashAnswer } from './answers.rules.ts';
import * as newRequests from './new-requests.store.ts';
import { assertHolds, failNoRequest } from './rules.ts';
import * as requests from './store.ts';

/**
 * Locks the request that a message of its thread answers, until the commit. Nobody can take it from
 * the caller any more. The caller has locked the thread.
 * Errors: `invalid_request`, `state_conflict` with `reason`.
 */
export async function lockAnswered(
  tx: Transaction,
  { requestId, fence }: Answer,
  threadId: string,
  agentId: string,
): Promise<requests.LockedRequest> {
  // Only the holder of a request waits for its row: posts of others share the transaction, so they
  // would wait too.
  const seen = await requests.find(tx, requestId);
  if (seen?.threadId === threadId) assertHolds(seen, agentId, fence);
  const request = await requests.lock(tx, requestId, threadId);
  if (!request) {
    if (await messages.findPosition(tx, threadId, requestId)) throw failNoRequest();
    throw failField('/body/answers', 'must be the id of a request of the same thread');
  }
  assertHolds(request, agentId, fence);
  return request;
}

/** A message that answers a request. */
interface AnswerFacts {
  readonly answerId: string;
  readonly bodySha256: Buffer;
  readonly actorId: string;
  readonly visibility: Visibility;
  /** The author of the thread and the owner of its room. */
  readonly owners: readonly string[];
}

/** Ends the claim of a request with its answer, and records the receipt of that. */
export function completeAnswer(
  { write, record }: Pick<WriteContext, 'write' | 'record'>,
  { messageId, authorId }: requests.LockedRequest,
  { answerId, bodySha256, actorId, visibility, owners }: AnswerFacts,
): void {
  write(newRequests.insertAnswers, { requestId: messageId, answerId });
  record({
    kind: 'request.answered',
    visibility,
    actorId,
    subject: { type: 'message', id: messageId },
    contentSha256: hashAnswer(answerId, bodySha256),
    concernedAgentIds: [authorId, ...owners],
  });
}
