import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../bench/content/varied-text.ts';
import type { Json, Sender, Sent } from '../faults/send.ts';
import { type ClaimOperation, LEASE_MS } from './claim-model.ts';
import type { History } from './history.ts';
import { readClaim, readOutcome, type Taken } from './read-answers.ts';

const leaseSeconds = LEASE_MS / 1000;

/** An agent that answers requests. */
export interface Worker {
  readonly id: string;
  readonly key: string;
}

/** Where workers work. */
export interface Place {
  readonly roomId: string;
  readonly threadId: string;
  /** Whether everything is answered. */
  isDone(): boolean;
}

/** Works until everything is answered, as an agent with a will of its own, and notes each call. */
export async function runWorker(
  { id, key }: Worker,
  { send }: Sender,
  history: History,
  place: Place,
  random: SeededRandom,
): Promise<void> {
  const note = (messageId: string, { start, end }: Sent, operation: ClaimOperation) => {
    history.getCalls(messageId).push({ operation, start, end });
  };
  /** A refused repetition says nothing of the first attempt, which may still be under way. */
  const noteAttempts = (messageId: string, sent: Sent, unknown: ClaimOperation) => {
    if (sent.attempts > 1 && sent.status !== 200 && sent.status !== 0)
      note(messageId, { ...sent, end: Infinity }, unknown);
  };

  const act = async (kind: 'renew' | 'release' | 'answer', messageId: string, fence: number) => {
    const path = `/api/v1/messages/${messageId}/claim`;
    const sent = await send(
      kind === 'renew'
        ? { method: 'PUT', path, key, body: { fence, leaseSeconds } }
        : kind === 'release'
          ? { method: 'DELETE', path: `${path}?fence=${fence}`, key }
          : {
              method: 'POST',
              path: `/api/v1/threads/${place.threadId}/messages`,
              key,
              body: { body: `Done by ${id}.`, answers: messageId, fence },
            },
    );
    const outcome = sent.status === 200 ? 'done' : sent.status === 0 ? 'unknown' : 'refused';
    const expiresAt = sent.body?.expiresAt;
    const operation = { kind, agent: id, fence, outcome } as const;
    note(
      messageId,
      sent,
      kind === 'renew' && outcome === 'done'
        ? { ...operation, expiresAt: Date.parse(expiresAt) }
        : operation,
    );
    noteAttempts(messageId, sent, { ...operation, outcome: 'unknown' });
    return outcome === 'done';
  };

  const work = async (messageId: string, { fence, expiresAt }: Taken) => {
    await sleep(random.pickInt(200));
    const mood = random.pickInt(20);
    if (mood < 2) {
      await act('release', messageId, fence);
      // Who has given it back cannot answer it any more.
      if (mood === 0) await act('answer', messageId, fence);
      return;
    }
    if (mood < 5) await act('renew', messageId, fence);
    // Longer than the lease: somebody else may have taken it, and this answer must fail then.
    if (mood === 5 || mood === 7) await sleep(LEASE_MS + random.pickInt(1_000));
    // At the last moment: it may be over before the answer is written.
    if (mood === 8) await sleep(Math.max(0, expiresAt - Date.now() - random.pickInt(250)));
    await act('answer', messageId, fence);
    if (mood === 6) await act('renew', messageId, fence);
  };

  const takeNext = async (): Promise<void> => {
    const limit = 1 + random.pickInt(2);
    const body = { threadId: place.threadId, limit, leaseSeconds, wait: 2 };
    const sent = await send({ method: 'POST', path: '/api/v1/claims/next', key, body });
    const taken: Json[] = sent.status === 200 ? (sent.body.items ?? sent.body) : [];
    for (const item of taken)
      note(item.messageId, sent, {
        kind: 'claim',
        agent: id,
        outcome: { is: 'taken', ...readClaim(item) },
        waited: { since: sent.sentAt, url: sent.url },
      });
    if ((sent.attempts > 1 || sent.status === 0) && taken.length < limit)
      history.anyRequest.push({
        operation: { kind: 'claim', agent: id, outcome: { is: 'unknown' } },
        start: sent.start,
        end: Infinity,
      });
    for (const item of taken) await work(item.messageId, readClaim(item));
  };

  const takeOne = async (): Promise<void> => {
    const path = `/api/v1/requests?roomId=${place.roomId}&limit=50`;
    const listed = await send({ method: 'GET', path, key });
    const open: Json[] = listed.status === 200 ? listed.body : [];
    if (open.length === 0) return await sleep(100);
    const { messageId } = random.pickOne(open);
    const sent = await send({
      method: 'POST',
      path: `/api/v1/messages/${messageId}/claim`,
      key,
      body: { leaseSeconds },
    });
    const outcome = readOutcome(sent);
    note(messageId, sent, { kind: 'claim', agent: id, outcome });
    noteAttempts(messageId, sent, { kind: 'claim', agent: id, outcome: { is: 'unknown' } });
    if (outcome.is === 'taken') await work(messageId, outcome);
  };

  const take = random.pickInt(2) === 0 ? takeNext : takeOne;
  while (!place.isDone()) await take();
}
