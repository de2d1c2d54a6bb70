import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { broken, invariants } from '../../../src/cli/invariants.store.ts';
import { startApp } from '../../support/app.ts';
import { announcers, CAMPAIGNS, DISCLOSURE, FREE, variants } from './setup.ts';
import { factories, type Loose, refused, type TestAgent, together, until } from '../../support/factories.ts';
import { stored } from '../../operations/fixture.ts';

const app = await startApp(CAMPAIGNS);
const f = factories(app);
const a = announcers(f);
const other = await app.another();
const b = announcers(factories(other));
const { db, newId } = app.app.env;
const DAY_MS = 24 * 3600 * 1000;

/** Of an owner of their own, so that a dispatch can be for them alone. */
async function rooms(count: number): Promise<{ owner: TestAgent; roomIds: string[] }> {
  const owner = await f.agent();
  return { owner, roomIds: await together(count, () => a.room(owner)) };
}
const counts = async (roomIds: readonly string[]) =>
  (await Promise.all(roomIds.map((id) => a.notices(id)))).map((found) => found.length);
const sum = (numbers: readonly number[]) => numbers.reduce((one, two) => one + two, 0);

describe('the consent of a room', () => {
  it('[room.notices] is given by its owner alone, and no by default', async () => {
    const [owner, member] = [await f.agent(), await f.agent()];
    const room = await f.room(owner);
    await f.join(member, room);
    const accepts = async () => (await f.ok('GET', `/api/v1/rooms/${room}`)).acceptsNotices;
    expect(await accepts()).toBe(false);
    const put = (key: string, body: unknown) =>
      f.outcome('PUT', `/api/v1/rooms/${room}/notices`, { key, body });
    expect([
      await put(member.key, { acceptsNotices: true }),
      await put(owner.key, {}),
      await put(owner.key, { acceptsNotices: null }),
    ]).toEqual(['403 forbidden', '400 invalid_request', '400 invalid_request']);
    expect(await accepts()).toBe(false);
    expect(await a.accept(owner, room, true)).toEqual({
      id: room,
      createdAt: expect.any(String),
      acceptsNotices: true,
    });
    expect(await accepts()).toBe(true);
    expect((await f.ok('GET', '/api/v1/rooms?limit=1'))[0]).toMatchObject({
      id: room,
      acceptsNotices: true,
    });
    await a.accept(owner, room, false);
    expect(await accepts()).toBe(false);
    expect((await f.ok('GET', `/api/v1/rooms/${await a.room(owner)}`)).acceptsNotices).toBe(true);
  });
});

