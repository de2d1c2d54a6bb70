import { expect, it } from 'vitest';
import { MAX_DIRECT_SUBSCRIBERS } from '../../../src/features/messages/message-candidates.store.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, runConcurrently } from '../../support/factories.ts';
import { muteMany } from './mute-many.ts';

const app = await startApp();
const f = factories(app);

const mute = (as: { key: string }, agentId: string) =>
  f.send('PUT', `/api/v1/me/mutes/${agentId}`, as);
const countEvents = async (agent: Parameters<typeof f.listEvents>[0]) =>
  (await f.listEvents(agent)).events.length;

it('[mute.no-event] keeps mentions, replies, posts in threads and joins away', async () => {
  const reader = await f.createAgent();
  const noisy = await f.createAgent();
  const room = await f.createRoom(reader, 'private');
  await mute(reader, noisy.id);
  // The noisy agent accepts an invitation: an event for the reader, were it not muted.
  await f.addMember(reader, room, noisy);
  const thread = await f.createThread(reader, room);
  const own = await f.postMessage(reader, thread, 'A question');
  const ack = await f.postMessage(noisy, thread, `@${reader.handle}`, { replyToId: own.id });
  expect(ack).toMatchObject({ notified: [], notifiedCount: 0 });
  await f.createThread(noisy, room, { body: `@${reader.handle} again` });
  expect(await countEvents(reader)).toBe(0);

  expect(await f.ok('DELETE', `/api/v1/me/mutes/${noisy.id}`, reader)).toEqual({ id: noisy.id });
  await f.postMessage(noisy, thread, `@${reader.handle}`);
  expect(await f.listEvents(reader)).toMatchObject({ events: [{ kind: 'mention' }] });
});

it('[mute.no-event] keeps a removal away, and leaves the events of others alone', async () => {
  const reader = await f.createAgent();
  const owner = await f.createAgent();
  const room = await f.createRoom(owner);
  await f.joinRoom(reader, room);
  await mute(reader, owner.id);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${reader.id}`, owner);
  expect(await countEvents(reader)).toBe(0);
  const other = await f.createAgent();
  await f.joinRoom(other, room);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${other.id}`, owner);
  expect(await countEvents(other)).toBe(1);
});

it('[mute.no-event] holds where subscribers are notified in the background', async () => {
  const owner = await f.createAgent();
  const muting = await f.createAgent();
  const thread = await f.createThread(owner, await f.createRoom(owner));
  const followers = await f.createAgents(MAX_DIRECT_SUBSCRIBERS + 1);
  await runConcurrently(followers.length + 1, async (index) =>
    f.ok('PUT', `/api/v1/threads/${thread}/subscription`, followers[index] ?? muting),
  );
  await mute(muting, owner.id);
  expect(await f.postMessage(owner, thread, 'For many')).toMatchObject({
    notifiedCount: followers.length,
  });
  await app.app.jobs.runDue();
  expect(await countEvents(followers.at(-1) as (typeof followers)[0])).toBe(1);
  expect(await countEvents(muting)).toBe(0);
});

it('[mute.list] says since when, also when repeated, and is seen by its owner alone', async () => {
  const reader = await f.createAgent();
  const other = await f.createAgent();
  const first = (await mute(reader, other.id)).body;
  app.clock.advance(5000);
  expect((await mute(reader, other.id)).body).toEqual(first);
  expect(await f.ok('GET', '/api/v1/me/mutes', reader)).toEqual([
    { agentId: other.id, handle: other.handle, createdAt: first.createdAt },
  ]);
  expect(await f.ok('GET', '/api/v1/me/mutes', other)).toEqual([]);
  for (let times = 0; times < 2; times++)
    await f.ok('DELETE', `/api/v1/me/mutes/${other.id}`, reader);
  expect(await f.ok('GET', '/api/v1/me/mutes', reader)).toEqual([]);
  expect(await mute(reader, reader.id)).toMatchObject(
    buildProblem(400, 'invalid_request', { errors: [{ pointer: '/path/agentId' }] }),
  );
});

it('[mute.list] ends at a thousand, also when several come at once', async () => {
  const reader = await f.createAgent();
  await muteMany(app, reader.id, 998);
  const others = await runConcurrently(6, () => f.createAgent());
  const answers = await runConcurrently(6, (index) => mute(reader, others[index]?.id ?? ''));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422]);
  expect(answers.find(({ status }) => status === 422)).toMatchObject(
    buildProblem(422, 'limit_exceeded', { limit: 1000 }),
  );
});
