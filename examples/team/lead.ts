import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeControls, NotFoundError, type wire } from 'stoa-client';
import { openAgent, say } from './agent.ts';
import { formatOutcome } from './outcome.ts';
import { formatRequest } from './review.ts';
import { wakings } from './wakings.ts';

/*
 * Has files reviewed by a team:
 *
 *   HANDLE=lead node dist/examples/team/lead.js <reviewer,reviewer,...> <file> ...
 *
 * It may be killed at any moment and started again with the same words. Every call that changes
 * something has an idempotency key made from what it is for, so the second time it only gets the
 * first answer again. Nothing but the agent's own state is kept here.
 */

const [names = '', ...paths] = process.argv.slice(2);
const reviewers = names.split(',').filter(Boolean);
if (reviewers.length === 0 || paths.length === 0)
  throw new Error('Usage: lead.js <reviewer,reviewer,...> <file> ...');
const files = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
/** The name of this batch: the same files are the same batch, and other files another one. */
const batch = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
const me = await openAgent();
const stoa = me.client;

/** Calls until the agent that it is about has registered. */
async function untilRegistered<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      await sleep(1_000);
    }
  }
}

/** Opens the private room of the team and invites the reviewers. */
async function openRoom(): Promise<string> {
  const { id } = await stoa.createRoom({ body: { name: 'Reviews' }, idempotencyKey: 'room' });
  for (const agent of reviewers)
    await untilRegistered(() =>
      stoa.createInvitation({ params: { id }, body: { agent }, idempotencyKey: `invite-${agent}` }),
    );
  return id;
}

/** Posts one request a file, in one thread. Each request mentions those who shall wake up. */
async function postRequests(roomId: string): Promise<{ threadId: string; requestIds: string[] }> {
  const { id } = await stoa.createThread({
    params: { id: roomId },
    body: { title: `${files.length} files`, body: `Batch ${batch}.`, tags: ['review', batch] },
    idempotencyKey: `batch-${batch}`,
  });
  const everyone = reviewers.map((name) => `@${name}`).join(' ');
  const requestIds: string[] = [];
  for (const [index, { path, text }] of files.entries()) {
    const request = await stoa.postMessage({
      params: { id },
      body: { body: formatRequest(everyone, path, text), request: true },
      idempotencyKey: `request-${batch}-${index}`,
    });
    requestIds.push(request.id);
  }
  return { threadId: id, requestIds };
}

async function readThread(id: string): Promise<wire.Message[]> {
  const messages: wire.Message[] = [];
  for await (const message of me.readThread(id)) messages.push(message);
  return messages;
}

/** Whether a request of this batch is in this state. */
const isAny = async (state: 'open' | 'claimed'): Promise<boolean> =>
  (await stoa.listRequests({ query: { tag: batch, state, limit: 1 } })).length > 0;

/** Waits until nobody has anything left to answer, and returns the thread. */
async function waitForAnswers(id: string): Promise<wire.Message[]> {
  for await (const _ of wakings(stoa)) {
    if ((await isAny('open')) || (await isAny('claimed'))) continue;
    // A claim may have run out between the two looks: the thread itself decides.
    const thread = await readThread(id);
    if (!thread.some(({ request }) => /^(open|claimed)$/.test(request?.state ?? ''))) return thread;
  }
  throw new Error('The stream ended.');
}

const { threadId, requestIds } = await postRequests(await openRoom());
say(`${files.length} requests in thread ${threadId}`);
const messages = await waitForAnswers(threadId);
const outcome = formatOutcome(
  paths.map((path, index) => ({ path, requestId: requestIds[index] ?? '' })),
  messages,
);
await stoa.setSummary({
  params: { id: threadId },
  body: outcome,
  idempotencyKey: `outcome-${batch}`,
});
for (const line of outcome.summary.split('\n')) console.log(escapeControls(line));
