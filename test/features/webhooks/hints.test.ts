import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import * as webhooks from '../../../src/features/webhooks/store.ts';
import { startApp } from '../../support/app.ts';
import { call, factories, type Loose, until } from '../../support/factories.ts';
import { hooked } from './setup.ts';
import {
  accept,
  answer,
  dialTo,
  forHints,
  HOOK,
  held,
  hmac,
  hookSettings,
  startReceiver,
} from './receiver.ts';

const receiver = await startReceiver();
const slow = await startReceiver({ names: ['slow.example'] });
const app = await startApp(hookSettings(dialTo(receiver.port), dialTo(slow.port, 'slow.example')));
const { db } = app.app.env;
const f = factories(app);
const { get, put, verify, scene, pass } = hooked(app);

/** Hints for a hook, in order. */
const hintsFor = (hookId: string) => receiver.hints().filter(({ body }) => body.hookId === hookId);

describe('a hint', () => {
  it('[hint.body] [hint.signature] says that events wait, signed, and nothing else', async () => {
    const { ada, bob, post, hookId } = await scene();
    await post('The secret of the day');
    await pass(5);
    const [hint, ...more] = hintsFor(hookId);
    expect(more).toEqual([]);
    const now = new Date(app.clock()).toISOString();
    expect(hint?.body).toEqual({
      type: 'events.available',
      hookId,
      deliveryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: now,
    });
    const timestamp = String(hint?.headers['x-service-timestamp']);
    expect(timestamp).toBe(String(app.clock() / 1000));
    expect(hint?.headers['x-service-signature']).toBe(`v1=${hmac(`${timestamp}.${hint?.raw}`)}`);
    expect(Object.keys(hint?.headers ?? {}).sort()).toEqual(
      [
        'connection',
        'content-length',
        'content-type',
        'host',
        'user-agent',
        'x-service-signature',
        'x-service-timestamp',
      ].sort(),
    );
    for (const word of ['secret of the day', ada.id, bob.id, ada.handle, bob.handle, ada.key])
      expect(JSON.stringify(hint)).not.toContain(word);
    expect(await get(ada)).toMatchObject({
      state: 'active',
      attempts: 0,
      lastDeliveredAt: now,
      lastError: null,
      nextAttemptAt: null,
    });
    expect((await f.events(ada)).events).toHaveLength(1);
  });

  it('[hint.coalesced] is sent five seconds after the first arrival, one for all that came by then', async () => {
    const { ada, post, hookId } = await scene();
    for (let count = 0; count < 3; count++) await post();
    await pass(0);
    const due = new Date(app.clock() + 5_000).toISOString();
    expect(await get(ada)).toMatchObject({ nextAttemptAt: due, lastDeliveredAt: null });
    await pass(4.9);
    await post();
    await pass(0);
    expect(hintsFor(hookId)).toEqual([]);
    expect(await get(ada)).toMatchObject({ nextAttemptAt: due });
    await pass(0.1);
    expect(hintsFor(hookId)).toHaveLength(1);
    await pass(60);
    expect(hintsFor(hookId)).toHaveLength(1);
    await post();
    await pass(5);
    expect(new Set(hintsFor(hookId).map(({ body }) => body.deliveryId)).size).toBe(2);
  });

  it('[webhook.cursor-now] tells of nothing from before the webhook, but of what came before it was verified', async () => {
    const { ada, post } = await scene();
    await post();
    const { id } = await put(ada, { ...HOOK, url: `${HOOK.url}/again` });
    await verify(ada);
    await pass(60);
    expect(hintsFor(id)).toEqual([]);
    const { id: second } = await put(ada);
    await post();
    await pass(60);
    expect(hintsFor(second)).toEqual([]);
    await verify(ada);
    await pass(5);
    expect(hintsFor(second)).toHaveLength(1);
  });

  it('[hint.visible] is not sent for what its agent may not see any more', async () => {
    const removed = await scene(HOOK, 'private');
    await removed.post();
    await f.ok('DELETE', `/api/v1/rooms/${removed.roomId}/members/${removed.ada.id}`, {
      key: removed.ada.key,
    });
    const bare = await scene();
    await f.ok('DELETE', `/api/v1/admin/messages/${(await bare.post()).id}`, { admin: true });
    const gone = await scene();
    await gone.post();
    await f.ok('DELETE', `/api/v1/admin/threads/${gone.threadId}`, { admin: true });
    await pass(5);
    for (const { hookId, ada } of [removed, bare, gone]) {
      expect(hintsFor(hookId)).toEqual([]);
      expect(await get(ada)).toMatchObject({
        state: 'active',
        nextAttemptAt: null,
        lastDeliveredAt: null,
      });
    }
    await bare.post();
    await pass(5);
    expect(hintsFor(bare.hookId)).toHaveLength(1);
  });

  it('[hint.visible] is sent when anything among it can be seen, and for the removal itself', async () => {
    const mixed = await scene();
    await mixed.post();
    await f.ok('DELETE', `/api/v1/admin/messages/${(await mixed.post()).id}`, { admin: true });
    const removed = await scene(HOOK, 'private');
    await f.ok('DELETE', `/api/v1/rooms/${removed.roomId}/members/${removed.ada.id}`, {
      key: removed.bob.key,
    });
    await pass(5);
    for (const { hookId } of [mixed, removed]) expect(hintsFor(hookId)).toHaveLength(1);
  });

  it('[hint.visible] that failed is not sent again when nothing of it can be seen any more', async () => {
    const { ada, post, hookId } = await scene();
    receiver.behave(forHints(answer(503)));
    const { id } = await post();
    await pass(5);
    await f.ok('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
    receiver.behave(accept);
    await pass(60);
    expect(hintsFor(hookId)).toHaveLength(1);
    expect(await get(ada)).toMatchObject({ state: 'active', attempts: 0, nextAttemptAt: null });
  });

  it.each([
    ['revoked', (key: string) => f.ok('DELETE', '/api/v1/me/keys/current', { key })],
    ['rotated', (key: string) => f.ok('POST', '/api/v1/me/keys/rotate', { key })],
  ])('[hint.credential] is not sent after its key was %s', async (_, lose) => {
    const { ada, post, hookId } = await scene();
    await post();
    await pass(0);
    await lose(ada.key);
    await pass(60);
    expect(hintsFor(hookId)).toEqual([]);
  });

  it('[hint.credential] is not sent to a blocked agent, nor after its key expired', async () => {
    const { ada, post, hookId } = await scene();
    await post();
    await pass(0);
    await f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    const other = await scene();
    const { apiKey } = await f.scopedKey(other.ada, ['forum'], {
      expiresAt: new Date(app.clock() + 3_000).toISOString(),
    });
    const { id } = await put({ ...other.ada, key: apiKey });
    await verify(other.ada);
    await other.post();
    await pass(60);
    expect([hintsFor(hookId), hintsFor(id)]).toEqual([[], []]);
    const [row] = await db.rows<Loose>(
      sql`SELECT state, last_error, due_at FROM webhooks WHERE agent_id = ${other.ada.id}`,
    );
    expect(row).toEqual({ state: 'failed', last_error: 'credential_unavailable', due_at: null });
  });

  it('[hint.replaced] that is owed is discarded with the webhook that is replaced or deleted', async () => {
    for (const change of ['replaced', 'deleted']) {
      const { ada, post, hookId } = await scene();
      receiver.behave(forHints(answer(500)));
      await post();
      await pass(5);
      receiver.behave(accept);
      if (change === 'deleted') await f.ok('DELETE', '/api/v1/me/webhook', { key: ada.key });
      const { id } = await put(ada, { ...HOOK, url: `${HOOK.url}/${change}` });
      await verify(ada);
      await pass(3600);
      expect([hintsFor(hookId).length, hintsFor(id).length]).toEqual([1, 0]);
      await post();
      await pass(5);
      expect(hintsFor(id)).toHaveLength(1);
    }
  });

  it('[hint.in-flight] leads to one more, and only one, for all that arrives while it is on its way', async () => {
    const { ada, post, hookId } = await scene();
    const gate = held();
    receiver.behave(forHints(gate.behaviour));
    await post();
    await pass(0);
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await gate.arrived();
    for (let count = 0; count < 4; count++) await post();
    await app.app.jobs.runDue();
    gate.open();
    receiver.behave(accept);
    await pass(0);
    expect(hintsFor(hookId)).toHaveLength(1);
    expect(await get(ada)).toMatchObject({
      lastDeliveredAt: new Date(app.clock()).toISOString(),
      nextAttemptAt: new Date(app.clock() + 5_000).toISOString(),
    });
    await pass(5);
    await pass(600);
    expect(new Set(hintsFor(hookId).map(({ body }) => body.deliveryId)).size).toBe(2);
    expect(hintsFor(hookId)).toHaveLength(2);
  });

  it('[hint.in-flight] that ends after its webhook was replaced changes nothing about the new one', async () => {
    const { ada, post } = await scene();
    const gate = held();
    receiver.behave(forHints(gate.behaviour));
    await post();
    await pass(0);
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await gate.arrived();
    const fresh = await put(ada, { ...HOOK, url: `${HOOK.url}/fresh` });
    gate.open();
    receiver.behave(accept);
    // Another one, begun later, is settled after it.
    const next = await scene();
    await next.post();
    await pass(5);
    expect(await get(next.ada)).toMatchObject({ lastDeliveredAt: expect.any(String) });
    expect(await get(ada)).toEqual(fresh);
  });

  it('[hint.in-flight] of a webhook that was replaced says nothing about the new one, though both end together', async () => {
    const [first, ended] = [await scene(), await scene()];
    const gates = [held(), held(), held()] as const;
    const begin = async (gate: (typeof gates)[number], post: () => Promise<unknown>) => {
      receiver.behave(forHints(gate.behaviour));
      await post();
      await app.app.jobs.runDue();
      app.clock.advance(5_000);
      await app.app.jobs.runDue();
      await gate.arrived();
    };
    const [old, fresh, other] = gates;
    await begin(old, first.post);
    const { id } = await put(first.ada, { ...HOOK, url: `${HOOK.url}/fresh` });
    await verify(first.ada);
    await begin(fresh, first.post);
    await begin(other, ended.post);
    // While one cannot be settled, the others wait for their turn together.
    await db.transaction(async (tx) => {
      await tx.run(sql`SELECT 1 FROM webhooks WHERE agent_id = ${ended.ada.id} FOR UPDATE`);
      for (const gate of [other, fresh, old]) {
        gate.open();
        await get(first.ada);
        await until(
          'its connection is gone',
          async () =>
            (await receiver.connections()) === (gate === other ? 2 : gate === fresh ? 1 : 0),
        );
        await get(first.ada);
      }
      expect(await get(first.ada)).toMatchObject({ id, lastDeliveredAt: null });
    });
    receiver.behave(accept);
    await until(
      'the new one is settled',
      async () => (await get(first.ada)).lastDeliveredAt !== null,
    );
    expect(await get(first.ada)).toMatchObject({
      id,
      state: 'active',
      attempts: 0,
      nextAttemptAt: null,
    });
    await pass(0);
  });

  it('[hint.in-flight] of a webhook that was replaced and fails is no failure of the new one', async () => {
    const { ada, post } = await scene();
    const [old, fresh] = [held(answer(500)), held()];
    for (const [gate, url] of [
      [old, null],
      [fresh, `${HOOK.url}/fresh`],
    ] as const) {
      if (url !== null) await put(ada, { ...HOOK, url });
      receiver.behave(forHints(gate.behaviour));
      if (url !== null) await verify(ada);
      await post();
      await app.app.jobs.runDue();
      app.clock.advance(5_000);
      await app.app.jobs.runDue();
      await gate.arrived();
    }
    old.open();
    receiver.behave(accept);
    const next = await scene();
    await next.post();
    await app.app.jobs.runDue();
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await until(
      'a later one is settled',
      async () => (await get(next.ada)).lastDeliveredAt !== null,
    );
    expect(await get(ada)).toMatchObject({ attempts: 0, lastDeliveredAt: null });
    fresh.open();
    await pass(0);
    expect(await get(ada)).toMatchObject({
      attempts: 0,
      lastDeliveredAt: new Date(app.clock()).toISOString(),
    });
  });

  it('[hint.isolated] is not held up by receivers that do not answer', async () => {
    const stuck: { hookId: string }[] = [];
    for (let count = 0; count < 20; count++) {
      const one = await scene({ ...HOOK, url: 'https://slow.example/stoa' });
      await one.post();
      stuck.push(one);
    }
    const answers: (() => void)[] = [];
    slow.behave((_, response) => void answers.push(() => response.end()));
    await app.app.jobs.runDue();
    app.clock.advance(1);
    const good = await scene();
    await good.post();
    await app.app.jobs.runDue();
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await until('the good one has its hint', () => hintsFor(good.hookId).length === 1);
    await until('the slow one has as many as a host may have', () => answers.length === 16);
    const due = async (hosts: string[]) =>
      (
        await webhooks.listDue(
          db,
          new Date(app.clock()).toISOString(),
          { hosts, failing: false },
          500,
        )
      ).filter(({ host }) => host === 'slow.example');
    expect([(await due([])).length, (await due(['slow.example'])).length]).toEqual([4, 0]);
    slow.behave(accept);
    for (const go of answers) go();
    await until('the others follow', async () => {
      await app.app.jobs.runDue();
      return new Set(slow.hints().map(({ body }) => body.hookId)).size === stuck.length;
    });
    await pass(0);
  });

  it('[hint.missed] is sent for what nobody was told of, by whoever looks next', async () => {
    const { post, hookId } = await scene();
    await post();
    await pass(0);
    await db.run(sql`UPDATE webhooks SET due_at = NULL WHERE id = ${hookId}`);
    await pass(0);
    await pass(5);
    expect(hintsFor(hookId)).toHaveLength(1);
  });

  it('[hint.metrics] is counted', async () => {
    const metrics = async () => (await call(app.url, 'GET', '/metrics', { admin: true })).text;
    const figure = async (name: string) =>
      Number(
        new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(await metrics())?.[1],
      );
    const sent = await figure('stoa_hints_total{outcome="sent"}');
    const retried = await figure('stoa_hints_total{outcome="retried"}');
    const { post } = await scene();
    await post();
    receiver.behave(forHints(answer(500)));
    await pass(5);
    expect([
      await figure('stoa_hints_total{outcome="retried"}'),
      await figure('stoa_hints_waiting'),
    ]).toEqual([retried + 1, 1]);
    app.clock.advance(3_000);
    expect(await figure('stoa_hints_oldest_waiting_seconds')).toBe(3);
    receiver.behave(accept);
    await pass(60);
    expect([
      await figure('stoa_hints_total{outcome="sent"}'),
      await figure('stoa_hints_waiting'),
    ]).toEqual([sent + 1, 0]);
    expect([
      await figure('stoa_hints_oldest_waiting_seconds'),
      await figure('stoa_hints_total{outcome="failed"}'),
    ]).toEqual([0, 0]);
  });
});
