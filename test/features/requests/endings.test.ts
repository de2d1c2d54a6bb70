import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type TestAgent } from '../../support/factories.ts';
import { requestHelpers } from './setup.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);

/** A request of `ada` that `bob` holds. */
async function setUpHeld(visibility: 'public' | 'private' = 'private') {
  const setup = await r.setUp(visibility);
  const asked = await r.ask(setup.ada, setup.threadId);
  expect((await r.claim(setup.bob, asked)).body.fence).toBe(1);
  return { ...setup, asked };
}
type Held = Awaited<ReturnType<typeof setUpHeld>>;

const block = (agent: TestAgent, blocked: boolean) =>
  f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, {
    admin: true,
    body: { blocked, reason: 'test' },
  });
const removeMember = (by: TestAgent, roomId: string, who: TestAgent) =>
  f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${who.id}`, { key: by.key });
const open = { state: 'open', claim: null, answerId: null };

describe('claims end', () => {
  it.each<[string, string, (held: Held) => Promise<unknown>]>([
    ['removeMember', 'open', ({ ada, bob, roomId }) => removeMember(ada, roomId, bob)],
    [
      'blockAgent',
      'open',
      async ({ bob }) => {
        await block(bob, true);
        await block(bob, false);
      },
    ],
    ['updateRoom', 'open', ({ ada, roomId }) => f.archiveRoom(ada, roomId)],
    ['cancelRequest', 'cancelled', ({ ada, asked }) => r.cancel(ada, asked)],
    [
      'removeMessage',
      'deleted',
      ({ ada, asked }) => f.ok('DELETE', `/api/v1/messages/${asked}`, { key: ada.key }),
    ],
    [
      'deleteThread',
      'deleted',
      ({ threadId }) => f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true }),
    ],
  ])('[claim.ends] [claim.lost] by %s, and the holder is told once', async (_, state, end) => {
    const held = await setUpHeld();
    const { bob, asked, roomId } = held;
    await end(held);
    await app.app.jobs.runDue();
    expect(await r.listLost(bob)).toMatchObject([
      {
        kind: 'claim_lost',
        reasons: ['claim_lost'],
        roomId,
        messageId: null,
        subject: { type: 'message', id: asked, state },
      },
    ]);
    expect(await f.ok('GET', '/api/v1/me/claims', { key: bob.key })).toEqual([]);
  });

  it('[claim.ends] [claim.lost] by leaving with removeMember, without an event', async () => {
    const { ada, bob, cyd, asked, roomId } = await setUpHeld('public');
    await removeMember(bob, roomId, bob);
    await app.app.jobs.runDue();
    expect(await r.listLost(bob)).toEqual([]);
    expect(await r.readRequest(asked, ada)).toEqual(open);
    await f.joinRoom(bob, roomId);
    expect(await r.renew(bob, asked, 1)).toMatchObject(
      buildProblem(409, 'state_conflict', { reason: 'fence', holderId: null, expiresAt: null }),
    );
    expect((await r.claim(cyd, asked)).body.fence).toBe(2);
  });

  it('[claim.lost] of an expired claim, listEvents tells its holder once', async () => {
    const { ada, bob, cyd, asked } = await setUpHeld();
    await r.expire(asked);
    await app.app.jobs.runDue();
    await app.app.jobs.runDue();
    const lost = [{ actorId: null, subject: { type: 'message', id: asked, state: 'open' } }];
    expect(await r.listLost(bob)).toMatchObject(lost);
    // Where the next holder is faster than the job, taking the request tells the former one.
    await r.claim(cyd, asked);
    await r.expire(asked);
    await r.claim(ada, asked);
    await app.app.jobs.runDue();
    expect(await r.listLost(cyd)).toMatchObject(lost);
    expect(await r.listLost(bob)).toHaveLength(1);
    expect(await r.listLost(ada)).toEqual([]);
    expect((await r.readRequest(asked, ada)).claim.fence).toBe(3);
  });
});

it('[claim.catch-up] catchUp shows what is held until it is answered or lost', async () => {
  const { bob, asked, threadId } = await setUpHeld('public');
  const list = async () => (await f.ok('GET', '/api/v1/me/catch-up', { key: bob.key })).items;
  const { expiresAt } = (await r.readRequest(asked, bob)).claim;
  expect(await list()).toMatchObject([
    {
      kind: 'claim',
      subject: { type: 'request', id: asked, state: 'claimed' },
      threadId,
      dueAt: expiresAt,
    },
  ]);
  await r.expire(asked);
  expect(await list()).toEqual([]);
});
