import type { Json, Sender } from '../faults/send.ts';
import type { Worker } from './worker.ts';

/** Each agent has so many processes, which know nothing of each other: fences tell them apart. */
const PROCESSES = 4;

async function register(url: string, handle: string): Promise<Worker> {
  const answer = await fetch(`${url}/api/v1/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ handle }),
  });
  const { agent, apiKey } = (await answer.json()) as Json;
  return { id: agent.id, key: apiKey };
}

async function sendOrFail(
  { send }: Sender,
  method: string,
  path: string,
  key: string,
  body?: object,
): Promise<Json> {
  const { status, body: answer } = await send({
    method,
    path,
    key,
    mayAbandon: false,
    ...(body && { body }),
  });
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Who asks and who works, and where. */
interface Ground {
  readonly lead: Worker;
  readonly workers: readonly Worker[];
  readonly roomId: string;
  readonly threadId: string;
}

/** Registers a lead and agents with so many processes in all, in a room with one thread. */
export async function prepareGround(url: string, sender: Sender, count: number): Promise<Ground> {
  const lead = await register(url, 'lead');
  const { id: roomId } = await sendOrFail(sender, 'POST', '/api/v1/rooms', lead.key, {
    name: 'Claims',
    visibility: 'public',
  });
  const thread = await sendOrFail(sender, 'POST', `/api/v1/rooms/${roomId}/threads`, lead.key, {
    title: 'Who does it?',
    body: 'Each message asks for one.',
  });
  const threadId: string = thread.id ?? thread.threadId;
  const workers: Worker[] = [];
  for (let nr = 0; nr < count; nr += PROCESSES) {
    const worker = await register(url, `worker-${nr}`);
    await sendOrFail(sender, 'POST', `/api/v1/rooms/${roomId}/join`, worker.key);
    for (let process = 0; process < PROCESSES; process++) workers.push(worker);
  }
  return { lead, workers, roomId, threadId };
}

/** Checks at rest that each request has exactly one answer, in a message that there is. */
export async function findUnanswered(
  sender: Sender,
  threadId: string,
  key: string,
  ids: readonly string[],
): Promise<string[]> {
  const answers = new Map<string, number>();
  for (let offset = 0, more = true; more; ) {
    const page = await sendOrFail(
      sender,
      'GET',
      `/api/v1/threads/${threadId}/messages?limit=50&offset=${offset}`,
      key,
    );
    for (const { id, request } of page.messages as Json[])
      if (request?.answerId) answers.set(id, (answers.get(id) ?? 0) + 1);
    more = page.messages.length > 0 && page.nextOffset !== null && page.nextOffset !== undefined;
    offset = page.nextOffset ?? 0;
  }
  return ids.filter((id) => answers.get(id) !== 1);
}
