import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../../test/support/linearizability.ts';
import { type ClaimOperation, LEASE_MS } from '../../claims/claim-model.ts';
import type { Called } from '../caller.ts';
import type { Actor } from '../cast.ts';
import type { Json } from '../send.ts';
import type { Stage } from '../stage.ts';

const leaseSeconds = LEASE_MS / 1_000;

/** Takes requests and answers them, now and then too late, and notes what came of it. */
export async function takeRequests(stage: Stage, worker: Actor): Promise<void> {
  const { caller, cast, random, memory } = stage;
  const note = (id: string, { start, end }: Called, operation: ClaimOperation, isSure = true) => {
    const calls: Call<ClaimOperation>[] = memory.claims.get(id) ?? [];
    memory.claims.set(id, calls);
    calls.push({ operation, start, end: isSure ? end : Infinity });
  };
  const act = async (kind: 'release' | 'answer', item: Json, fence: number) => {
    const called = await caller.call(
      kind === 'release'
        ? {
            who: worker,
            method: 'DELETE',
            path: `/api/v1/messages/${item.messageId}/claim?fence=${fence}`,
          }
        : {
            who: worker,
            method: 'POST',
            path: `/api/v1/threads/${item.threadId}/messages`,
            body: { body: `Done by ${worker.name}: ${fence}`, answers: item.messageId, fence },
          },
    );
    const outcome = called.status === 200 ? 'done' : 'refused';
    const operation = { kind, agent: worker.id, fence, outcome } as const;
    note(item.messageId, called, operation);
    // A refused repetition says nothing of the first attempt, which may still be under way.
    if (called.attempts > 1 && called.status !== 200)
      note(item.messageId, called, { ...operation, outcome: 'unknown' }, false);
    if (kind === 'answer' && called.status === 200) {
      const { id, position, receiptId } = called.answer;
      const body = `Done by ${worker.name}: ${fence}`;
      memory.posted.push({
        author: worker,
        threadId: item.threadId,
        id,
        position,
        receiptId,
        body,
      });
    }
  };
  while (!stage.isOver()) {
    const called = await caller.call({
      who: worker,
      method: 'POST',
      path: '/api/v1/claims/next',
      body: { roomId: cast.openRoom, leaseSeconds, wait: 1 },
    });
    const taken: Json[] = called.status === 200 ? called.answer : [];
    for (const { messageId, claim } of taken)
      note(messageId, called, {
        kind: 'claim',
        agent: worker.id,
        outcome: { is: 'taken', fence: claim.fence, expiresAt: Date.parse(claim.expiresAt) },
      });
    if (called.attempts > 1 && taken.length === 0)
      memory.anyClaim.push({
        operation: { kind: 'claim', agent: worker.id, outcome: { is: 'unknown' } },
        start: called.start,
        end: Infinity,
      });
    for (const item of taken) {
      const mood = random.pickInt(8);
      await sleep(mood === 0 ? LEASE_MS + random.pickInt(500) : random.pickInt(100));
      if (mood === 1) await act('release', item, item.claim.fence);
      await act('answer', item, item.claim.fence);
    }
  }
}
