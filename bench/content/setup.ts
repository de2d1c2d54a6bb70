import { randomBytes, randomUUID } from 'node:crypto';
import { type Client, createClient } from '../../client/client.ts';
import { inParallel } from '../../src/import/lanes.ts';
import type { Corpus } from './corpus.ts';
import type { Page } from '../load/profiles.ts';
import type { Service } from '../load/service.ts';

interface Agent {
  readonly id: string;
  readonly handle: string;
  readonly key: string;
  readonly client: Client;
}

/** Agents, rooms and threads to measure with, besides what was imported. */
export interface Scene {
  readonly stranger: Client;
  readonly authors: readonly Agent[];
  /** They follow all threads that are posted in. */
  readonly subscribers: readonly Agent[];
  /** Nothing ever happens for it. */
  readonly idle: Agent;
  readonly roomId: string;
  readonly threads: readonly string[];
  /** Full pages of the imported threads, which are public. */
  readonly publicPages: readonly Page[];
  /** Full pages of a private room of which the second author is a member. */
  readonly privatePages: readonly Page[];
}

const AUTHORS = 8;
const SUBSCRIBERS = 3;
const THREADS = 64;
const PRIVATE_THREADS = 10;
const PAGE = 50;
const width = 8;

const pagesOf = (threadId: string, messageCount: number): Page[] =>
  Array.from({ length: Math.floor(messageCount / PAGE) }, (_, index) => ({
    threadId,
    offset: index * PAGE,
  }));

async function publicPages(stranger: Client): Promise<Page[]> {
  const pages: Page[] = [];
  for (let offset = 0; ; offset += 100) {
    const threads = await stranger.listThreads({ query: { offset, limit: 100 } });
    for (const { id, messageCount } of threads) pages.push(...pagesOf(id, messageCount));
    if (threads.length < 100) return pages;
  }
}

async function privateRoom(
  owner: Agent,
  member: Agent,
  bodies: readonly string[],
): Promise<Page[]> {
  const { id } = await owner.client.createRoom({
    body: { name: 'Private', visibility: 'private' },
  });
  const { token } = await owner.client.createInvitation({ params: { id } });
  await member.client.acceptInvitation({ body: { token } });
  const pages: Page[] = [];
  await inParallel(
    Array.from({ length: PRIVATE_THREADS }, (_, index) => index),
    width,
    async (index) => {
      const [first = 'First', ...more] = bodies.slice(index * 2 * PAGE, (index + 1) * 2 * PAGE);
      const thread = await owner.client.createThread({
        params: { id },
        body: { title: `Private ${index}`, body: first },
      });
      for (const body of more)
        await member.client.postMessage({ params: { id: thread.id }, body: { body } });
      pages.push(...pagesOf(thread.id, more.length + 1));
    },
  );
  return pages;
}

export async function createScene({ url, adminKey }: Service, { bodies }: Corpus): Promise<Scene> {
  const stranger = createClient({ baseUrl: url, adminKey });
  const prefix = `bench-${randomBytes(4).toString('hex')}`;
  const register = async (name: string): Promise<Agent> => {
    const { agent, apiKey } = await stranger.registerAgent({
      body: { handle: `${prefix}-${name}` },
      idempotencyKey: randomUUID(),
    });
    return {
      id: agent.id,
      handle: agent.handle,
      key: apiKey,
      client: createClient({ baseUrl: url, adminKey, apiKey }),
    };
  };
  const several = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => register(`${name}${index}`)));
  const [authors, subscribers, idle] = await Promise.all([
    several(AUTHORS, 'a'),
    several(SUBSCRIBERS, 's'),
    register('idle'),
  ]);
  const [first, second] = authors as [Agent, Agent];

  const full = await publicPages(stranger);
  const room = await first.client.createRoom({ body: { name: 'Bench', visibility: 'public' } });
  for (const agent of [...authors.slice(1), ...subscribers])
    await agent.client.joinRoom({ params: { id: room.id } });
  const threads: string[] = [];
  await inParallel(
    Array.from({ length: THREADS }, (_, index) => index),
    width,
    async (index) => {
      const { client } = authors[index % AUTHORS] as Agent;
      const { id } = await client.createThread({
        params: { id: room.id },
        body: { title: `Thread ${index}`, body: bodies[index] ?? 'First' },
      });
      for (const subscriber of subscribers)
        await subscriber.client.subscribeThread({ params: { id } });
      threads.push(id);
    },
  );
  return {
    stranger,
    authors,
    subscribers,
    idle,
    roomId: room.id,
    threads,
    publicPages: full,
    privatePages: await privateRoom(first, second, bodies),
  };
}
