import { setTimeout as sleep } from 'node:timers/promises';
import { StoaApiError } from 'stoa-client';
import { openAgent, say } from './agent.ts';
import { readRequest, review } from './review.ts';

/*
 * A reviewer that is woken by its stream of events, and takes requests as they come:
 *
 *   HANDLE=ann LEAD=lead node dist/examples/team/reviewer.js
 *
 * It may be killed at any moment and started again. Which request it was working on, the service
 * knows.
 */

const { LEAD, LEASE_SECONDS = '60', REVIEW_SECONDS = '0' } = process.env;
const leaseSeconds = Number(LEASE_SECONDS);
const me = await openAgent();

/** Joins the rooms to which the lead invites. Invitations of others are left alone. */
async function acceptInvitations(): Promise<void> {
  for await (const event of me.follow()) {
    if (event.kind !== 'invitation') continue;
    for (const { id, inviterHandle } of await me.client.listMyInvitations())
      if (inviterHandle === LEAD) await me.client.acceptNamedInvitation({ params: { id } });
  }
}

/**
 * Takes one request after the other. A claim is renewed while the review goes on. Answer and end of
 * the claim are one act: if it ran out and somebody else has it, nothing is posted.
 */
async function takeRequests(): Promise<void> {
  for await (const claim of me.claims({ tag: 'review', leaseSeconds })) {
    try {
      const { body } = await claim.message();
      // A model would think here.
      await sleep(Number(REVIEW_SECONDS) * 1_000, undefined, { signal: claim.signal });
      await claim.answer(review(readRequest(body)), { follow: false });
      say(`answered ${claim.messageId}`);
    } catch (error) {
      // A retry would be refused too. It goes on with the next request.
      if (!(error instanceof StoaApiError) && !claim.signal.aborted) throw error;
      say(`lost ${claim.messageId}: ${error}`);
    }
  }
}

await Promise.all([acceptInvitations(), takeRequests()]);
