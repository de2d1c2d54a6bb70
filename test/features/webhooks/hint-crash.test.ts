import { describe, expect, it } from 'vitest';
import { factories, type Loose, until } from '../../support/factories.ts';
import {
  accept,
  dialTo,
  ENCRYPTION_KEY,
  forHints,
  HOOK,
  held,
  hookSettings,
  SECRET,
  startReceiver,
} from './receiver.ts';
import { folder, serve } from '../../support/service.ts';

const receiver = await startReceiver();
const path = '/api/v1/me/webhook';

describe('a service that is killed while it sends a hint', () => {
  it('[hint.crash] [hint.restart] [webhook.key-wrong] sends it again, with the same id and body, and starts with no other key', async () => {
    const settings = { ...hookSettings(dialTo(receiver.port)), DATA_DIR: folder() };
    const service = await serve(settings);
    const f = factories(service);
    const [ada, bob] = [await f.agent(), await f.agent()];
    const roomId = await f.room(bob);
    await f.join(ada, roomId);
    const threadId = await f.thread(ada, roomId);
    await f.ok('PUT', path, { key: ada.key, body: HOOK });
    const { id } = await f.ok('POST', `${path}/verify`, { key: ada.key });

    const gate = held();
    receiver.behave(forHints(gate.behaviour));
    await f.post(bob, threadId, 'News');
    await gate.arrived();
    await service.end('SIGKILL');
    receiver.behave(accept);
    gate.open();

    await expect(
      serve({ ...settings, WEBHOOKS_ENCRYPTION_KEY: 'f00d'.repeat(16) }),
    ).rejects.toThrow(/WEBHOOKS_ENCRYPTION_KEY cannot open/);
    // Later than its lease.
    const later = await serve({ ...settings, CLOCK_OFFSET_SECONDS: '60' });
    await until('it is sent again', () => receiver.hints().length === 2);
    expect(new Set(receiver.hints().map(({ raw }) => raw)).size).toBe(1);
    expect(receiver.hints()[0]?.body.hookId).toBe(id);
    const l = factories(later);
    let hook: Loose;
    await until('it is settled', async () => {
      hook = await l.ok('GET', path, { key: ada.key });
      return hook.lastDeliveredAt !== null;
    });
    expect(hook).toMatchObject({ id, state: 'active', attempts: 0, nextAttemptAt: null });
    expect(await later.end('SIGTERM')).toBe(0);
    expect(receiver.hints()).toHaveLength(2);
    const logs = [...service.logs(), ...later.logs()].join('\n');
    for (const secret of [SECRET, ENCRYPTION_KEY, ada.key]) expect(logs).not.toContain(secret);
  });
});
