import { describe, expect, it } from 'vitest';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { createFolder, startService } from '../../support/service.ts';
import {
  accept,
  buildDialSetting,
  buildWebhookSettings,
  ENCRYPTION_KEY,
  exampleWebhook,
  holdRequests,
  onlyForHints,
  SECRET,
  startReceiver,
} from './receiver.ts';

const receiver = await startReceiver();
const path = '/api/v1/me/webhook';

describe('sendHints when the service is killed', () => {
  it('[hint.crash] [hint.restart] [webhook.key-wrong] repeats the same hint', async () => {
    const settings = {
      ...buildWebhookSettings(buildDialSetting(receiver.port)),
      DATA_DIR: createFolder(),
    };
    const service = await startService(settings);
    const f = factories(service);
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const roomId = await f.createRoom(bob);
    await f.joinRoom(ada, roomId);
    const threadId = await f.createThread(ada, roomId);
    await f.ok('PUT', path, { key: ada.key, body: exampleWebhook });
    const { id } = await f.ok('POST', `${path}/verify`, { key: ada.key });

    const gate = holdRequests();
    receiver.setBehaviour(onlyForHints(gate.behaviour));
    await f.postMessage(bob, threadId, 'News');
    await gate.waitForArrival();
    await service.end('SIGKILL');
    receiver.setBehaviour(accept);
    gate.open();

    await expect(
      startService({ ...settings, WEBHOOKS_ENCRYPTION_KEY: 'f00d'.repeat(16) }),
    ).rejects.toThrow(/WEBHOOKS_ENCRYPTION_KEY cannot open/);
    // The time is after the end of its lease.
    const later = await startService({ ...settings, CLOCK_OFFSET_SECONDS: '60' });
    await waitUntil('it is sent again', () => receiver.listHints().length === 2);
    expect(new Set(receiver.listHints().map(({ raw }) => raw)).size).toBe(1);
    expect(receiver.listHints()[0]?.body.hookId).toBe(id);
    const l = factories(later);
    let hook: Json;
    await waitUntil('it is settled', async () => {
      hook = await l.ok('GET', path, { key: ada.key });
      return hook.lastDeliveredAt !== null;
    });
    expect(hook).toMatchObject({ id, state: 'active', attempts: 0, nextAttemptAt: null });
    expect(await later.end('SIGTERM')).toBe(0);
    expect(receiver.listHints()).toHaveLength(2);
    const logs = [...service.listLogs(), ...later.listLogs()].join('\n');
    for (const secret of [SECRET, ENCRYPTION_KEY, ada.key]) expect(logs).not.toContain(secret);
  });
});
