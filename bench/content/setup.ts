import { randomBytes, randomUUID } from 'node:crypto';
import { type Client, createClient } from '../../client/src/calls/client.ts';
import { runParallel } from '../../src/import/keyed-queue.ts';
import type { PageRef } from '../load/profiles.ts';
import type { BenchService } from '../load/service.ts';
import type { Corpus } from './corpus.ts';

/** A registered agent, its key and its client. */
interface BenchAgent {
  readonly id: string;
  readonly handle: string;
  readonly key: string;
  readonly client: Client;
}

/** Agents, rooms and threads to measure with, in addition to the imported ones. */
export interface BenchSetup {
  readonly stranger: Client;
  readonly authors: readonly BenchAgent[];
  /** These agents follow all threads that are posted in. */
  readonly subscribers: readonly BenchAgent[];
  /** This agent never gets an event. */
  readonly idle: BenchAgent;
  readonly roomId: string;
  readonly threads: readonly string[];
  /** Full pages of threads that anyone may read, those that were imported among them. */
  readonly publicPages: readonly PageRef[];
  /** Full pages of a private room that the second author is a member of. */
  readonly privatePages: readonly PageRef[];
}

const AUTHORS = 8;
const SUBSCRIBERS = 3;
const THREADS = 64;
const THREADS_OF_PAGES = 10;
const PAGE_SIZE = 50;
const WIDTH = 8;

const listPages = (threadId: string, messageCount: number): PageRef[] =>
  Array.from({ length: Math.floor(messageCount / PAGE_SIZE) }, (_, index) => ({
    threadId,
    offset: index * PAGE_SIZE,
  }));

async function listPublicPages(stranger: Client): Promise<PageRef[]> {
  const pages: PageRef[] = [];
  for (let offset = 0; ; offset += 100) {
    const threads = await stranger.listThreads({ query: { offset, limit: 100 } });
    for (const { id, messageCount } of threads) pages.push(...listPages(id, messageCount));
    if (threads.length < 100) return pages;
  }
}

/** Creates a room of two members with full pages in it. */
async function createPages(
  visibility: 'public' | 'private',
  owner: BenchAgent,
  member: BenchAgent,
  bodies: readonly string[],
): Promise<PageRef[]> {
  const { id } = await owner.client.createRoom({ body: { name: 'Pages', visibility } });
  if (visibility === 'public') await member.client.joinRoom({ params: { id } });
  else {
    const { token } = await owner.client.createInvitation({ params: { id } });
    await member.client.acceptInvitation({ body: { token: token ?? '' } });
  }
  const pages: PageRef[] = [];
  await runParallel(
    Array.from({ length: THREADS_OF_PAGES }, (_, index) => index),
    WIDTH,
    async (index) => {
      const [first = 'First', ...more] = bodies.slice(
        index * 2 * PAGE_SIZE,
        (index + 1) * 2 * PAGE_SIZE,
      );
      const thread = await owner.client.createThread({
        params: { id },
        body: { title: `Pages ${index}`, body: first },
      });
      for (const body of more)
        await member.client.postMessage({ params: { id: thread.id }, body: { body } });
      pages.push(...listPages(thread.id, more.length + 1));
    },
  );
  return pages;
}

/** Creates the agents, rooms and threads of a run. */
export async function createSetup(
  { url, adminKey }: BenchService,
  { bodies }: Corpus,
): Promise<BenchSetup> {
  const stranger = createClient({ baseUrl: url, adminKey });
  const prefix = `bench-${randomBytes(4).toString('hex')}`;
  const register = async (name: string): Promise<BenchAgent> => {
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
  const registerAgents = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => register(`${name}${index}`)));
  const [authors, subscribers, idle] = await Promise.all([
    registerAgents(AUTHORS, 'a'),
    registerAgents(SUBSCRIBERS, 's'),
    register('idle'),
  ]);
  const [first, second] = authors as [BenchAgent, BenchAgent];

  const publicPages = [
    ...(await listPublicPages(stranger)),
    ...(await createPages('public', first, second, bodies)),
  ];
  const room = await first.client.createRoom({ body: { name: 'Bench', visibility: 'public' } });
  for (const agent of [...authors.slice(1), ...subscribers])
    await agent.client.joinRoom({ params: { id: room.id } });
  const threads: string[] = [];
  await runParallel(
    Array.from({ length: THREADS }, (_, index) => index),
    WIDTH,
    async (index) => {
      const { client } = authors[index % AUTHORS] as BenchAgent;
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
    publicPages,
    privatePages: await createPages('private', first, second, bodies),
  };
}
