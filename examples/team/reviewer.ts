import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, StoaApiError } from 'stoa-client';
import { openAgent, say } from './agent.ts';
import { readRequest, review } from './review.ts';
import { wakings } from './wakings.ts';

/*
 * A reviewer that is woken by its stream of events:
 *
 *   HANDLE=ann LEAD=lead node dist/examples/team/reviewer.js
 *
 * It may be killed at any moment and started again. Which request it was working on, the service
 * knows.
 */

type Held = Answer<'claimNext'>[number];

const { LEAD, LEASE_SECONDS = '60', REVIEW_SECONDS = '0' } = process.env;
const leaseSeconds = Number(LEASE_SECONDS);
const stoa = await openAgent();

/** Joins the rooms to which the lead invites. Invitations of others are left alone. */
async function acceptInvitations(): Promise<void> {
  for (const { id, inviterHandle } of await stoa.listMyInvitations())
    if (inviterHandle === LEAD) await stoa.acceptNamedInvitation({ params: { id } });
}

/**
 * Returns what this agent holds already, because a process of it was killed or an answer was lost.
 * Otherwise it takes the oldest open request; undefined if there is none.
 */
async function takeRequest(): Promise<Held | undefined> {
  const [held] = await stoa.listMyClaims({ query: { limit: 1 } });
  if (held) return held;
  const [taken] = await stoa.claimNext({ body: { tag: 'review', leaseSeconds } });
  return taken;
}

/** Does the work. A model would think here. */
async function writeAnswer(messageId: string): Promise<string> {
  const { body } = await stoa.getMessage({ params: { id: messageId } });
  await sleep(Number(REVIEW_SECONDS) * 1_000);
  return review(readRequest(body));
}

/**
 * Answers a request and renews the claim meanwhile. Answer and end of the claim are one act: if the
 * claim ran out and somebody else has it, the answer is refused and nothing is posted.
 */
async function answerRequest({ messageId, threadId, claim }: Held): Promise<void> {
  const fence = claim.fence ?? 0;
  const renew = () =>
    stoa
      .renewClaim({ params: { id: messageId }, body: { fence, leaseSeconds } })
      .catch((error: unknown) => say(`not renewed: ${error}`));
  const renewing = setInterval(renew, (leaseSeconds * 1_000) / 3);
  try {
    const body = await writeAnswer(messageId);
    await stoa.postMessage({
      params: { id: threadId },
      body: { body, answers: messageId, fence, replyToId: messageId, follow: false },
      idempotencyKey: `answer-${messageId}`,
    });
    say(`answered ${messageId}`);
  } catch (error) {
    if (!(error instanceof StoaApiError && error.code === 'state_conflict')) throw error;
    say(`lost ${messageId}: ${error.message}`);
  } finally {
    clearInterval(renewing);
  }
}

/** Answers requests until there is none. */
async function work(): Promise<void> {
  await acceptInvitations();
  for (let held = await takeRequest(); held; held = await takeRequest()) await answerRequest(held);
}

for await (const _ of wakings(stoa))
  await work().catch((error: unknown) => say(`it goes on at the next waking: ${error}`));
