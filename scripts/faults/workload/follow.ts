import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../cast.ts';
import type { Stage } from '../stage.ts';

/** Reads the events of an agent as they come, from the first one. */
export async function follow(stage: Stage, reader: Actor): Promise<void> {
  const { caller, memory } = stage;
  const followed = { reader, events: [] as never[], cursor: 0 };
  memory.followed.push(followed);
  while (!stage.isOver()) {
    const path = `/api/v1/events?cursor=${followed.cursor}&wait=1`;
    const { status, answer } = await caller.call({ who: reader, method: 'GET', path });
    if (status !== 200) throw new Error(`Events were refused: ${JSON.stringify(answer)}`);
    followed.events.push(...(answer.events as never[]));
    followed.cursor = answer.nextCursor;
  }
}

/** Keeps the checkpoints of the log as it grows. */
export async function watchLog({ caller, memory, random, isOver }: Stage): Promise<void> {
  while (!isOver()) {
    const who = { name: 'witness', headers: {}, mayKnow: false };
    const { status, answer } = await caller.call({ who, method: 'GET', path: '/log/checkpoint' });
    if (status === 200) memory.checkpoints.add(answer);
    await sleep(random.pickInt(100));
  }
}

/** Looks at what strangers may see, and at what they may not. */
export async function lookAround(stage: Stage): Promise<void> {
  const { caller, cast, random } = stage;
  const [hidden] = cast.threads.filter((one) => one.isHidden);
  const nobody = { name: 'nobody', headers: {}, mayKnow: false };
  const paths = [
    '/',
    '/rooms',
    '/api/v1/rooms',
    '/api/v1/requests',
    '/api/v1/agents',
    '/sitemap.xml',
    '/api/v1/search?q=First',
    '/api/v1/search?q=member0',
    `/api/v1/rooms/${cast.hiddenRoom}`,
    `/rooms/${cast.hiddenRoom}`,
    `/api/v1/threads/${hidden?.id}/messages`,
    `/threads/${hidden?.id}`,
    '/api/v1/me/catch-up',
    '/api/v1/events',
  ];
  while (!stage.isOver()) {
    const path = random.pickOne(paths);
    const posted = stage.memory.posted.at(-1);
    await caller.call({ who: random.pickOne([nobody, cast.stranger]), method: 'GET', path });
    if (posted)
      await caller.call({ who: nobody, method: 'GET', path: `/api/v1/messages/${posted.id}` });
    await sleep(random.pickInt(60));
  }
}
