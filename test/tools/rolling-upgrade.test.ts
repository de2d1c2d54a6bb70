import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import { createClient } from '../../client/src/calls/client.ts';
import { latestMigration } from '../../src/db/migrate.ts';
import { createDatabase } from '../support/database.ts';
import { waitUntil } from '../support/factories.ts';
import {
  createFolder,
  findFreePort,
  query,
  runCommand,
  type ServiceProcess,
  startService,
  toDatabaseUrl,
} from '../support/service.ts';

const RELEASE = '../vectors/releases/stoa-0.1.0-4e058ec.tgz';
const THREADS = 3;
/** Posts of each writer between two steps of the upgrade. */
const POSTS = 8;
/** The pause of a writer or reader, so that slow machines have time for the nodes. */
const PAUSE_MS = 150;
const TIMEOUT_MS = 600_000;

/** Unpacks the previous release beside the packages of this one. Returns its program's path. */
function unpackRelease(folder: string): string {
  execFileSync('tar', ['-xzf', fileURLToPath(new URL(RELEASE, import.meta.url)), '-C', folder]);
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
  symlinkSync(packages, join(folder, 'node_modules'));
  return join(folder, 'package/dist/src/main.js');
}

/** Nodes of two versions at addresses that stay, and clients that use whichever answers. */
const server = inject('server');
const target = await createDatabase(server);
await query(target, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
const folder = createFolder();
const formerProgram = unpackRelease(folder);
const ports = [await findFreePort(), await findFreePort()];
const urls = ports.map((port) => `http://127.0.0.1:${port}`);
const settings = {
  DATABASE_URL: toDatabaseUrl(target),
  DATA_DIR: join(folder, 'data'),
  BASE_URL: 'http://stoa.test',
  LOG_LEVEL: 'warn',
};
const startNode = (nr: number, program?: string): Promise<ServiceProcess> =>
  startService({ ...settings, PORT: String(ports[nr]) }, [], program);

/** What nodes answered that no client may get. */
const faults: string[] = [];

/** How long a node that did not answer gets no calls of a client. */
const REST_MS = 1_000;

/**
 * Creates what sends each call to the next node, as a proxy would, and leaves one alone for a while
 * that does not answer. Nothing but 503 and lost connections may happen.
 */
function createFetch(first: number): typeof fetch {
  const restsUntil = urls.map(() => 0);
  let count = first;
  const pickNode = () => {
    const next = ++count % urls.length;
    return (restsUntil[next] ?? 0) > Date.now() ? ++count % urls.length : next;
  };
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const node = pickNode();
    const address = `${urls[node]}${pathname}${search}`;
    const response = await fetch(address, init).catch((error: unknown) => error);
    if (response instanceof Response && response.status < 400) return response;
    restsUntil[node] = Date.now() + REST_MS;
    if (!(response instanceof Response)) throw response;
    if (response.status !== 503)
      faults.push(
        `${init?.method} ${address}: ${response.status} ${await response.clone().text()}`,
      );
    return response;
  };
}

const open = (first: number, apiKey?: string) =>
  createClient({
    baseUrl: settings.BASE_URL,
    fetch: createFetch(first),
    retry: { tries: 20, maxWaitSeconds: 5 },
    ...(apiKey && { apiKey }),
  });

/** Registers an agent, whose calls go to all nodes in turn. */
async function createMember(nr: number) {
  const body = { handle: `member-${nr}` };
  const { agent, apiKey } = await open(nr).registerAgent({ body, idempotencyKey: randomUUID() });
  return { id: agent.id, key: apiKey, client: open(nr, apiKey) };
}

type Member = Awaited<ReturnType<typeof createMember>>;

let isOver = false;
const posted = new Map<string, string>();

/** Posts until the end. Each fourth post is repeated, which another node answers. */
async function keepPosting({ client }: Member, nr: number, threads: readonly string[]) {
  for (let count = 0; !isOver; count++) {
    const body = `Post ${count} of writer ${nr}.`;
    const call = {
      params: { id: threads[count % threads.length] ?? '' },
      body: { body },
      idempotencyKey: randomUUID(),
    };
    const { id } = await client.postMessage(call);
    posted.set(id, body);
    if (count % 4 === 0) expect((await client.postMessage(call)).id).toBe(id);
    await sleep(PAUSE_MS);
  }
}

