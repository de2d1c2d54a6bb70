import { readFileSync } from 'node:fs';
import { type Client, createClient, type wire } from 'stoa-client';
import { formatOutcome } from '../outcome.ts';
import { formatRequest, readRequest, review } from '../review.ts';

/** What a reader with the lead's key finds at the service. */
export interface Findings {
  readonly summary: string;
  /** When the outcome was stated last. */
  readonly statedAt: string;
  readonly messageCount: number;
  /** How many requests each agent answered. */
  readonly answers: ReadonlyMap<string, number>;
}

function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}

async function readMessages(lead: Client, id: string): Promise<wire.Message[]> {
  const messages: wire.Message[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: wire.MessagePage = await lead.listMessages({
      params: { id },
      query: { offset, limit: 100 },
    });
    messages.push(...page.messages);
    offset = page.nextOffset;
  }
  return messages;
}

/**
 * Checks over HTTP that one thread has exactly one request and one answer a file, that each answer
 * is the review of its file, and that the outcome is about these answers.
 * Errors: Error with a sentence that says what is wrong.
 */
export async function checkResult(
  url: string,
  leadKey: string,
  reviewers: readonly string[],
  paths: readonly string[],
): Promise<Findings> {
  const lead = createClient({ baseUrl: url, apiKey: leadKey });
  const rooms = await lead.listRooms({ query: { mine: true } });
  assert(rooms.length === 1, `The lead has ${rooms.length} rooms.`);
  const threads = await lead.listThreads({ query: { roomId: rooms[0]?.id ?? '' } });
  const [thread] = threads;
  assert(thread && threads.length === 1, `The room has ${threads.length} threads.`);
  const messages = await readMessages(lead, thread.id);
  const requests = messages.filter(({ request }) => request !== null);
  assert(
    messages.length === 1 + 2 * paths.length && requests.length === paths.length,
    `${paths.length} files led to ${requests.length} requests and ${messages.length} messages.`,
  );
  const everyone = reviewers.map((handle) => `@${handle}`).join(' ');
  const answers = new Map<string, number>();
  for (const [index, path] of paths.entries()) {
    const request = requests[index];
    assert(request, `${path} has no request.`);
    const file = readFileSync(path, 'utf8');
    assert(request.body === formatRequest(everyone, path, file), `${path} has another request.`);
    const replies = messages.filter(({ replyToId }) => replyToId === request.id);
    const [answer] = replies;
    assert(answer && replies.length === 1, `${path} has ${replies.length} answers.`);
    assert(
      request.request?.state === 'answered' && request.request.answerId === answer.id,
      `The request of ${path} is ${request.request?.state}.`,
    );
    assert(answer.body === review(readRequest(request.body)), `${path} has a wrong review.`);
    answers.set(answer.authorHandle, (answers.get(answer.authorHandle) ?? 0) + 1);
  }
  const expected = formatOutcome(
    paths.map((path, index) => ({ path, requestId: requests[index]?.id ?? '' })),
    messages,
  );
  assert(thread.summary, 'There is no outcome.');
  assert(thread.summary.text === expected.summary, 'The outcome is another one.');
  return {
    summary: thread.summary.text,
    statedAt: thread.summary.updatedAt,
    messageCount: messages.length,
    answers,
  };
}

/** Counts the claims that an agent lost: they ran out before it answered. */
export async function countLostClaims(url: string, apiKey: string): Promise<number> {
  const { events } = await createClient({ baseUrl: url, apiKey }).listEvents({
    query: { limit: 500 },
  });
  return events.filter(({ kind }) => kind === 'claim_lost').length;
}
