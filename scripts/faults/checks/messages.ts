import { createHash } from 'node:crypto';
import { makeAs } from '../cast.ts';
import type { Json } from '../send.ts';
import type { Stage } from '../stage.ts';

const PAGE = 100;

/** Reads a thread from its beginning. */
async function readThread({ caller, cast }: Stage, threadId: string): Promise<Json[]> {
  const messages: Json[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const path = `/api/v1/threads/${threadId}/messages?limit=${PAGE}&offset=${offset}`;
    const page: Json = await makeAs(caller, cast.lead)('GET', path);
    messages.push(...page.messages);
    offset = page.nextOffset ?? null;
  }
  return messages;
}

/** Each acknowledged message is there once, at its position, and nothing else is. */
export async function checkMessages(stage: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const { id: threadId } of stage.cast.threads) {
    const messages = await readThread(stage, threadId);
    messages.forEach(({ position }, index) => {
      if (position !== index) faults.push(`${threadId} has ${position} at place ${index}.`);
    });
    const stored = new Map(messages.map((message) => [message.id, message]));
    const promised = stage.memory.posted.filter((one) => one.threadId === threadId);
    for (const { id, position, body } of promised) {
      const found = stored.get(id);
      if (!found) faults.push(`Message ${id} at ${position} of ${threadId} was lost.`);
      else if (found.position !== position || found.body !== body)
        faults.push(`Message ${id} is not what was acknowledged: ${JSON.stringify(found)}`);
    }
    // The first message is not among those that were posted.
    if (messages.length !== promised.length + 1)
      faults.push(`${threadId} has ${messages.length} messages of ${promised.length + 1}.`);
  }
  const scrap = await readThread(stage, stage.cast.scrapThread);
  const left = scrap.filter(({ id, deleted }) => stage.memory.deleted.has(id) && !deleted);
  return [...faults, ...left.map(({ id }) => `Message ${id} is there, but was deleted.`)];
}

/** Each acknowledged file is there, whole. */
export async function checkFiles({ memory }: Stage, url: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { owner, id, sha256 } of memory.stored) {
    const answer = await fetch(`${url}/files/${id}`, { headers: owner.headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      faults.push(`File ${id} is not what was acknowledged: ${bytes.length} bytes.`);
  }
  return faults;
}
