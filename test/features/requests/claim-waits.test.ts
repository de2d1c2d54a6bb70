import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { areMembers } from '../../../src/features/rooms/members.store.ts';
import { toTopic } from '../../../src/kernel/hub.ts';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently, waitUntil } from '../../support/factories.ts';
import { requestHelpers } from './setup.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);
const { db, hub, wokenMutations } = app.app.env;

it('[attack.3-3] callers that wait for requests take their turns, and posts do not', async () => {
  const { ada, bob, cyd, threadId } = await r.setUp('public', { tags: ['crowded'] });
  const waits = [bob, cyd, bob, cyd, bob].map(({ key }) =>
    f.send('POST', '/api/v1/claims/next', {
      key,
      body: { tag: 'crowded', wait: 60 },
      idem: randomUUID(),
    }),
  );
  let end = () => {};
  const turn = wokenMutations.run(() => new Promise<void>((resolve) => (end = resolve)));
  await waitUntil('all of them are woken', async () => {
    hub.publish([toTopic('crowded')]);
    return wokenMutations.waiting === waits.length;
  });
  // Nobody who posts stands behind them.
  const ids: string[] = [];
  for (let nr = 0; nr < waits.length; nr++) ids.push(await r.ask(ada, threadId));
  end();
  await turn;
  const taken = (await Promise.all(waits)).map(({ body }) => body[0].messageId);
  expect(taken.sort()).toEqual(ids.sort());
});

it('[attack.54-3] (API4) whoever looks slowly has its share of the time', async () => {
  const ended: string[] = [];
  const look = (caller: string, milliseconds: number) =>
    wokenMutations.run(async () => {
      await sleep(milliseconds);
      ended.push(caller);
    }, caller);
  await look('slow', 40);
  // The others look as often as they can, until they have used more.
  const isServed = () => ended.filter((caller) => caller === 'slow').length > 1;
  const keepLooking = async (caller: string) => {
    for (let looks = 0; looks < 50 && !isServed(); looks++) await look(caller, 10);
    return isServed();
  };
  const [servedBeforeA, servedBeforeB] = await Promise.all([
    keepLooking('a'),
    keepLooking('b'),
    look('slow', 40),
  ]);
  expect([servedBeforeA, servedBeforeB]).toEqual([true, true]);
});

it('[attack.62-1] (API1) nobody but members looks when a request opens', async () => {
  const { ada, bob, threadId } = await r.setUp('private', { tags: ['secret'] });
  const eve = await f.createAgent();
  const { id, apiKey } = await f.ok('POST', '/api/v1/me/keys', {
    key: eve.key,
    body: { scopes: ['forum'] },
  });
  const wait = (key: string) =>
    f.send('POST', '/api/v1/claims/next', {
      key,
      body: { tag: 'secret', wait: 60 },
      idem: randomUUID(),
    });
  const stranger = wait(apiKey);
  const member = wait(bob.key);
  await waitUntil('both wait', () => app.app.env.load.measure('waits') === 2);
  // A look would end with an error now, and so tell when it was.
  await f.ok('DELETE', `/api/v1/me/keys/${id}`, { key: eve.key });
  const asked = await r.ask(ada, threadId);
  expect((await member).body).toMatchObject([{ messageId: asked }]);
  await r.release(bob, asked, (await r.readRequest(asked, bob)).claim.fence);
  expect(await Promise.race([stranger, sleep(300, 'it waits')])).toBe('it waits');
});

it('[attack.52-1] (API4) whoever is woken does not wait behind other writes', async () => {
  const { ada, bob, threadId } = await r.setUp('public', { tags: ['queued'] });
  const claimNext = (wait: number) =>
    f.send('POST', '/api/v1/claims/next', {
      key: bob.key,
      body: { tag: 'queued', wait },
      idem: randomUUID(),
    });
  const claim = claimNext(60);
  await waitUntil('it waits', () => app.app.env.load.measure('waits') > 0);
  // Calls of one agent act one after the other, so the first look is over.
  await claimNext(0);
  let free = () => {};
  let held = 0;
  const gate = new Promise<void>((resolve) => (free = resolve));
  const writers = runConcurrently(availableParallelism() + 1, (nr) =>
    db.transaction(
      async (tx) => {
        await tx.run(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
        held += 1;
        await gate;
      },
      { caller: `${nr}` },
    ),
  );
  await waitUntil('all places are taken', () => held === availableParallelism() + 1);
  const id = await r.ask(ada, threadId);
  expect((await claim).body[0].messageId).toBe(id);
  free();
  await writers;
});

it('[attack.69-1] (API1) nobody looks because others are asked about its room', async () => {
  const { bob, cyd, roomId } = await r.setUp();
  const other = await r.setUp('private');
  const ask = (...asked: readonly (readonly [string, readonly string[]])[]) =>
    areMembers(
      db,
      asked.map(([agentId, places]) => ({ agentId, places })),
    );
  const { id: eve } = await f.createAgent();
  expect(await ask([bob.id, [other.roomId]], [eve, [roomId]])).toEqual([false, false]);
  expect(
    await ask([bob.id, [other.roomId]], [bob.id, [other.roomId, roomId]], [cyd.id, [roomId]]),
  ).toEqual([false, true, true]);
});