describe('a dispatch', () => {
  it('[campaign.author] makes its author once, though two are the first at the same moment', async () => {
    const { roomIds } = await rooms(1);
    const ids = await together(2, () => a.prepared());
    const [one, two] = await Promise.all([
      a.must(ids[0] ?? '', 'dispatch', { roomIds }),
      b.must(ids[1] ?? '', 'dispatch', { roomIds }),
    ]);
    expect([one.sendings.length, two.sendings.length]).toEqual([1, 1]);
    expect(new Set((await a.notices(roomIds[0] ?? '')).map(({ authorId }) => authorId)).size).toBe(
      1,
    );
  });

  it('[campaign.dispatch] [campaign.author] [campaign.no-mentions] [campaign.receipts] [campaign.register] posts to rooms that accept, as any message is posted', async () => {
    const { owner, roomIds } = await rooms(2);
    const [open = '', late = ''] = roomIds;
    const [shut, hidden] = [await f.room(owner), await a.room(owner, 'private')];
    const text = `Ein Hinweis für @${owner.handle}, **wörtlich** <b>.`;
    const id = await a.prepared({ name: 'Hinweis', variants: variants(text), policy: FREE });
    await a.accept(owner, late, false);
    const answer = await a.must(id, 'dispatch', { roomIds: [open, late, shut, hidden, newId()] });
    const notice = `${text}\n\n${DISCLOSURE}`;
    const [thread] = await a.notices(open);
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
    expect((await a.read(id)).sendings).toEqual(answer.sendings);
    expect([await a.notices(late), await a.notices(shut), await a.notices(hidden, owner)]).toEqual([
      [],
      [],
      [],
    ]);

    expect((await f.events(owner)).events).toEqual([]);
    expect(
      (
        await f.ok('GET', `/api/v1/search?q=${encodeURIComponent('wörtlich from:system')}`)
      ).results.map((one: Loose) => one.id),
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
    const mine = async (): Promise<string[]> =>
      (await f.ok('GET', '/api/v1/me/events', { key: owner.key })).events.map(
        ({ kind }: Loose) => kind,
      );
    await until('the receipts are in the stream of the owner', async () =>
      (await mine()).includes('campaign.noticed'),
    );
    // Nobody waits for what is answered; the thread is one as any.
    expect(await f.post(owner, thread.id, 'Thanks.')).toMatchObject({
      position: 1,
      notifiedCount: 0,
    });
  });

  it('[campaign.author] is made by an agent that nobody can be', async () => {
    expect(await f.ok('GET', '/api/v1/agents/system')).toMatchObject({
      handle: 'system',
      operator: null,
      displayName: 'Notices of this installation',
    });
    expect(await f.outcome('POST', '/api/v1/agents', { body: { handle: 'system' } })).toBe(
      '400 invalid_request',
    );
    expect(
      await db.rows(
        sql`SELECT 1 FROM api_keys k JOIN agents a ON a.id = k.agent_id WHERE a.handle = 'system'`,
      ),
    ).toEqual([]);
    const { id } = await f.ok('GET', '/api/v1/agents/system');
    const { roomIds } = await rooms(1);
    const campaignId = await a.prepared();
    const block = (blocked: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${id}/block`, { admin: true, body: { blocked } });
    await block(true);
    expect(await a.step(campaignId, 'dispatch', { roomIds })).toMatchObject(
      refused(409, 'state_conflict', { state: 'blocked' }),
    );
    await block(false);
    expect((await a.must(campaignId, 'dispatch', { roomIds })).sendings).toHaveLength(1);
  });

  it('[campaign.legacy-limits] stays within 2 a day and 10 in all, by days of UTC', async () => {
    const { roomIds } = await rooms(12);
    const id = await a.prepared({ policy: { dailyLimit: 5, totalLimit: 100 } });
    const send = () => a.step(id, 'dispatch', { roomIds });
    app.clock.advance(DAY_MS - (app.clock() % DAY_MS) - 1);
    expect((await send()).body).toMatchObject({ sendings: [{}, {}], remaining: 10 });
    expect(await send()).toMatchObject(refused(422, 'limit_exceeded', { limit: 2 }));
    app.clock.advance(1);
    for (let day = 0; day < 4; day++) {
      expect((await send()).body.sendings, String(day)).toHaveLength(2);
      expect(await send()).toMatchObject(refused(422, 'limit_exceeded'));
      app.clock.advance(DAY_MS);
    }
    expect(await send()).toMatchObject(refused(422, 'limit_exceeded', { limit: 10 }));
    expect(sum(await counts(roomIds))).toBe(10);
    expect(await a.read(id)).toMatchObject({ sentCount: 10, limits: { daily: 2, total: 10 } });
  });

  it('[campaign.override] goes by the policy alone where it overrides, in portions', async () => {
    const { roomIds } = await rooms(13);
    const some = await a.prepared({
      policy: { dailyLimit: 4, totalLimit: 5, overrideLegacyLimits: true },
    });
    expect((await a.must(some, 'dispatch', { roomIds })).sendings).toHaveLength(4);
    app.clock.advance(DAY_MS);
    expect((await a.must(some, 'dispatch', { roomIds })).sendings).toHaveLength(1);
    const all = await a.prepared({
      policy: FREE,
      variants: variants(...Array.from({ length: 5 }, (_, index) => `Notice ${index}`)),
    });
    const send = () => a.must(all, 'dispatch', { roomIds });
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
    const shown = await a.read(all);
    expect([shown.sentCount, shown.sendings.length]).toEqual([65, 50]);
    const pages = (await f.walk(`/api/v1/campaigns/${all}/sendings?limit=30`)).flat();
    expect(new Set(pages.map(({ variantId, roomId }) => `${variantId} ${roomId}`)).size).toBe(65);
    expect(pages.slice(0, 50)).toEqual(shown.sendings);
  });

  it('[campaign.limits-shared] [campaign.once] holds when administrators dispatch at once, on two nodes', async () => {
    const { roomIds } = await rooms(6);
    const id = await a.prepared();
    const answers = await together(6, (index) =>
      (index % 2 ? a : b).step(id, 'dispatch', { roomIds }),
    );
    expect(sum(answers.map(({ body }) => body.sendings?.length ?? 0))).toBe(2);
    expect(sum(await counts(roomIds))).toBe(2);
    const free = await a.prepared({ policy: FREE });
    await together(6, (index) => (index % 2 ? a : b).step(free, 'dispatch', { roomIds }));
    expect((await a.read(free)).sentCount).toBe(6);
    expect(sum(await counts(roomIds))).toBe(8);
    // A node that starts later counts what others sent.
    const later = announcers(factories(await app.another()));
    expect(await later.step(id, 'dispatch', { roomIds })).toMatchObject(
      refused(422, 'limit_exceeded'),
    );
  });

  it('[campaign.once] fails as a whole, and goes on from there', async () => {
    const { roomIds } = await rooms(4);
    const id = await a.prepared({ policy: FREE });
    await a.must(id, 'dispatch', { roomIds: roomIds.slice(0, 1) });
    await db.run(
      sql`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the lights went out'; END $$`,
    );
    await db.run(
      sql`CREATE CONSTRAINT TRIGGER die AFTER INSERT ON campaign_sendings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()`,
    );
    const before = await stored(app);
    expect(await a.step(id, 'dispatch', { roomIds }, { idem: 'in-the-midst' })).toMatchObject(
      refused(500, 'internal_error'),
    );
    expect(await stored(app)).toEqual(before);
    await db.run(sql`DROP TRIGGER die ON campaign_sendings`);
    const first = await a.step(id, 'dispatch', { roomIds }, { idem: 'in-the-midst' });
    expect([
      first.body.sendings.length,
      (await a.step(id, 'dispatch', { roomIds }, { idem: 'in-the-midst' })).text,
    ]).toEqual([3, first.text]);
    expect(await counts(roomIds)).toEqual([1, 1, 1, 1]);
  });

  it('[campaign.dispatch] asks at that very moment: an owner who said no gets nothing afterwards', async () => {
    const { owner, roomIds } = await rooms(1);
    const [room = ''] = roomIds;
    for (let turn = 0; turn < 8; turn++) {
      await a.accept(owner, room, true);
      const id = await a.prepared({ policy: FREE });
      const before = (await a.notices(room)).length;
      const sending = (turn % 2 ? a : b).must(id, 'dispatch', { roomIds });
      const shut = a.accept(owner, room, false).then(() => a.notices(room));
      const [{ sendings }, seen] = await Promise.all([sending, shut]);
      expect(seen.length - before, String(turn)).toBe(sendings.length);
      expect((await a.notices(room)).length).toBe(seen.length);
    }
  });

  it('[campaign.stop] ends with stop, also on another node', async () => {
    const { roomIds } = await rooms(5);
    for (let turn = 0; turn < 6; turn++) {
      const id = await a.prepared({ policy: FREE });
      const count = async () => (await a.read(id)).sentCount;
      const sending = together(3, (index) =>
        b.step(id, 'dispatch', { roomIds: roomIds.slice(0, index + 2) }),
      );
      const stopped = await a.must(id, 'stop').then(count);
      const answers = await sending;
      for (const { status, body } of answers)
        expect(status === 200 || (body.code === 'state_conflict' && body.state === 'stopped')).toBe(
          true,
        );
      expect([await count(), sum(answers.map(({ body }) => body.sendings?.length ?? 0))]).toEqual([
        stopped,
        stopped,
      ]);
      expect(await b.step(id, 'dispatch', { roomIds })).toMatchObject(
        refused(409, 'state_conflict', { state: 'stopped' }),
      );
    }
  });

  it('[campaign.switch] needs its switch', async () => {
    const off = announcers(factories(await app.another({ DISPATCH_ENABLED: 'off' })));
    const { roomIds } = await rooms(1);
    const id = await off.prepared();
    const before = await stored(app);
    expect(await off.step(id, 'dispatch', { roomIds })).toMatchObject(
      refused(403, 'capability_disabled', { capability: 'dispatch' }),
    );
    expect(await stored(app)).toEqual(before);
    expect((await a.must(id, 'dispatch', { roomIds })).sendings).toHaveLength(1);
  });

  it('[campaign.dispatch] refuses a variant that the campaign has not', async () => {
    const id = await a.prepared();
    const before = await stored(app);
    for (const body of [
      { variantIds: ['b'] },
      { variantIds: [] },
      { variantIds: ['a', 'a'] },
      { roomIds: [] },
      { roomIds: ['x'] },
      { rooms: [] },
    ])
      expect(await a.step(id, 'dispatch', body)).toMatchObject(refused(400, 'invalid_request'));
    expect(await stored(app)).toEqual(before);
  });
});

describe('a copy for elsewhere', () => {
  it('[campaign.elsewhere] [campaign.receipts] is handed out as text, and counts', async () => {
    const { roomIds } = await rooms(2);
    const id = await a.prepared({ variants: variants('One', 'Two') });
    const to = (variantId: string, place: string, idem?: string) =>
      a.step(id, 'sendings', { variantId, place }, { ...(idem && { idem }) });
    const { body } = await to('v1', ' A list ');
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
    expect((await a.read(id)).sendings).toMatchObject([sending]);
    expect(await f.ok('GET', `/e/${body.receiptId}.json`)).toMatchObject({
      kind: 'campaign.noticed',
      subject: { id },
    });
    expect(await to('v1', 'A list')).toMatchObject(
      refused(409, 'already_exists', { existingId: body.id }),
    );
    expect(await to('v2', 'A list')).toMatchObject(refused(400, 'invalid_request'));
    expect((await a.must(id, 'dispatch', { roomIds })).sendings).toHaveLength(1);
    expect(await to('v0', 'A list')).toMatchObject(refused(422, 'limit_exceeded', { limit: 2 }));
    app.clock.advance(DAY_MS);
    const raced = await together(5, () => to('v0', 'Another list'));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe('PostgreSQL itself', () => {
  it('[campaign.kept] refuses what the service would never do', async () => {
    const { roomIds } = await rooms(3);
    const id = await a.prepared();
    const [sending] = (await a.must(id, 'dispatch', { roomIds: roomIds.slice(0, 1) })).sendings;
    const again = (
      place: string | null,
      room: string | null,
    ) => sql`INSERT INTO campaign_sendings (id, campaign_id, variant_id, room_id, thread_id, message_id, place, receipt_id, sent_at)
      SELECT gen_random_uuid(), campaign_id, variant_id, ${room}::uuid, CASE WHEN ${room}::uuid IS NOT NULL THEN thread_id END, CASE WHEN ${room}::uuid IS NOT NULL THEN message_id END,
        ${place}::text, receipt_id, sent_at FROM campaign_sendings WHERE id = ${sending.id}`;
    const before = await stored(app);
    const refusal = (query: ReturnType<typeof sql>) => expect(db.run(query)).rejects;
    await refusal(again(null, roomIds[0] ?? null)).toThrow('duplicate key');
    await refusal(again(null, null)).toThrow('check constraint');
    await refusal(sql`UPDATE campaign_sendings SET place = 'x'`).toThrow('never changes');
    await refusal(sql`DELETE FROM campaign_sendings`).toThrow('never changes');
    await refusal(sql`DELETE FROM campaigns`).toThrow('never changes');
    await refusal(sql`UPDATE campaigns SET overrides = true WHERE id = ${id}`).toThrow(
      'never changes',
    );
    await refusal(
      sql`UPDATE campaign_variants SET notice = 'Another' WHERE campaign_id = ${id}`,
    ).toThrow('never changes');
    expect(await stored(app)).toEqual(before);
    await db.run(again('One place', null));
    await refusal(again('One place', null)).toThrow('duplicate key');
    await refusal(again('Another place', null)).toThrow('over its limits');
    await refusal(again(null, roomIds[1] ?? null)).toThrow('over its limits');
    const found = async () =>
      (
        await Promise.all(
          invariants.map(async (one) => ((await broken(db, one)).count > 0 ? [one.breaks] : [])),
        )
      ).flat();
    expect(await found()).toEqual([]);
    await db.run(sql`UPDATE messages SET body = 'Another' WHERE id = ${sending.messageId}`);
    expect(await found()).toEqual([
      'posted notices are elsewhere, or say something else, than the register tells',
    ]);
    await db.run(
      sql`UPDATE messages SET body = ${`Version 2 is out.\n\n${DISCLOSURE}`} WHERE id = ${sending.messageId}`,
    );
    await a.must(id, 'stop');
    await refusal(again('Another place', null)).toThrow('is stopped');
    await refusal(
      sql`UPDATE campaigns SET state = 'dispatching', stopped_at = NULL WHERE id = ${id}`,
    ).toThrow('never changes');
  });
});
