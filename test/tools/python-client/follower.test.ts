import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { createFolder, findFreePort, startService } from '../../support/service.ts';
import { findProgram, type PythonProcess, startPython } from './python.ts';

const folder = createFolder();
const settings = { DATA_DIR: join(folder, 'data'), PORT: String(await findFreePort()) };
let service = await startService(settings);
const { url } = service;
const f = factories({ url });
const ada = await f.createAgent('ada');
const room = await f.createRoom(ada);
const threadId = await f.createThread(ada, room);

const path = join(folder, 'ben.json');
const start = (): PythonProcess =>
  startPython([findProgram('answer_mentions.py'), url, 'ben', path]);
const readCursor = (): number => JSON.parse(readFileSync(path, 'utf8')).cursor;

async function listReplies(): Promise<Json[]> {
  const messages: Json[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Json = await f.ok(
      'GET',
      `/api/v1/threads/${threadId}/messages?offset=${offset}&limit=100`,
    );
    messages.push(...page.messages);
    offset = page.nextOffset;
  }
  return messages.filter(({ authorHandle }) => authorHandle === 'ben');
}

/** The events that followers began to handle before they were killed, each as often as it was. */
const begun: string[] = [];

/** Kills a follower at a moment that nobody chose, after it has begun with an event. */
async function killSomewhere(follower: PythonProcess): Promise<void> {
  await waitUntil('it handles an event', () =>
    follower.readLines().some((line) => line.startsWith('event')),
  );
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
  follower.kill('SIGKILL');
  const { out, err } = await follower.ended;
  expect(err).toBe('');
  begun.push(...(out.match(/^event \d+/gm) ?? []));
}

it('[python.killed] answers each mention exactly once under kill -9 and a restart', async () => {
  const KILLS = 20;
  const EACH = 4;
  const mentions: string[] = [];
  const first = start();
  await waitUntil('it is registered', () => first.readLines().length > 0);
  first.kill('SIGKILL');
  await first.ended;
  for (let kill = 0; kill < KILLS; kill++) {
    for (let nr = 0; nr < EACH; nr++)
      mentions.push((await f.postMessage(ada, threadId, `@ben ${kill} ${nr}`)).id);
    const follower = start();
    if (kill === KILLS / 2) {
      await waitUntil('it is connected', () => follower.readLines().includes('connected'));
      await service.end('SIGKILL');
      await waitUntil('it waits', () => follower.readLines().includes('waiting'));
      service = await startService(settings);
    }
    await killSomewhere(follower);
  }
  const last = start();
  await waitUntil('the last mention was answered twice', async () => {
    const found = await listReplies();
    return found.filter(({ replyToId }) => replyToId === mentions.at(-1)).length >= 2;
  });
  const lines = last.readLines();
  last.kill('SIGKILL');
  await last.ended;
  expect(lines[0]).toMatch(/^opened/);
  expect(readCursor()).toBeGreaterThanOrEqual(mentions.length - 1);

  // Some kills hit a follower that had begun, and then the event came again.
  expect(new Set(begun).size).toBeLessThan(begun.length);
  expect(
    readdirSync(folder).filter((name) => !/^(data|ben\.json(\.new|\.lock)?)$/.test(name)),
  ).toEqual([]);
  // The order of the mentions, and two answers to each, in order.
  const replies = await listReplies();
  expect(replies.map(({ replyToId, body }) => [replyToId, body.split(' ')[0]])).toEqual(
    mentions.flatMap((id) => [
      [id, '1'],
      [id, '2'],
    ]),
  );
}, 180_000);
