import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';
import {
  accept,
  answerWith,
  type Behaviour,
  buildDialSetting,
  buildWebhookSettings,
  computeHmac,
  onlyForHints,
  startReceiver,
} from './receiver.ts';
import { webhookHelpers } from './setup.ts';

const receiver = await startReceiver();
const app = await startApp(buildWebhookSettings(buildDialSetting(receiver.port)));
const f = factories(app);
const { get: getWebhook, verify: verifyWebhook, setUp, advanceAndRun } = webhookHelpers(app);

const listHints = (hookId: string) =>
  receiver.listHints().filter(({ body }) => body.hookId === hookId);
const delays = [5, 30, 120, 600, 3600, 14_400, 43_200];

const setHintBehaviour = (behaviour: Behaviour) => receiver.setBehaviour(onlyForHints(behaviour));

/** Returns how far ahead the next attempt is, in seconds. */
const secondsUntilNext = async (agent: TestAgent): Promise<number> =>
  (Date.parse((await getWebhook(agent)).nextAttemptAt) - app.clock()) / 1000;

describe('sendHints after a refusal', () => {
  it(
    '[hint.retry-schedule] [hint.same-id] [hint.eight-failures] ' +
      'tries eight times with one id and body, signed anew and ever later',
    async () => {
      const { ada, post, hookId } = await setUp();
      setHintBehaviour(answerWith(500));
      await post();
      await advanceAndRun(5);
      for (const [index, delay] of delays.entries()) {
        expect(listHints(hookId)).toHaveLength(index + 1);
        expect(await getWebhook(ada)).toMatchObject({
          state: 'active',
          attempts: index + 1,
          lastError: null,
          lastDeliveredAt: null,
        });
        const wait = await secondsUntilNext(ada);
        expect(
          { notEarly: wait >= delay * 0.8, notLate: wait <= delay * 1.2 },
          `${wait} s after ${index + 1} attempts`,
        ).toEqual({ notEarly: true, notLate: true });
        await advanceAndRun(wait - 0.001);
        expect(listHints(hookId)).toHaveLength(index + 1);
        await advanceAndRun(0.001);
      }
      const hints = listHints(hookId);
      expect(hints).toHaveLength(8);
      expect(new Set(hints.map(({ raw }) => raw)).size).toBe(1);
      const timestamps = hints.map(({ headers }) => Number(headers['x-service-timestamp']));
      expect(new Set(timestamps).size).toBe(8);
      for (const { headers, raw } of hints)
        expect(headers['x-service-signature']).toBe(
          `v1=${computeHmac(`${headers['x-service-timestamp']}.${raw}`)}`,
        );
      expect(await getWebhook(ada)).toMatchObject({
        state: 'failed',
        lastError: 'delivery_failed',
        attempts: 8,
        nextAttemptAt: null,
      });
      await advanceAndRun(100_000);
      expect(listHints(hookId)).toHaveLength(8);
    },
  );

  it('[hint.resumed] pauses after eight attempts and resumes once verified', async () => {
    const { ada, post, hookId } = await setUp();
    setHintBehaviour(answerWith(500));
    await post();
    await advanceAndRun(5);
    for (let count = 0; count < 7; count++) await advanceAndRun(60_000);
    expect(await getWebhook(ada)).toMatchObject({ state: 'failed', lastError: 'delivery_failed' });
    const [{ raw }] = listHints(hookId) as [Json];
    await post();
    await advanceAndRun(100_000);
    expect(listHints(hookId)).toHaveLength(8);

    setHintBehaviour(accept);
    expect(await verifyWebhook(ada)).toMatchObject({
      id: hookId,
      state: 'active',
      lastError: null,
      attempts: 0,
      nextAttemptAt: new Date(app.clock()).toISOString(),
    });
    await advanceAndRun(0);
    expect(listHints(hookId).map((hint) => hint.raw)).toEqual(Array(9).fill(raw));
    expect(await getWebhook(ada)).toMatchObject({
      lastDeliveredAt: new Date(app.clock()).toISOString(),
    });
    await advanceAndRun(5);
    expect(listHints(hookId)).toHaveLength(10);
    expect(listHints(hookId).at(-1)?.raw).not.toBe(raw);
    await advanceAndRun(100_000);
    expect(listHints(hookId)).toHaveLength(10);
  });

  it('[hint.resumed] stays failed while the receiver is not verified', async () => {
    const { ada, post } = await setUp();
    setHintBehaviour(answerWith(500));
    await post();
    await advanceAndRun(5);
    for (let count = 0; count < 7; count++) await advanceAndRun(60_000);
    receiver.setBehaviour(answerWith(200));
    expect(await f.sendForOutcome('POST', '/api/v1/me/webhook/verify', { key: ada.key })).toBe(
      '422 webhook_verification_failed',
    );
    receiver.setBehaviour(accept);
    expect(await getWebhook(ada)).toMatchObject({ state: 'failed', lastError: 'delivery_failed' });
  });

  it('[hint.retry-schedule] starts at attempt one after an accepted hint', async () => {
    const { ada, post, hookId } = await setUp();
    setHintBehaviour(answerWith(404));
    await post();
    await advanceAndRun(5);
    await advanceAndRun(60);
    expect(await getWebhook(ada)).toMatchObject({ attempts: 2 });
    setHintBehaviour(accept);
    await advanceAndRun(60);
    expect(await getWebhook(ada)).toMatchObject({ attempts: 0, state: 'active' });
    setHintBehaviour(answerWith(429));
    await post();
    await advanceAndRun(5);
    expect(await getWebhook(ada)).toMatchObject({ attempts: 1 });
    expect(await secondsUntilNext(ada)).toBeLessThanOrEqual(6);
    setHintBehaviour(accept);
    await advanceAndRun(60);
    expect(new Set(listHints(hookId).map(({ body }) => body.deliveryId)).size).toBe(2);
  });

  it('[hint.retry-schedule] adds jitter, so that failed hints do not return together', async () => {
    const waits = new Set<number>();
    const scenes = await Promise.all(Array.from({ length: 6 }, () => setUp()));
    setHintBehaviour(answerWith(500));
    for (const { post } of scenes) await post();
    await advanceAndRun(5);
    for (const { ada } of scenes) waits.add(await secondsUntilNext(ada));
    expect(waits.size).toBeGreaterThan(1);
    setHintBehaviour(accept);
    await advanceAndRun(60);
  });

  it.each<[string, Behaviour]>([
    ['a redirect', answerWith(301, { location: 'https://hooks.example/elsewhere' })],
    ['a 304', answerWith(304)],
    ['a 400', answerWith(400)],
    ['a broken connection', (_, response) => response.socket?.destroy()],
    ['no answer within five seconds', () => {}],
  ])('[hint.accepted] counts an answer %s as accepted', async (_, behaviour) => {
    const { ada, post, hookId } = await setUp();
    setHintBehaviour(behaviour);
    await post();
    await advanceAndRun(5);
    setHintBehaviour(accept);
    expect({
      length: listHints(hookId).length,
      attempts: (await getWebhook(ada)).attempts,
    }).toEqual({ length: 1, attempts: 1 });
    await advanceAndRun(60);
    expect(await getWebhook(ada)).toMatchObject({
      attempts: 0,
      lastDeliveredAt: expect.any(String),
    });
  });

  it.each([200, 201, 202, 204, 299])(
    '[hint.accepted] counts an answer %i as refused',
    async (status) => {
      const { ada, post } = await setUp();
      setHintBehaviour(answerWith(status));
      await post();
      await advanceAndRun(5);
      setHintBehaviour(accept);
      expect(await getWebhook(ada)).toMatchObject({
        attempts: 0,
        lastDeliveredAt: new Date(app.clock()).toISOString(),
      });
    },
  );
});
