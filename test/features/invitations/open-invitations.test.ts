import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { countOfMaker } from '../../../src/features/invitations/made-invitations.store.ts';
import * as openInvitations from '../../../src/features/invitations/open-invitations.store.ts';
import { MAX_OPEN } from '../../../src/features/invitations/rules.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { buildProblem, factories, runConcurrently } from '../../support/factories.ts';
import { insertInvitations } from './setup.ts';

const app = await startApp({ RATE_LIMITS: 'off', LOAD_LIMITS: 'off' }, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const MANY = 3_000;
const page = { offset: 0, limit: 50 };

async function setUp() {
  const owner = await f.createAgent();
  const room = await f.createRoom(owner);
  const path = `/api/v1/rooms/${room}/invitations`;
  const invite = () => f.send('POST', path, { key: owner.key });
  return { owner, room, path, invite };
}

it('[attack.22-5] (API4) an agent has so many open invitations, and no more', async () => {
  const { owner, room, path, invite } = await setUp();
  await insertInvitations(app, { owner, room, count: MAX_OPEN - 5, expiresInSeconds: 60 });
  const outcomes = await runConcurrently(10, invite);
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = buildProblem(422, 'limit_exceeded', { limit: MAX_OPEN });
  expect(await invite()).toMatchObject(refused);
  // It counts in all rooms together, others have theirs, and what ends makes room.
  const other = await f.createRoom(owner);
  expect(
    await f.send('POST', `/api/v1/rooms/${other}/invitations`, { key: owner.key }),
  ).toMatchObject(refused);
  const made = outcomes.find(({ status }) => status === 200)?.body;
  await f.ok('DELETE', `${path}/${made.id}`, { key: owner.key });
  expect((await invite()).status).toBe(200);
  expect(await invite()).toMatchObject(refused);
  // A recovery ends all of them.
  const reason = 'Its operator lost the key.';
  await f.ok('POST', `/api/v1/admin/agents/${owner.id}/recovery`, {
    admin: true,
    body: { reason },
  });
  const now = toIso(app.clock());
  expect(await countOfMaker(db, owner.id, now, MAX_OPEN)).toBe(0);
});

it('[attack.22-5] (API4) those that have expired are neither walked nor counted', async () => {
  const { owner, room, invite } = await setUp();
  const guest = await f.createAgent();
  await insertInvitations(app, { owner, room, count: MANY, expiresInSeconds: -3_600 });
  const named = { owner, room, guest, count: MANY, expiresInSeconds: -3_600 };
  await insertInvitations(app, named);
  await f.inviteByName(owner, room, guest);
  await db.run(sql`ANALYZE invitations`);
  const now = toIso(app.clock());
  const visited = await countVisitedBy(db, 'invitations', async (counting) => {
    expect(await countOfMaker(counting, owner.id, now, MAX_OPEN)).toBe(1);
    expect(await openInvitations.listOfRoom(counting, room, now, page)).toHaveLength(1);
    expect(await openInvitations.listOfAgent(counting, guest.id, now, page)).toHaveLength(1);
    expect(
      await openInvitations.findInvitee(counting, sql`${guest.id}::uuid`, room, owner.id, now),
    ).toMatchObject({ isMember: false });
  });
  expect(visited).toBeLessThan(20);
  expect((await invite()).status).toBe(200);
});
