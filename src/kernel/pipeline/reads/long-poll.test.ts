import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createHub, toTopic } from '../../hub.ts';
import { waitForNews } from './long-poll.ts';

it('[attack.62-1] (API1) news of a place are looked at by whoever may know of it', async () => {
  const hub = createHub(() => {});
  const asked: string[][] = [];
  let looks = 0;
  const poll = {
    seconds: () => 60,
    isEmpty: () => looks < 3,
    next: (input: never) => input,
    topic: () => toTopic('tag'),
  };
  const waiter = {
    hub,
    agentId: 'ada',
    mayKnow: async (places: readonly string[]) => {
      asked.push([...places]);
      return places.includes('own');
    },
  };
  const read = async () => {
    looks += 1;
    return [] as never;
  };
  const ended = waitForNews(waiter, poll, {} as never, read, {});
  await settle();
  expect(looks).toBe(1);
  hub.publish([toTopic('tag', 'private'), toTopic('tag', 'other'), toTopic('tag', 'private')]);
  await settle();
  expect(asked).toEqual([['private', 'other']]);
  hub.publish([toTopic('another tag', 'own')]);
  await settle();
  expect(looks).toBe(1);
  hub.publish([toTopic('tag', 'own')]);
  await settle();
  expect(looks).toBe(2);
  // A lost notification is made up for by a look that asks nobody.
  hub.publish([toTopic('tag')]);
  await ended;
  expect({ looks, asked: asked.length }).toEqual({ looks: 3, asked: 2 });
});
