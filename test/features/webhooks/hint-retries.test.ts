import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent } from '../../support/factories.ts';
import { hooked } from './setup.ts';
import {
  accept,
  answer,
  type Behaviour,
  dialTo,
  forHints,
  hmac,
  hookSettings,
  startReceiver,
} from './receiver.ts';

const receiver = await startReceiver();
const app = await startApp(hookSettings(dialTo(receiver.port)));
const { db } = app.app.env;
const f = factories(app);
const { get, verify, scene, pass } = hooked(app);

const hintsFor = (hookId: string) => receiver.hints().filter(({ body }) => body.hookId === hookId);
const DELAYS = [5, 30, 120, 600, 3600, 14_400, 43_200];

const treat = (behaviour: Behaviour) => receiver.behave(forHints(behaviour));

/** How far ahead the next attempt is, in seconds. */
const ahead = async (agent: TestAgent): Promise<number> =>
  (Date.parse((await get(agent)).nextAttemptAt) - app.clock()) / 1000;

describe('a hint that is not accepted', () => {
  it('[hint.retry-schedule] [hint.same-id] [hint.eight-failures] is tried eight times, with one id and body, signed anew, later and later', async () => {
    const { ada, post, hookId } = await scene();
    treat(answer(500));
    await post();
    await pass(5);
    for (const [index, delay] of DELAYS.entries()) {
      expect(hintsFor(hookId)).toHaveLength(index + 1);
      expect(await get(ada)).toMatchObject({
        state: 'active',
        attempts: index + 1,
        lastError: null,
        lastDeliveredAt: null,
      });
      const wait = await ahead(ada);
      expect(
        [wait >= delay * 0.8, wait <= delay * 1.2],
        `${wait} s after ${index + 1} attempts`,
      ).toEqual([true, true]);
      await pass(wait - 0.001);
      expect(hintsFor(hookId)).toHaveLength(index + 1);
      await pass(0.001);
    }
    const hints = hintsFor(hookId);
    expect(hints).toHaveLength(8);
    expect(new Set(hints.map(({ raw }) => raw)).size).toBe(1);
    const timestamps = hints.map(({ headers }) => Number(headers['x-service-timestamp']));
    expect(new Set(timestamps).size).toBe(8);
    for (const { headers, raw } of hints)
      expect(headers['x-service-signature']).toBe(
        `v1=${hmac(`${headers['x-service-timestamp']}.${raw}`)}`,
      );
    expect(await get(ada)).toMatchObject({
      state: 'failed',
      lastError: 'delivery_failed',
      attempts: 8,
      nextAttemptAt: null,
    });
    await pass(100_000);
    expect(hintsFor(hookId)).toHaveLength(8);
  });

  it('[hint.resumed] after eight attempts waits, events after it too, and goes on as the same once its receiver is verified', async () => {
    const { ada, post, hookId } = await scene();
    treat(answer(500));
    await post();
    await pass(5);
    for (let count = 0; count < 7; count++) await pass(60_000);
    expect(await get(ada)).toMatchObject({ state: 'failed', lastError: 'delivery_failed' });
    const [{ raw }] = hintsFor(hookId) as [Loose];
    await post();
    await pass(100_000);
    expect(hintsFor(hookId)).toHaveLength(8);

    treat(accept);
    expect(await verify(ada)).toMatchObject({
      id: hookId,
      state: 'active',
      lastError: null,
      attempts: 0,
      nextAttemptAt: new Date(app.clock()).toISOString(),
    });
    await pass(0);
    expect(hintsFor(hookId).map((hint) => hint.raw)).toEqual(Array(9).fill(raw));
    expect(await get(ada)).toMatchObject({ lastDeliveredAt: new Date(app.clock()).toISOString() });
    await pass(5);
    expect(hintsFor(hookId)).toHaveLength(10);
    expect(hintsFor(hookId).at(-1)?.raw).not.toBe(raw);
    await pass(100_000);
    expect(hintsFor(hookId)).toHaveLength(10);
  });

  it('[hint.resumed] stays failed when its receiver is not verified', async () => {
    const { ada, post } = await scene();
    await post();
    await db.run(
      sql`UPDATE webhooks SET state = 'failed', last_error = 'delivery_failed', due_at = NULL WHERE agent_id = ${ada.id}`,
    );
    receiver.behave(answer(200));
    expect(await f.outcome('POST', '/api/v1/me/webhook/verify', { key: ada.key })).toBe(
      '422 webhook_verification_failed',
    );
    receiver.behave(accept);
    expect(await get(ada)).toMatchObject({ state: 'failed', lastError: 'delivery_failed' });
  });

  it('[hint.retry-schedule] that is accepted after some attempts begins at one with the next', async () => {
    const { ada, post, hookId } = await scene();
    treat(answer(404));
    await post();
    await pass(5);
    await pass(60);
    expect(await get(ada)).toMatchObject({ attempts: 2 });
    treat(accept);
    await pass(60);
    expect(await get(ada)).toMatchObject({ attempts: 0, state: 'active' });
    treat(answer(429));
    await post();
    await pass(5);
    expect(await get(ada)).toMatchObject({ attempts: 1 });
    expect(await ahead(ada)).toBeLessThanOrEqual(6);
    treat(accept);
    await pass(60);
    expect(new Set(hintsFor(hookId).map(({ body }) => body.deliveryId)).size).toBe(2);
  });

  it('[hint.retry-schedule] is moved by chance, so that those who failed together do not come back together', async () => {
    const waits = new Set<number>();
    const scenes = await Promise.all(Array.from({ length: 6 }, () => scene()));
    treat(answer(500));
    for (const { post } of scenes) await post();
    await pass(5);
    for (const { ada } of scenes) waits.add(await ahead(ada));
    expect(waits.size).toBeGreaterThan(1);
    treat(accept);
    await pass(60);
  });

  it.each<[string, Behaviour]>([
    ['a redirect', answer(301, { location: 'https://hooks.example/elsewhere' })],
    ['a 304', answer(304)],
    ['a 400', answer(400)],
    ['a broken connection', (_, response) => response.socket?.destroy()],
    ['no answer within five seconds', () => {}],
  ])('[hint.accepted] is one that was answered with %s', async (_, behaviour) => {
    const { ada, post, hookId } = await scene();
    treat(behaviour);
    await post();
    await pass(5);
    treat(accept);
    expect([hintsFor(hookId).length, (await get(ada)).attempts]).toEqual([1, 1]);
    await pass(60);
    expect(await get(ada)).toMatchObject({ attempts: 0, lastDeliveredAt: expect.any(String) });
  });

  it.each([200, 201, 202, 204, 299])(
    '[hint.accepted] is none that was answered with %i',
    async (status) => {
      const { ada, post } = await scene();
      treat(answer(status));
      await post();
      await pass(5);
      treat(accept);
      expect(await get(ada)).toMatchObject({
        attempts: 0,
        lastDeliveredAt: new Date(app.clock()).toISOString(),
      });
    },
  );
});
