import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently, waitUntil } from '../../support/factories.ts';
import {
  accept,
  buildDialSetting,
  buildWebhookSettings,
  exampleWebhook,
  holdRequests,
  onlyForHints,
  startReceiver,
} from './receiver.ts';
import { webhookHelpers } from './setup.ts';

const receiver = await startReceiver();
const app = await startApp(buildWebhookSettings(buildDialSetting(receiver.port)));
const other = await app.startNode();
const { db } = app.app.env;
const { get: getWebhook, put: putWebhook, setUp, verify: verifyWebhook } = webhookHelpers(app);
const runJobsOfBoth = () =>
  Promise.all([app, other].flatMap((node) => [node.app.jobs.runDue(), node.app.jobs.runDue()]));
const countLeased = async () =>
  (await db.rows(sql`SELECT 1 FROM webhooks WHERE leased_until IS NOT NULL`)).length;

const listHints = (hookId: string) =>
  receiver.listHints().filter(({ body }) => body.hookId === hookId);

/** Holds hints until they are released. */
function holdReceiver() {
  const gate = holdRequests();
  receiver.setBehaviour(onlyForHints(gate.behaviour));
  return () => {
    receiver.setBehaviour(accept);
    gate.open();
  };
}

describe('sendHints on two nodes', () => {
  it('[hint.nodes] sends each hint once, whichever node saw the event', async () => {
    const scenes = await runConcurrently(12, () => setUp());
    for (const [index, { threadId, bob }] of scenes.entries())
      await factories(index % 2 ? app : other).postMessage(bob, threadId, 'News');
    await runJobsOfBoth();
    app.clock.advance(5_000);
    await runJobsOfBoth();
    await waitUntil('all are sent', async () => (await countLeased()) === 0);
    for (const { hookId } of scenes) expect(listHints(hookId)).toHaveLength(1);
  });

  it("[hint.lease] resends another node's hint after its lease, with its id", async () => {
    const { post, hookId, ada } = await setUp();
    const release = holdReceiver();
    await post();
    await runJobsOfBoth();
    app.clock.advance(5_000);
    await runJobsOfBoth();
    await waitUntil('one of them sends', () => listHints(hookId).length === 1);
    await runJobsOfBoth();
    app.clock.advance(29_000);
    await runJobsOfBoth();
    expect(listHints(hookId)).toHaveLength(1);
    // The node has died or hangs.
    app.clock.advance(1_000);
    await runJobsOfBoth();
    await waitUntil('the other one sends', () => listHints(hookId).length === 2);
    release();
    await waitUntil('one of them has settled', async () => (await countLeased()) === 0);
    expect(new Set(listHints(hookId).map(({ raw }) => raw)).size).toBe(1);
    expect(await getWebhook(ada)).toMatchObject({
      attempts: 0,
      state: 'active',
      lastDeliveredAt: new Date(app.clock()).toISOString(),
    });
    app.clock.advance(60_000);
    await runJobsOfBoth();
    expect(listHints(hookId)).toHaveLength(2);
  });

  it('[hint.lease] changes nothing when a node settles too late', async () => {
    const { post, hookId, ada } = await setUp();
    const release = holdReceiver();
    await post();
    await runJobsOfBoth();
    app.clock.advance(5_000);
    await runJobsOfBoth();
    await waitUntil('one of them sends', () => listHints(hookId).length === 1);
    await db.run(sql`
      UPDATE webhooks
      SET generation = generation + 1
      WHERE id = ${hookId}
    `);
    const before = await getWebhook(ada);
    release();
    const next = await setUp();
    await next.post();
    await runJobsOfBoth();
    app.clock.advance(5_000);
    await runJobsOfBoth();
    await waitUntil(
      'a later one is settled',
      async () => (await getWebhook(next.ada)).lastDeliveredAt !== null,
    );
    expect(await getWebhook(ada)).toEqual(before);
    await putWebhook(ada, { ...exampleWebhook, url: `${exampleWebhook.url}/end` });
  });

  it('[hint.lease] ignores a late result after the key has expired', async () => {
    const { post, ada } = await setUp();
    const { apiKey } = await factories(app).createScopedKey(ada, ['forum'], {
      expiresAt: new Date(app.clock() + 20_000).toISOString(),
    });
    const { id } = await putWebhook({ ...ada, key: apiKey });
    await verifyWebhook(ada);
    const release = holdReceiver();
    await post();
    await runJobsOfBoth();
    app.clock.advance(5_000);
    await runJobsOfBoth();
    await waitUntil('one of them sends', () => listHints(id).length === 1);
    app.clock.advance(30_000);
    await runJobsOfBoth();
    const [row] = await db.rows(sql`SELECT * FROM webhooks WHERE id = ${id}`);
    expect(row).toMatchObject({ state: 'failed', last_error: 'credential_unavailable' });
    release();
    const next = await setUp();
    await next.post();
    await runJobsOfBoth();
    app.clock.advance(5_000);
    await runJobsOfBoth();
    await waitUntil(
      'a later one is settled',
      async () => (await getWebhook(next.ada)).lastDeliveredAt !== null,
    );
    expect(await db.rows(sql`SELECT * FROM webhooks WHERE id = ${id}`)).toEqual([row]);
  });

  it('[hint.restart] finishes at shutdown and leaves the rest to the next', async () => {
    const alone = await startApp(buildWebhookSettings(buildDialSetting(receiver.port)));
    const h = webhookHelpers(alone);
    const { post, hookId, ada } = await h.setUp();
    const release = holdReceiver();
    await post();
    await alone.app.jobs.runDue();
    alone.clock.advance(5_000);
    await alone.app.jobs.runDue();
    await waitUntil('it is on its way', () => listHints(hookId).length === 1);
    await post();
    const stopped = alone.app[Symbol.asyncDispose]();
    await waitUntil('nobody is let in any more', () =>
      fetch(alone.url).then(
        () => false,
        () => true,
      ),
    );
    release();
    await stopped;
    const later = await alone.startNode();
    const l = webhookHelpers(later);
    expect(await l.get(ada)).toMatchObject({
      lastDeliveredAt: new Date(alone.clock()).toISOString(),
    });
    await l.advanceAndRun(5);
    await l.advanceAndRun(5);
    expect(listHints(hookId)).toHaveLength(2);
  });
});
