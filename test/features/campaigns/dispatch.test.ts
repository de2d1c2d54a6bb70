import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findBroken, invariants } from '../../../src/cli/doctor/invariants.store.ts';
import { sql } from '../../../src/db/sql.ts';
import { digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';
import { buildVariants, campaignHelpers, campaignSettings, DISCLOSURE, noLimits } from './setup.ts';

const app = await startApp(campaignSettings);
const f = factories(app);
const a = campaignHelpers(f);
const other = await app.startNode();
const b = campaignHelpers(factories(other));
const { db, newId } = app.app.env;
const DAY_MS = 24 * 3600 * 1000;

/** Creates rooms of a new owner, so that a dispatch can be limited to them. */
async function createRooms(count: number): Promise<{ owner: TestAgent; roomIds: string[] }> {
  const owner = await f.createAgent();
  return { owner, roomIds: await runConcurrently(count, () => a.createRoom(owner)) };
}
const countNotices = async (roomIds: readonly string[]) =>
  (await Promise.all(roomIds.map((id) => a.listNotices(id)))).map((found) => found.length);
const sum = (numbers: readonly number[]) => numbers.reduce((one, two) => one + two, 0);

describe('setRoomNotices', () => {
  it('[room.notices] is for the owner alone, and notices are off by default', async () => {
    const owner = await f.createAgent();
    const member = await f.createAgent();
    const room = await f.createRoom(owner);
    await f.joinRoom(member, room);
    const acceptsNotices = async () => (await f.ok('GET', `/api/v1/rooms/${room}`)).acceptsNotices;
    expect(await acceptsNotices()).toBe(false);
    const put = (key: string, body: unknown) =>
      f.sendForOutcome('PUT', `/api/v1/rooms/${room}/notices`, { key, body });
    expect({
      byMember: await put(member.key, { acceptsNotices: true }),
      withoutValue: await put(owner.key, {}),
      withNull: await put(owner.key, { acceptsNotices: null }),
    }).toEqual({
      byMember: '403 forbidden',
      withoutValue: '400 invalid_request',
      withNull: '400 invalid_request',
    });
    expect(await acceptsNotices()).toBe(false);
    expect(await a.setAcceptsNotices(owner, room, true)).toEqual({
      id: room,
      createdAt: expect.any(String),
      acceptsNotices: true,
    });
    expect(await acceptsNotices()).toBe(true);
    expect((await f.ok('GET', '/api/v1/rooms?limit=1'))[0]).toMatchObject({
      id: room,
      acceptsNotices: true,
    });
    await a.setAcceptsNotices(owner, room, false);
    expect(await acceptsNotices()).toBe(false);
    expect((await f.ok('GET', `/api/v1/rooms/${await a.createRoom(owner)}`)).acceptsNotices).toBe(
      true,
    );
  });
});

describe('dispatchCampaign', () => {
  it('[campaign.author] creates its author once when two dispatches race to be first', async () => {
    const { roomIds } = await createRooms(1);
    const ids = await runConcurrently(2, () => a.createPrepared());
    const [one, two] = await Promise.all([
      a.expectStep(ids[0] ?? '', 'dispatch', { roomIds }),
      b.expectStep(ids[1] ?? '', 'dispatch', { roomIds }),
    ]);
    expect({ one: one.sendings.length, two: two.sendings.length }).toEqual({ one: 1, two: 1 });
    expect(
      new Set((await a.listNotices(roomIds[0] ?? '')).map(({ authorId }) => authorId)).size,
    ).toBe(1);
  });

  it('[event.thread] dispatchCampaign tells followers of the room, and no others', async () => {
    const { owner, roomIds } = await createRooms(1);
    const follower = await f.createAgent();
    await f.ok('PUT', `/api/v1/rooms/${roomIds[0]}/subscription`, { key: follower.key });
    const id = await a.createPrepared({ variants: buildVariants(`For @${owner.handle}.`) });
    const { sendings } = await a.expectStep(id, 'dispatch', { roomIds });
    await waitUntil(
      'the follower is told',
      async () => (await f.listEvents(follower)).events.length > 0,
    );
    expect((await f.listEvents(follower)).events).toMatchObject([
      { kind: 'thread', reasons: ['thread'], messageId: sendings[0].messageId },
    ]);
    expect((await f.listEvents(owner)).events).toEqual([]);
  });

  it(
    '[campaign.dispatch] [campaign.author] [campaign.no-mentions] ' +
      '[campaign.receipts] [campaign.register] posts to rooms that accept notices, as messages',
    async () => {
      const { owner, roomIds } = await createRooms(2);
      const [open = '', late = ''] = roomIds;
      const shut = await f.createRoom(owner);
      const hidden = await a.createRoom(owner, 'private');
      const text = `Ein Hinweis für @${owner.handle}, **wörtlich** <b>.`;
      const id = await a.createPrepared({
        name: 'Hinweis',
        variants: buildVariants(text),
        policy: noLimits,
      });
      await a.setAcceptsNotices(owner, late, false);
      const answer = await a.expectStep(id, 'dispatch', {
        roomIds: [open, late, shut, hidden, newId()],
      });
      const notice = `${text}\n\n${DISCLOSURE}`;
      const [thread] = await a.listNotices(open);
      expect(thread).toMatchObject({
        title: 'Hinweis',
        tags: ['notice'],
        visibility: 'public',
        messageCount: 1,
        authorHandle: 'system',
      });
      const [message] = (await f.ok('GET', `/api/v1/threads/${thread.id}/messages`)).messages;
      expect(message).toMatchObject({
        position: 0,
        body: notice,
        mentions: [],
        authorHandle: 'system',
      });
      const sending = {
        variantId: 'v0',
        roomId: open,
        roomName: 'A room',
        threadId: thread.id,
        messageId: message.id,
        place: null,
      };
      expect(answer).toMatchObject({ id, state: 'dispatching', sendings: [sending], remaining: 0 });
      expect((await a.getCampaign(id)).sendings).toEqual(answer.sendings);
      expect({
        late: await a.listNotices(late),
        shut: await a.listNotices(shut),
        hidden: await a.listNotices(hidden, owner),
      }).toEqual({ late: [], shut: [], hidden: [] });

      expect((await f.listEvents(owner)).events).toEqual([]);
      expect(
        (
          await f.ok('GET', `/api/v1/search?q=${encodeURIComponent('wörtlich from:system')}`)
        ).results.map((one: Json) => one.id),
      ).toEqual([message.id]);
      const contentSha256 = createHash('sha256').update(notice).digest('hex');
      const view = await f.ok('GET', `/e/${answer.sendings[0].receiptId}.json`);
      expect(view).toMatchObject({
        kind: 'campaign.noticed',
        visibility: 'public',
        actor: null,
        summary: 'An administrator posted a notice of the campaign "Hinweis"',
      });
      expect(view).toMatchObject({
        subject: { type: 'campaign', id },
        receipt: { payload: { contentSha256 } },
        current: { state: 'current' },
      });
      expect(await f.ok('GET', new URL(view.subject.url).pathname)).toMatchObject({ id });
      expect((await f.ok('GET', `/e/${message.receiptId}.json`)).receipt.payload).toMatchObject({
        kind: 'message.posted',
        contentSha256,
      });
      const listMyReceipts = async (): Promise<string[]> =>
        (await f.ok('GET', '/api/v1/me/events', { key: owner.key })).events.map(
          ({ kind }: Json) => kind,
        );
      await waitUntil('the receipts are in the stream of the owner', async () =>
        (await listMyReceipts()).includes('campaign.noticed'),
      );
      // Nobody waits for an answer, and the thread behaves like any other.
      expect(await f.postMessage(owner, thread.id, 'Thanks.')).toMatchObject({
        position: 1,
        notifiedCount: 0,
      });
    },
  );

  it('[campaign.author] posts as an agent whose identity nobody can take', async () => {
    expect(await f.ok('GET', '/api/v1/agents/system')).toMatchObject({
      handle: 'system',
      operator: null,
      displayName: 'Notices of this installation',
    });
    expect(await f.sendForOutcome('POST', '/api/v1/agents', { body: { handle: 'system' } })).toBe(
      '400 invalid_request',
    );
    expect(
      await db.rows(sql`
        SELECT 1
        FROM api_keys k
        JOIN agents a ON a.id = k.agent_id
        WHERE a.handle = 'system'
      `),
    ).toEqual([]);
    const { id } = await f.ok('GET', '/api/v1/agents/system');
    const { roomIds } = await createRooms(1);
    const campaignId = await a.createPrepared();
    const block = (blocked: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${id}/block`, { admin: true, body: { blocked } });
    await block(true);
    expect(await a.sendStep(campaignId, 'dispatch', { roomIds })).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'blocked' }),
    );
    await block(false);
    expect((await a.expectStep(campaignId, 'dispatch', { roomIds })).sendings).toHaveLength(1);
  });

  it('[campaign.legacy-limits] sends at most 2 a UTC day and 10 in total', async () => {
    const { roomIds } = await createRooms(12);
    const id = await a.createPrepared({ policy: { dailyLimit: 5, totalLimit: 100 } });
    const send = () => a.sendStep(id, 'dispatch', { roomIds });
    app.clock.advance(DAY_MS - (app.clock() % DAY_MS) - 1);
    expect((await send()).body).toMatchObject({ sendings: [{}, {}], remaining: 10 });
    expect(await send()).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: 2 }));
    app.clock.advance(1);
    for (let day = 0; day < 4; day++) {
      expect((await send()).body.sendings, String(day)).toHaveLength(2);
      expect(await send()).toMatchObject(buildProblem(422, 'limit_exceeded'));
      app.clock.advance(DAY_MS);
    }
    expect(await send()).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: 10 }));
    expect(sum(await countNotices(roomIds))).toBe(10);
    expect(await a.getCampaign(id)).toMatchObject({
      sentCount: 10,
      limits: { daily: 2, total: 10 },
    });
  });

  it('[attack.21-6] (API4) one owner with many rooms does not take up a dispatch', async () => {
    const many = await createRooms(3);
    const one = await createRooms(1);
    const roomIds = [...many.roomIds, ...one.roomIds];
    const id = await a.createPrepared();
    await a.sendStep(id, 'dispatch', { roomIds });
    const [first, second, third, other] = await countNotices(roomIds.toSorted());
    expect(sum([first, second, third] as number[])).toBe(1);
    expect(other).toBe(1);
  });

  it('[campaign.override] follows only the overriding policy, in portions', async () => {
    const { roomIds } = await createRooms(13);
    const some = await a.createPrepared({
      policy: { dailyLimit: 4, totalLimit: 5, overrideLegacyLimits: true },
    });
    expect((await a.expectStep(some, 'dispatch', { roomIds })).sendings).toHaveLength(4);
    app.clock.advance(DAY_MS);
    expect((await a.expectStep(some, 'dispatch', { roomIds })).sendings).toHaveLength(1);
    const all = await a.createPrepared({
      policy: noLimits,
      variants: buildVariants(...Array.from({ length: 5 }, (_, index) => `Notice ${index}`)),
    });
    const send = () => a.expectStep(all, 'dispatch', { roomIds });
    expect(
      [await send(), await send(), await send()].map(({ sendings, remaining }) => [
        sendings.length,
        remaining,
      ]),
    ).toEqual([
      [50, 15],
      [15, 0],
      [0, 0],
    ]);
    const shown = await a.getCampaign(all);
    expect({ sentCount: shown.sentCount, length: shown.sendings.length }).toEqual({
      sentCount: 65,
      length: 50,
    });
    const pages = (await f.listPages(`/api/v1/campaigns/${all}/sendings?limit=30`)).flat();
    expect(new Set(pages.map(({ variantId, roomId }) => `${variantId} ${roomId}`)).size).toBe(65);
    expect(pages.slice(0, 50)).toEqual(shown.sendings);
  });

  it('[campaign.limits-shared] [campaign.once] holds on two nodes', async () => {
    const { roomIds } = await createRooms(6);
    const id = await a.createPrepared();
    const answers = await runConcurrently(6, (index) =>
      (index % 2 ? a : b).sendStep(id, 'dispatch', { roomIds }),
    );
    expect(sum(answers.map(({ body }) => body.sendings?.length ?? 0))).toBe(2);
    expect(sum(await countNotices(roomIds))).toBe(2);
    const free = await a.createPrepared({ policy: noLimits });
    await runConcurrently(6, (index) =>
      (index % 2 ? a : b).sendStep(free, 'dispatch', { roomIds }),
    );
    expect((await a.getCampaign(free)).sentCount).toBe(6);
    expect(sum(await countNotices(roomIds))).toBe(8);
    // A node that starts later counts what other nodes sent.
    const later = campaignHelpers(factories(await app.startNode()));
    expect(await later.sendStep(id, 'dispatch', { roomIds })).toMatchObject(
      buildProblem(422, 'limit_exceeded'),
    );
  });

  it('[campaign.once] fails as a whole and continues from there', async () => {
    const { roomIds } = await createRooms(4);
    const id = await a.createPrepared({ policy: noLimits });
    await a.expectStep(id, 'dispatch', { roomIds: roomIds.slice(0, 1) });
    await db.run(
      sql`
        CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'the lights went out'; END $$
      `,
    );
    await db.run(sql`
      CREATE CONSTRAINT TRIGGER die AFTER
      INSERT ON campaign_sendings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()
    `);
    const before = await digestTables(app);
    expect(await a.sendStep(id, 'dispatch', { roomIds }, { idem: 'in-the-midst' })).toMatchObject(
      buildProblem(500, 'internal_error'),
    );
    expect(await digestTables(app)).toEqual(before);
    await db.run(sql`DROP TRIGGER die ON campaign_sendings`);
    const first = await a.sendStep(id, 'dispatch', { roomIds }, { idem: 'in-the-midst' });
    expect({
      length: first.body.sendings.length,
      text: (await a.sendStep(id, 'dispatch', { roomIds }, { idem: 'in-the-midst' })).text,
    }).toEqual({ length: 3, text: first.text });
    expect(await countNotices(roomIds)).toEqual([1, 1, 1, 1]);
  });

  it('[campaign.blocked-owner] dispatchCampaign leaves out rooms of a blocked owner', async () => {
    const { owner, roomIds } = await createRooms(1);
    const other = await createRooms(1);
    const id = await a.createPrepared({ policy: noLimits });
    const setBlocked = (blocked: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${owner.id}/block`, {
        admin: true,
        body: { blocked, reason: 'test' },
      });
    const both = [...roomIds, ...other.roomIds];
    await setBlocked(true);
    const { sendings } = await a.expectStep(id, 'dispatch', { roomIds: both });
    const rooms = sendings.map(({ roomId }: Json) => roomId);
    expect(new Set(rooms)).toEqual(new Set(other.roomIds));
    expect(await countNotices(roomIds)).toEqual([0]);
    await setBlocked(false);
    const later = await a.expectStep(id, 'dispatch', { roomIds: both });
    expect(new Set(later.sendings.map(({ roomId }: Json) => roomId))).toEqual(new Set(roomIds));
  });

  it('[campaign.dispatch] checks consent at the moment of sending', async () => {
    const { owner, roomIds } = await createRooms(1);
    const [room = ''] = roomIds;
    for (let turn = 0; turn < 8; turn++) {
      await a.setAcceptsNotices(owner, room, true);
      const id = await a.createPrepared({ policy: noLimits });
      const before = (await a.listNotices(room)).length;
      const sending = (turn % 2 ? a : b).expectStep(id, 'dispatch', { roomIds });
      const shut = a.setAcceptsNotices(owner, room, false).then(() => a.listNotices(room));
      const [{ sendings }, seen] = await Promise.all([sending, shut]);
      expect(seen.length - before, String(turn)).toBe(sendings.length);
      expect((await a.listNotices(room)).length).toBe(seen.length);
    }
  });

  it('[campaign.stop] ends when stopCampaign runs, also on another node', async () => {
    const { roomIds } = await createRooms(5);
    for (let turn = 0; turn < 6; turn++) {
      const id = await a.createPrepared({ policy: noLimits });
      const getSentCount = async () => (await a.getCampaign(id)).sentCount;
      const sending = runConcurrently(3, (index) =>
        b.sendStep(id, 'dispatch', { roomIds: roomIds.slice(0, index + 2) }),
      );
      const stopped = await a.expectStep(id, 'stop').then(getSentCount);
      const answers = await sending;
      for (const { status, body } of answers)
        expect(status === 200 || (body.code === 'state_conflict' && body.state === 'stopped')).toBe(
          true,
        );
      expect({
        sent: await getSentCount(),
        answered: sum(answers.map(({ body }) => body.sendings?.length ?? 0)),
      }).toEqual({ sent: stopped, answered: stopped });
      expect(await b.sendStep(id, 'dispatch', { roomIds })).toMatchObject(
        buildProblem(409, 'state_conflict', { state: 'stopped' }),
      );
    }
  });

  it('[campaign.switch] needs its switch', async () => {
    const off = campaignHelpers(factories(await app.startNode({ DISPATCH_ENABLED: 'off' })));
    const { roomIds } = await createRooms(1);
    const id = await off.createPrepared();
    const before = await digestTables(app);
    expect(await off.sendStep(id, 'dispatch', { roomIds })).toMatchObject(
      buildProblem(403, 'capability_disabled', { capability: 'dispatch' }),
    );
    expect(await digestTables(app)).toEqual(before);
    expect((await a.expectStep(id, 'dispatch', { roomIds })).sendings).toHaveLength(1);
  });

  it('[campaign.dispatch] rejects a variant that the campaign does not have', async () => {
    const id = await a.createPrepared();
    const before = await digestTables(app);
    for (const body of [
      { variantIds: ['b'] },
      { variantIds: [] },
      { variantIds: ['a', 'a'] },
      { roomIds: [] },
      { roomIds: ['x'] },
      { rooms: [] },
    ])
      expect(await a.sendStep(id, 'dispatch', body)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await digestTables(app)).toEqual(before);
  });
});

describe('recordSending', () => {
  it('[campaign.elsewhere] [campaign.receipts] hands out a counted text', async () => {
    const { roomIds } = await createRooms(2);
    const id = await a.createPrepared({ variants: buildVariants('One', 'Two') });
    const recordSending = (variantId: string, place: string, idem?: string) =>
      a.sendStep(id, 'sendings', { variantId, place }, { ...(idem && { idem }) });
    const { body } = await recordSending('v1', ' A list ');
    expect(body).toMatchObject({ state: 'dispatching', text: `Two\n\n${DISCLOSURE}` });
    const sending = {
      id: body.id,
      variantId: 'v1',
      roomId: null,
      threadId: null,
      messageId: null,
      place: 'A list',
      receiptId: body.receiptId,
    };
    expect((await a.getCampaign(id)).sendings).toMatchObject([sending]);
    expect(await f.ok('GET', `/e/${body.receiptId}.json`)).toMatchObject({
      kind: 'campaign.noticed',
      subject: { id },
    });
    expect(await recordSending('v1', 'A list')).toMatchObject(
      buildProblem(409, 'already_exists', { existingId: body.id }),
    );
    expect(await recordSending('v2', 'A list')).toMatchObject(buildProblem(400, 'invalid_request'));
    expect((await a.expectStep(id, 'dispatch', { roomIds })).sendings).toHaveLength(1);
    expect(await recordSending('v0', 'A list')).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 2 }),
    );
    app.clock.advance(DAY_MS);
    const raced = await runConcurrently(5, () => recordSending('v0', 'Another list'));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe('PostgreSQL', () => {
  it('[campaign.kept] rejects changes to campaigns that the service never makes', async () => {
    const { roomIds } = await createRooms(3);
    const id = await a.createPrepared();
    const [sending] = (await a.expectStep(id, 'dispatch', { roomIds: roomIds.slice(0, 1) }))
      .sendings;
    const insertAgain = (place: string | null, room: string | null) => sql`
      INSERT INTO campaign_sendings (
        id, campaign_id, variant_id, room_id, thread_id, message_id, place, receipt_id, sent_at
      )
      SELECT gen_random_uuid(), campaign_id, variant_id, ${room}::uuid,
        CASE WHEN ${room}::uuid IS NOT NULL THEN thread_id END,
        CASE WHEN ${room}::uuid IS NOT NULL THEN message_id END, ${place}::text, receipt_id, sent_at
      FROM campaign_sendings
      WHERE id = ${sending.id}
    `;
    const before = await digestTables(app);
    const expectRefused = (query: ReturnType<typeof sql>) => expect(db.run(query)).rejects;
    await expectRefused(insertAgain(null, roomIds[0] ?? null)).toThrow('duplicate key');
    await expectRefused(insertAgain(null, null)).toThrow('check constraint');
    await expectRefused(sql`UPDATE campaign_sendings SET place = 'x'`).toThrow('never changes');
    await expectRefused(sql`DELETE FROM campaign_sendings`).toThrow('never changes');
    await expectRefused(sql`DELETE FROM campaigns`).toThrow('never changes');
    await expectRefused(sql`UPDATE campaigns SET overrides = true WHERE id = ${id}`).toThrow(
      'never changes',
    );
    await expectRefused(sql`
      UPDATE campaign_variants
      SET notice = 'Another'
      WHERE campaign_id = ${id}
    `).toThrow('never changes');
    expect(await digestTables(app)).toEqual(before);
    await db.run(insertAgain('One place', null));
    await expectRefused(insertAgain('One place', null)).toThrow('duplicate key');
    await expectRefused(insertAgain('Another place', null)).toThrow('over its limits');
    await expectRefused(insertAgain(null, roomIds[1] ?? null)).toThrow('over its limits');
    const countBroken = async () =>
      (
        await Promise.all(
          invariants.map(async (one) =>
            (await findBroken(db, one)).count > 0 ? [one.breaks] : [],
          ),
        )
      ).flat();
    expect(await countBroken()).toEqual([]);
    await db.run(sql`
      UPDATE messages
      SET body = 'Another'
      WHERE id = ${sending.messageId}
    `);
    expect(await countBroken()).toEqual([
      'posted notices are in another place or have another text than in the register',
    ]);
    await db.run(sql`
      UPDATE messages
      SET body = ${`Version 2 is out.\n\n${DISCLOSURE}`}
      WHERE id = ${sending.messageId}
    `);
    await a.expectStep(id, 'stop');
    await expectRefused(insertAgain('Another place', null)).toThrow('is stopped');
    await expectRefused(sql`
      UPDATE campaigns
      SET state = 'dispatching', stopped_at = NULL
      WHERE id = ${id}
    `).toThrow('never changes');
  });
});
