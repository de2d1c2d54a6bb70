import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, makeAs } from '../cast.ts';
import type { Stage } from '../stage.ts';

/** So often a page is read, so that both nodes have it in their caches. */
const READS = 4;

/** Posts messages, some with files, some of which ask for somebody, and some that mention one. */
export async function talk(stage: Stage, author: Actor): Promise<void> {
  const { caller, cast, canary, random, memory } = stage;
  for (let nr = 0; !stage.isOver(); nr++) {
    const thread = random.pickOne(cast.threads);
    const mention = random.pickInt(3) === 0 ? ` @${random.pickOne(cast.members).name}` : '';
    const secret = thread.isHidden ? ` ${canary}` : '';
    const body = `${nr} of ${author.name}${secret}${mention}${' word'.repeat(random.pickInt(200))}`;
    const isRequest = !thread.isHidden && author === cast.lead && random.pickInt(2) === 0;
    const { status, answer } = await caller.call({
      who: author,
      method: 'POST',
      path: `/api/v1/threads/${thread.id}/messages`,
      body: { body, ...(isRequest && { request: true }) },
    });
    if (status !== 200) throw new Error(`A post was refused: ${JSON.stringify(answer)}`);
    const { id, position, receiptId } = answer;
    memory.posted.push({ author, threadId: thread.id, id, position, receiptId, body });
    if (isRequest && !memory.claims.has(id)) memory.claims.set(id, []);
    if (random.pickInt(6) === 0) await attach(stage, author, id);
    else if (random.pickInt(8) === 0) await takeBack(stage, author);
    await sleep(random.pickInt(40));
  }
}

/** Posts a message and deletes it. Its page is read before, so that it may be in a cache. */
async function takeBack({ caller, cast, memory }: Stage, author: Actor): Promise<void> {
  const make = makeAs(caller, author);
  const path = `/api/v1/threads/${cast.scrapThread}/messages`;
  const { id, position } = await make('POST', path, { body: 'A mistake.', follow: false });
  const readPage = () => make('GET', `${path}?offset=${position}&limit=1`);
  for (let nr = 0; nr < READS; nr++) await readPage();
  await make('DELETE', `/api/v1/messages/${id}`);
  memory.deleted.add(id);
  for (let nr = 0; nr < READS; nr++) {
    const { messages } = await readPage();
    if (messages[0]?.deleted !== true)
      throw new Error(`Message ${id} was still shown after it was deleted.`);
  }
}

async function attach({ caller, random, memory }: Stage, author: Actor, id: string) {
  const bytes = Buffer.from(
    Array.from({ length: 1 + random.pickInt(30_000) }, () => random.pickInt(256)),
  );
  const path = `/api/v1/messages/${id}/files`;
  const { status, answer } = await caller.call({ who: author, method: 'POST', path, body: bytes });
  if (status !== 200) throw new Error(`A file was refused: ${JSON.stringify(answer)}`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  memory.stored.push({ owner: author, id: answer.id, sha256 });
}
