import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import * as dueWebhooks from '../../../src/features/webhooks/due-webhooks.store.ts';
import { startApp } from '../../support/app.ts';
import { call, factories, type Json, waitUntil } from '../../support/factories.ts';
import {
  accept,
  answerWith,
  buildDialSetting,
  buildWebhookSettings,
  computeHmac,
  exampleWebhook,
  holdRequests,
  onlyForHints,
  startReceiver,
} from './receiver.ts';
import { webhookHelpers } from './setup.ts';

const receiver = await startReceiver();
const slow = await startReceiver({ names: ['slow.example'] });
const app = await startApp(
  buildWebhookSettings(
    buildDialSetting(receiver.port),
    buildDialSetting(slow.port, 'slow.example'),
  ),
);
const { db } = app.app.env;
const f = factories(app);
const {
  get: getWebhook,
  put: putWebhook,
  verify: verifyWebhook,
  setUp,
  advanceAndRun,
} = webhookHelpers(app);

/** Lists the hints for a webhook, in order. */
const listHints = (hookId: string) =>
  receiver.listHints().filter(({ body }) => body.hookId === hookId);

describe('sendHints', () => {
  it('[hint.body] [hint.signature] says that events wait, signed', async () => {
    const { ada, bob, post, hookId } = await setUp();
    await post('The secret of the day');
    await advanceAndRun(5);
    const [hint, ...more] = listHints(hookId);
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
    expect(hint?.headers['x-service-signature']).toBe(
      `v1=${computeHmac(`${timestamp}.${hint?.raw}`)}`,
    );
    expect(Object.keys(hint?.headers ?? {}).sort()).toEqual(
      [
        'ce-id',
        'ce-source',
        'ce-specversion',
        'ce-subject',
        'ce-time',
        'ce-type',
        'connection',
        'content-length',
        'content-type',
        'host',
        'user-agent',
        'webhook-id',
        'webhook-signature',
        'webhook-timestamp',
        'x-service-signature',
        'x-service-timestamp',
      ].sort(),
    );
    for (const word of ['secret of the day', ada.id, bob.id, ada.handle, bob.handle, ada.key])
      expect(JSON.stringify(hint)).not.toContain(word);
    expect(await getWebhook(ada)).toMatchObject({
      state: 'active',
      attempts: 0,
      lastDeliveredAt: now,
      lastError: null,
      nextAttemptAt: null,
    });
    expect((await f.listEvents(ada)).events).toHaveLength(1);
  });

  it('[hint.not-receipts] sends none for the portable stream', async () => {
    const { ada, threadId, hookId } = await setUp();
    await f.postMessage(ada, threadId, 'My own post has a receipt and is no event for me');
    await app.app.jobs.runDue();
    const receipts: Json = await f.ok('GET', '/api/v1/me/events', { key: ada.key });
    expect(receipts.events.map(({ kind }: Json) => kind)).toContain('message.posted');
    expect((await f.listEvents(ada)).events).toEqual([]);
    await advanceAndRun(60);
    expect(listHints(hookId)).toEqual([]);
  });

  it('[hint.not-dispatch] sends hints while the dispatch switch is off', async () => {
    const { webhooks, campaigns } = await f.ok('GET', '/api/v1/capabilities');
    expect({ enabled: webhooks.enabled, dispatch: campaigns.dispatch }).toEqual({
      enabled: true,
      dispatch: false,
    });
    const { post, hookId } = await setUp();
    await post();
    await advanceAndRun(5);
    expect(listHints(hookId)).toHaveLength(1);
  });

  it('[hint.coalesced] sends one hint five seconds after the first event', async () => {
    const { ada, post, hookId } = await setUp();
    for (let count = 0; count < 3; count++) await post();
    await advanceAndRun(0);
    const due = new Date(app.clock() + 5_000).toISOString();
    expect(await getWebhook(ada)).toMatchObject({ nextAttemptAt: due, lastDeliveredAt: null });
    await advanceAndRun(4.9);
    await post();
    await advanceAndRun(0);
    expect(listHints(hookId)).toEqual([]);
    expect(await getWebhook(ada)).toMatchObject({ nextAttemptAt: due });
    await advanceAndRun(0.1);
    expect(listHints(hookId)).toHaveLength(1);
    await advanceAndRun(60);
    expect(listHints(hookId)).toHaveLength(1);
    await post();
    await advanceAndRun(5);
    expect(new Set(listHints(hookId).map(({ body }) => body.deliveryId)).size).toBe(2);
  });

  it('[webhook.cursor-now] ignores events before the webhook', async () => {
    const { ada, post } = await setUp();
    await post();
    const { id } = await putWebhook(ada, { ...exampleWebhook, url: `${exampleWebhook.url}/again` });
    await verifyWebhook(ada);
    await advanceAndRun(60);
    expect(listHints(id)).toEqual([]);
    const { id: second } = await putWebhook(ada);
    await post();
    await advanceAndRun(60);
    expect(listHints(second)).toEqual([]);
    await verifyWebhook(ada);
    await advanceAndRun(5);
    expect(listHints(second)).toHaveLength(1);
  });

  it('[hint.visible] sends none for events that the agent may no longer see', async () => {
    const removed = await setUp(exampleWebhook, 'private');
    await removed.post();
    await f.ok('DELETE', `/api/v1/rooms/${removed.roomId}/members/${removed.ada.id}`, {
      key: removed.ada.key,
    });
    const bare = await setUp();
    await f.ok('DELETE', `/api/v1/admin/messages/${(await bare.post()).id}`, { admin: true });
    const gone = await setUp();
    await gone.post();
    await f.ok('DELETE', `/api/v1/admin/threads/${gone.threadId}`, { admin: true });
    await advanceAndRun(5);
    for (const { hookId, ada } of [removed, bare, gone]) {
      expect(listHints(hookId)).toEqual([]);
      expect(await getWebhook(ada)).toMatchObject({
        state: 'active',
        nextAttemptAt: null,
        lastDeliveredAt: null,
      });
    }
    await bare.post();
    await advanceAndRun(5);
    expect(listHints(bare.hookId)).toHaveLength(1);
  });

  it('[hint.visible] sends one if any event is visible, as a removal is', async () => {
    const mixed = await setUp();
    await mixed.post();
    await f.ok('DELETE', `/api/v1/admin/messages/${(await mixed.post()).id}`, { admin: true });
    const removed = await setUp(exampleWebhook, 'private');
    await f.ok('DELETE', `/api/v1/rooms/${removed.roomId}/members/${removed.ada.id}`, {
      key: removed.bob.key,
    });
    await advanceAndRun(5);
    for (const { hookId } of [mixed, removed]) expect(listHints(hookId)).toHaveLength(1);
  });

  it('[hint.visible] does not retry when no event is visible any more', async () => {
    const { ada, post, hookId } = await setUp();
    receiver.setBehaviour(onlyForHints(answerWith(503)));
    const { id } = await post();
    await advanceAndRun(5);
    await f.ok('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
    receiver.setBehaviour(accept);
    await advanceAndRun(60);
    expect(listHints(hookId)).toHaveLength(1);
    expect(await getWebhook(ada)).toMatchObject({
      state: 'active',
      attempts: 0,
      nextAttemptAt: null,
    });
  });

  it.each([
    ['revoked', (key: string) => f.ok('DELETE', '/api/v1/me/keys/current', { key })],
    ['rotated', (key: string) => f.ok('POST', '/api/v1/me/keys/rotate', { key })],
  ])('[hint.credential] sends none after the key was %s', async (_, lose) => {
    const { ada, post, hookId } = await setUp();
    await post();
    await advanceAndRun(0);
    await lose(ada.key);
    await advanceAndRun(60);
    expect(listHints(hookId)).toEqual([]);
  });

  it('[hint.credential] sends none to a blocked agent or after its key expired', async () => {
    const { ada, post, hookId } = await setUp();
    await post();
    await advanceAndRun(0);
    await f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    const other = await setUp();
    const { apiKey } = await f.createScopedKey(other.ada, ['forum'], {
      expiresAt: new Date(app.clock() + 3_000).toISOString(),
    });
    const { id } = await putWebhook({ ...other.ada, key: apiKey });
    await verifyWebhook(other.ada);
    await other.post();
    await advanceAndRun(60);
    expect({ blocked: listHints(hookId), expired: listHints(id) }).toEqual({
      blocked: [],
      expired: [],
    });
    const [row] = await db.rows<Json>(sql`
      SELECT state, last_error, due_at
      FROM webhooks
      WHERE agent_id = ${other.ada.id}
    `);
    expect(row).toEqual({ state: 'failed', last_error: 'credential_unavailable', due_at: null });
  });

  it('[hint.replaced] discards hints of a replaced or deleted webhook', async () => {
    for (const change of ['replaced', 'deleted']) {
      const { ada, post, hookId } = await setUp();
      receiver.setBehaviour(onlyForHints(answerWith(500)));
      await post();
      await advanceAndRun(5);
      receiver.setBehaviour(accept);
      if (change === 'deleted') await f.ok('DELETE', '/api/v1/me/webhook', { key: ada.key });
      const { id } = await putWebhook(ada, {
        ...exampleWebhook,
        url: `${exampleWebhook.url}/${change}`,
      });
      await verifyWebhook(ada);
      await advanceAndRun(3600);
      expect({ former: listHints(hookId).length, current: listHints(id).length }).toEqual({
        former: 1,
        current: 0,
      });
      await post();
      await advanceAndRun(5);
      expect(listHints(id)).toHaveLength(1);
    }
  });

  it('[hint.in-flight] sends one more hint for events during a delivery', async () => {
    const { ada, post, hookId } = await setUp();
    const gate = holdRequests();
    receiver.setBehaviour(onlyForHints(gate.behaviour));
    await post();
    await advanceAndRun(0);
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await gate.waitForArrival();
    for (let count = 0; count < 4; count++) await post();
    await app.app.jobs.runDue();
    gate.open();
    receiver.setBehaviour(accept);
    await advanceAndRun(0);
    expect(listHints(hookId)).toHaveLength(1);
    expect(await getWebhook(ada)).toMatchObject({
      lastDeliveredAt: new Date(app.clock()).toISOString(),
      nextAttemptAt: new Date(app.clock() + 5_000).toISOString(),
    });
    await advanceAndRun(5);
    await advanceAndRun(600);
    expect(new Set(listHints(hookId).map(({ body }) => body.deliveryId)).size).toBe(2);
    expect(listHints(hookId)).toHaveLength(2);
  });

  it('[hint.in-flight] keeps late results from a replacing webhook', async () => {
    const { ada, post } = await setUp();
    const gate = holdRequests();
    receiver.setBehaviour(onlyForHints(gate.behaviour));
    await post();
    await advanceAndRun(0);
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await gate.waitForArrival();
    const fresh = await putWebhook(ada, { ...exampleWebhook, url: `${exampleWebhook.url}/fresh` });
    gate.open();
    receiver.setBehaviour(accept);
    // Another hint, begun later, is settled after it.
    const next = await setUp();
    await next.post();
    await advanceAndRun(5);
    expect(await getWebhook(next.ada)).toMatchObject({ lastDeliveredAt: expect.any(String) });
    expect(await getWebhook(ada)).toEqual(fresh);
  });

  it('[hint.in-flight] keeps them apart when both end together', async () => {
    const first = await setUp();
    const ended = await setUp();
    const gates = [holdRequests(), holdRequests(), holdRequests()] as const;
    const begin = async (gate: (typeof gates)[number], post: () => Promise<unknown>) => {
      receiver.setBehaviour(onlyForHints(gate.behaviour));
      await post();
      await app.app.jobs.runDue();
      app.clock.advance(5_000);
      await app.app.jobs.runDue();
      await gate.waitForArrival();
    };
    const [old, fresh, other] = gates;
    await begin(old, first.post);
    const { id } = await putWebhook(first.ada, {
      ...exampleWebhook,
      url: `${exampleWebhook.url}/fresh`,
    });
    await verifyWebhook(first.ada);
    await begin(fresh, first.post);
    await begin(other, ended.post);
    // While one hint cannot be settled, the others wait together for their turn.
    await db.transaction(async (tx) => {
      await tx.run(sql`
        SELECT 1
        FROM webhooks
        WHERE agent_id = ${ended.ada.id}
        FOR UPDATE
      `);
      for (const gate of [other, fresh, old]) {
        gate.open();
        await getWebhook(first.ada);
        await waitUntil(
          'its connection is gone',
          async () =>
            (await receiver.connections()) === (gate === other ? 2 : gate === fresh ? 1 : 0),
        );
        await getWebhook(first.ada);
      }
      expect(await getWebhook(first.ada)).toMatchObject({ id, lastDeliveredAt: null });
    });
    receiver.setBehaviour(accept);
    await waitUntil(
      'the new one is settled',
      async () => (await getWebhook(first.ada)).lastDeliveredAt !== null,
    );
    expect(await getWebhook(first.ada)).toMatchObject({
      id,
      state: 'active',
      attempts: 0,
      nextAttemptAt: null,
    });
    await advanceAndRun(0);
  });

  it('[hint.in-flight] keeps failures of a replaced webhook apart', async () => {
    const { ada, post } = await setUp();
    const old = holdRequests(answerWith(500));
    const fresh = holdRequests();
    for (const [gate, url] of [
      [old, null],
      [fresh, `${exampleWebhook.url}/fresh`],
    ] as const) {
      if (url !== null) await putWebhook(ada, { ...exampleWebhook, url });
      receiver.setBehaviour(onlyForHints(gate.behaviour));
      if (url !== null) await verifyWebhook(ada);
      await post();
      await app.app.jobs.runDue();
      app.clock.advance(5_000);
      await app.app.jobs.runDue();
      await gate.waitForArrival();
    }
    old.open();
    receiver.setBehaviour(accept);
    const next = await setUp();
    await next.post();
    await app.app.jobs.runDue();
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await waitUntil(
      'a later one is settled',
      async () => (await getWebhook(next.ada)).lastDeliveredAt !== null,
    );
    expect(await getWebhook(ada)).toMatchObject({ attempts: 0, lastDeliveredAt: null });
    fresh.open();
    await advanceAndRun(0);
    expect(await getWebhook(ada)).toMatchObject({
      attempts: 0,
      lastDeliveredAt: new Date(app.clock()).toISOString(),
    });
  });

  it('[hint.isolated] is not delayed by receivers that do not answer', async () => {
    const stuck: { hookId: string }[] = [];
    for (let count = 0; count < 20; count++) {
      const one = await setUp({ ...exampleWebhook, url: 'https://slow.example/stoa' });
      await one.post();
      stuck.push(one);
    }
    const answers: (() => void)[] = [];
    slow.setBehaviour((_, response) => void answers.push(() => response.end()));
    await app.app.jobs.runDue();
    app.clock.advance(1);
    const good = await setUp();
    await good.post();
    await app.app.jobs.runDue();
    app.clock.advance(5_000);
    await app.app.jobs.runDue();
    await waitUntil('the good one has its hint', () => listHints(good.hookId).length === 1);
    await waitUntil('the slow one has as many as a host may have', () => answers.length === 16);
    const listDue = async (hosts: string[], sites: string[] = []) =>
      (
        await dueWebhooks.listDue(
          db,
          new Date(app.clock()).toISOString(),
          { hosts, sites, failing: false },
          500,
        )
      ).filter(({ host }) => host === 'slow.example');
    expect({
      due: (await listDue([])).length,
      dueExceptHost: (await listDue(['slow.example'])).length,
      dueExceptSite: (await listDue([], ['slow.example'])).length,
      dueExceptHostsOfSite: (await listDue([], ['example'])).length,
      dueExceptNamesake: (await listDue([], ['low.example'])).length,
    }).toEqual({
      due: 4,
      dueExceptHost: 0,
      dueExceptSite: 0,
      dueExceptHostsOfSite: 0,
      dueExceptNamesake: 4,
    });
    slow.setBehaviour(accept);
    for (const go of answers) go();
    await waitUntil('the others follow', async () => {
      await app.app.jobs.runDue();
      return new Set(slow.listHints().map(({ body }) => body.hookId)).size === stuck.length;
    });
    await advanceAndRun(0);
  });

  it('[hint.missed] sends a hint for events that nobody was notified of', async () => {
    const { post, hookId } = await setUp();
    await post();
    await advanceAndRun(0);
    await db.run(sql`UPDATE webhooks SET due_at = NULL WHERE id = ${hookId}`);
    await advanceAndRun(0);
    await advanceAndRun(5);
    expect(listHints(hookId)).toHaveLength(1);
  });

  it('[hint.metrics] counts hints in metrics', async () => {
    const getMetrics = async () => (await call(app.url, 'GET', '/metrics', { admin: true })).text;
    const getFigure = async (name: string) =>
      Number(
        new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(await getMetrics())?.[1],
      );
    const sent = await getFigure('stoa_hints_total{outcome="sent"}');
    const retried = await getFigure('stoa_hints_total{outcome="retried"}');
    const { post } = await setUp();
    await post();
    receiver.setBehaviour(onlyForHints(answerWith(500)));
    await advanceAndRun(5);
    expect({
      retried: await getFigure('stoa_hints_total{outcome="retried"}'),
      waiting: await getFigure('stoa_hints_waiting'),
    }).toEqual({ retried: retried + 1, waiting: 1 });
    app.clock.advance(3_000);
    expect(await getFigure('stoa_hints_oldest_waiting_seconds')).toBe(3);
    receiver.setBehaviour(accept);
    await advanceAndRun(60);
    expect({
      sent: await getFigure('stoa_hints_total{outcome="sent"}'),
      waiting: await getFigure('stoa_hints_waiting'),
    }).toEqual({ sent: sent + 1, waiting: 0 });
    expect({
      oldestSeconds: await getFigure('stoa_hints_oldest_waiting_seconds'),
      failed: await getFigure('stoa_hints_total{outcome="failed"}'),
    }).toEqual({ oldestSeconds: 0, failed: 0 });
  });
});
