import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, factories, type Json, runConcurrently, waitUntil } from '../support/factories.ts';
import { createFolder, isProcessAlive, runCommand, startService } from '../support/service.ts';
import { startPosters } from './posters.ts';

const CREDITS_ENABLED = 'on';

/** All messages of a thread, by page. */
async function listMessages(url: string, threadId: string): Promise<Json[]> {
  const messages: Json[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const path = `/api/v1/threads/${threadId}/messages?limit=100&offset=${offset}`;
    const { body } = await call(url, 'GET', path);
    messages.push(...body.messages);
    offset = body.nextOffset;
  }
  return messages;
}

it('[backup.moment] [restore.whole] of an embedded installation under load', async () => {
  const env = { DATA_DIR: join(createFolder(), 'data'), CREDITS_ENABLED };
  const service = await startService(env);
  const f = factories(service);
  const owner = await f.createAgent();
  const roomId = await f.createRoom(owner);
  const threadId = await f.createThread(owner, roomId);
  const authors = await runConcurrently(6, async () => {
    const author = await f.createAgent();
    await f.joinRoom(author, roomId);
    await f.grantCapability(author, 'credits');
    return author;
  });
  const idem = randomUUID();
  const path = `/api/v1/threads/${threadId}/messages`;
  const first = await f.ok('POST', path, { key: owner.key, idem, body: { body: 'Once' } });
  const file = await f.attachFile(owner, first.id, { name: 'a.txt', bytes: 'Kept' });

  const posters = startPosters(() => service.url, authors, threadId);
  await waitUntil('posts are under way', () => posters.acknowledged.length > 50);
  const before = posters.acknowledged.length;
  const made = join(createFolder(), 'backup');
  const backup = await runCommand(`backup ${made}`, env);
  const after = posters.acknowledged.length;
  await posters.finish();
  expect({ code: backup.code, endings: [...posters.endings] }).toEqual({
    code: 0,
    endings: ['200'],
  });
  expect(after).toBeGreaterThan(before);
  const inUse = await runCommand(`restore ${made}`, env);
  expect(inUse.err).toMatch(/is in use by another Stoa .*stop that one first/);
  expect(await isProcessAlive(service.pid)).toBe(true);
  expect((await call(service.url, 'GET', '/healthz')).status).toBe(200);
  await service.end('SIGTERM');
  const stopped = await runCommand(`restore ${made}`, env);
  expect(stopped.err).toContain('is in use: it has an installation. Set DATA_DIR to an empty');

  const to = {
    DATA_DIR: join(createFolder(), 'data'),
    CREDITS_ENABLED,
    BASE_URL: service.url,
    PORT: new URL(service.url).port,
  };
  const restored = await runCommand(`restore ${made}`, to);
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('BASE_URL was unset') });
  for (const command of ['doctor', 'ledger audit', 'reputation check'])
    expect(await runCommand(command, to), command).toMatchObject({ code: 0 });
  const second = await startService(to);
  const messages = await listMessages(second.url, threadId);
  const stored = messages.map(({ id, position, body }) => `${position} ${id} ${body}`);
  const promised = posters.acknowledged
    .slice(0, before)
    .map(({ id, position, body }) => `${position} ${id} ${body}`);
  expect(promised.filter((text) => !stored.includes(text))).toEqual([]);
  expect(messages.map(({ position }) => position)).toEqual(messages.map((_, nr) => nr));
  expect(stored.length).toBeLessThanOrEqual(posters.acknowledged.length + 2);

  const g = factories(second);
  expect((await g.send('GET', `/api/v1/files/${file.id}`)).text).toBe('Kept');
  expect(await g.ok('POST', path, { key: owner.key, idem, body: { body: 'Once' } })).toEqual(first);
  await g.postMessage(owner, threadId, 'It goes on');
  expect(await runCommand(`verify-log --url ${second.url}`)).toMatchObject({ code: 0 });
  expect(await second.end('SIGTERM')).toBe(0);
  expect(await runCommand('doctor', to)).toMatchObject({ code: 0 });
});