/** Reads events until the end, and what is left then. Returns the ids of their messages. */
async function readEvents({ client }: Member): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  let cursor = 0;
  for (;;) {
    const mayEnd = isOver;
    const page = await client.listEvents({ query: { cursor, wait: 1 } });
    for (const { id, messageId } of page.events) {
      expect(id).toBe(++cursor);
      ids.push(messageId ?? null);
    }
    expect(page.nextCursor).toBe(cursor);
    if (mayEnd && page.events.length === 0) return ids;
  }
}

/** Reads pages of messages, lists, words and pages for people until the end. */
async function readPages({ client }: Member, nr: number, threads: readonly string[]) {
  const read = createFetch(nr);
  for (let count = 0; !isOver; count++) {
    const id = threads[count % threads.length] ?? '';
    const { messages } = await client.listMessages({ params: { id } });
    expect(messages.map(({ position }) => position)).toEqual(messages.map((_, index) => index));
    await client.listThreads({ query: { limit: 10 } });
    await client.search({ query: { q: 'writer' } });
    await client.getMe();
    for (const path of ['/', `/threads/${id}`])
      await read(`${settings.BASE_URL}${path}`).then(
        (response) => response.text(),
        () => null,
      );
    await sleep(PAUSE_MS);
  }
}

/** Waits until each writer has had so many more posts acknowledged. */
async function awaitPosts(writers: number): Promise<void> {
  const before = posted.size;
  await waitUntil('posts are acknowledged', () => posted.size >= before + writers * POSTS);
}

it(
  '[ops.rolling-upgrade] serves all calls while nodes of two versions share a database',
  async () => {
    const nodes = [await startNode(0, formerProgram)];
    nodes.push(await startNode(1, formerProgram));
    const members = await Promise.all([0, 1, 2, 3].map(createMember));
    const [owner, , third, fourth] = members as [Member, Member, Member, Member];
    const room = await owner.client.createRoom({ body: { name: 'Rolling', visibility: 'public' } });
    for (const { client } of members.slice(1)) await client.joinRoom({ params: { id: room.id } });
    const threads: string[] = [];
    for (let nr = 0; nr < THREADS; nr++) {
      const body = { title: `Thread ${nr}`, body: 'It begins.' };
      const { id } = await owner.client.createThread({ params: { id: room.id }, body });
      for (const { client } of [third, fourth]) await client.subscribeThread({ params: { id } });
      threads.push(id);
    }
    const former = await query(target, 'SELECT max(id) AS id FROM migrations');
    expect(former[0].id).toBeLessThan(latestMigration);

    const writers = members.slice(0, 2);
    const running = [
      ...writers.map((writer, nr) => keepPosting(writer, nr, threads)),
      ...members.map((member, nr) => readPages(member, nr, threads)),
    ];
    const reading = [third, fourth].map(readEvents);
    const endNode = async (nr: number) => expect(await nodes[nr]?.end('SIGTERM')).toBe(0);

    await Promise.race([
      (async () => {
        await awaitPosts(writers.length);
        expect(await runCommand('migrate', settings)).toMatchObject({
          code: 0,
          err: expect.stringContaining('Migration 31 (findings) changes what is stored.'),
        });
        await awaitPosts(writers.length);
        for (const nr of nodes.keys()) {
          await endNode(nr);
          await awaitPosts(writers.length);
          nodes[nr] = await startNode(nr);
          await awaitPosts(writers.length);
        }
      })(),
      // They end only by an error.
      Promise.all([...running, ...reading]),
    ]);
    isOver = true;
    await Promise.all(running);
    const seen = await Promise.all(reading);

    expect(faults).toEqual([]);
    const stored = await query(
      target,
      'SELECT id, body FROM messages WHERE position > 0 ORDER BY created_at, id',
    );
    expect(new Map(stored.map(({ id, body }) => [id, body]))).toEqual(posted);
    expect(new Set(posted.values()).size).toBe(posted.size);
    for (const ids of seen) {
      expect(ids).toHaveLength(posted.size);
      expect(new Set(ids)).toEqual(new Set(posted.keys()));
    }
    const answered = await query(target, 'SELECT bool_and(answered) AS all FROM threads');
    expect(answered).toEqual([{ all: true }]);
    expect(await runCommand('doctor', settings)).toMatchObject({ code: 0 });
    for (const nr of nodes.keys()) await endNode(nr);
  },
  TIMEOUT_MS,
);
