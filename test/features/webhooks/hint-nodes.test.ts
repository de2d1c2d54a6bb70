import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, together, until } from '../../support/factories.ts';
import { hooked } from './setup.ts';
import { accept, dialTo, forHints, HOOK, held, hookSettings, startReceiver } from './receiver.ts';

const receiver = await startReceiver();
const app = await startApp(hookSettings(dialTo(receiver.port)));
const other = await app.another();
const { db } = app.app.env;
const { get, put, scene, verify } = hooked(app);
const both = () =>
  Promise.all([app, other].flatMap((node) => [node.app.jobs.runDue(), node.app.jobs.runDue()]));
const leased = async () =>
  (await db.rows(sql`SELECT 1 FROM webhooks WHERE leased_until IS NOT NULL`)).length;

const hintsFor = (hookId: string) => receiver.hints().filter(({ body }) => body.hookId === hookId);

/** Holds hints until they are let go. */
function hold() {
  const gate = held();
  receiver.behave(forHints(gate.behaviour));
  return () => {
    receiver.behave(accept);
    gate.open();
  };
}

describe('two nodes', () => {
  it('[hint.nodes] send each hint once, whichever of them was told of the event', async () => {
    const scenes = await together(12, () => scene());
    for (const [index, { threadId, bob }] of scenes.entries())
      await factories(index % 2 ? app : other).post(bob, threadId, 'News');
    await both();
    app.clock.advance(5_000);
    await both();
    await until('all are sent', async () => (await leased()) === 0);
    for (const { hookId } of scenes) expect(hintsFor(hookId)).toHaveLength(1);
  });

  it('[hint.lease] do not send what the other one is sending, until its lease has run out; then with the same id', async () => {
    const { post, hookId, ada } = await scene();
    const release = hold();
    await post();
    await both();
    app.clock.advance(5_000);
    await both();
    await until('one of them sends', () => hintsFor(hookId).length === 1);
    await both();
    app.clock.advance(29_000);
    await both();
    expect(hintsFor(hookId)).toHaveLength(1);
    // As if that node had died, or stood still.
    app.clock.advance(1_000);
    await both();
    await until('the other one sends', () => hintsFor(hookId).length === 2);
    release();
    await until('one of them has settled', async () => (await leased()) === 0);
    expect(new Set(hintsFor(hookId).map(({ raw }) => raw)).size).toBe(1);
    expect(await get(ada)).toMatchObject({
      attempts: 0,
      state: 'active',
      lastDeliveredAt: new Date(app.clock()).toISOString(),
    });
    app.clock.advance(60_000);
    await both();
    expect(hintsFor(hookId)).toHaveLength(2);
  });

  it('[hint.lease] a node that settles too late changes nothing', async () => {
    const { post, hookId, ada } = await scene();
    const release = hold();
    await post();
    await both();
    app.clock.advance(5_000);
    await both();
    await until('one of them sends', () => hintsFor(hookId).length === 1);
    await db.run(sql`UPDATE webhooks SET generation = generation + 1 WHERE id = ${hookId}`);
    const before = await get(ada);
    release();
    const next = await scene();
    await next.post();
    await both();
    app.clock.advance(5_000);
    await both();
    await until(
      'a later one is settled',
      async () => (await get(next.ada)).lastDeliveredAt !== null,
    );
    expect(await get(ada)).toEqual(before);
    await put(ada, { ...HOOK, url: `${HOOK.url}/end` });
  });

  it('[hint.lease] a node that settles after the key has expired, and the other one has seen it, changes nothing', async () => {
    const { post, ada } = await scene();
    const { apiKey } = await factories(app).scopedKey(ada, ['forum'], {
      expiresAt: new Date(app.clock() + 20_000).toISOString(),
    });
    const { id } = await put({ ...ada, key: apiKey });
    await verify(ada);
    const release = hold();
    await post();
    await both();
    app.clock.advance(5_000);
    await both();
    await until('one of them sends', () => hintsFor(id).length === 1);
    app.clock.advance(30_000);
    await both();
    const [row] = await db.rows(sql`SELECT * FROM webhooks WHERE id = ${id}`);
    expect(row).toMatchObject({ state: 'failed', last_error: 'credential_unavailable' });
    release();
    const next = await scene();
    await next.post();
    await both();
    app.clock.advance(5_000);
    await both();
    await until(
      'a later one is settled',
      async () => (await get(next.ada)).lastDeliveredAt !== null,
    );
    expect(await db.rows(sql`SELECT * FROM webhooks WHERE id = ${id}`)).toEqual([row]);
  });

  it('[hint.restart] a service that is stopped finishes what is on its way, and what is owed is kept for the next one', async () => {
    const alone = await startApp(hookSettings(dialTo(receiver.port)));
    const h = hooked(alone);
    const { post, hookId, ada } = await h.scene();
    const release = hold();
    await post();
    await alone.app.jobs.runDue();
    alone.clock.advance(5_000);
    await alone.app.jobs.runDue();
    await until('it is on its way', () => hintsFor(hookId).length === 1);
    await post();
    const stopped = alone.app[Symbol.asyncDispose]();
    await until('nobody is let in any more', () =>
      fetch(alone.url).then(
        () => false,
        () => true,
      ),
    );
    release();
    await stopped;
    const later = await alone.another();
    const l = hooked(later);
    expect(await l.get(ada)).toMatchObject({
      lastDeliveredAt: new Date(alone.clock()).toISOString(),
    });
    await l.pass(5);
    await l.pass(5);
    expect(hintsFor(hookId)).toHaveLength(2);
  });
});
