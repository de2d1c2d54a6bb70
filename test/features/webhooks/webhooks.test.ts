import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together, until } from '../../support/factories.ts';
import { dialTo, ENCRYPTION_KEY, HOOK, hookSettings, SECRET, startReceiver } from './receiver.ts';
import { everythingStored, holding } from '../../support/stored-rows.ts';

const receiver = await startReceiver();
const app = await startApp(hookSettings(dialTo(receiver.port)));
const { db } = app.app.env;
const f = factories(app);
const path = '/api/v1/me/webhook';
const OTHER = { url: 'https://hooks.example/other', secret: 'ab'.repeat(32) };

const get = (agent: TestAgent, key = agent.key): Promise<Loose> => f.ok('GET', path, { key });
const put = (agent: TestAgent, body: object = HOOK, key = agent.key): Promise<Loose> =>
  f.ok('PUT', path, { key, body });
const verify = (agent: TestAgent): Promise<Loose> =>
  f.ok('POST', `${path}/verify`, { key: agent.key });

/** A verified hook. */
async function active(agent: TestAgent, body: object = HOOK): Promise<Loose> {
  await put(agent, body);
  return verify(agent);
}

const rowOf = async (agent: TestAgent): Promise<Loose> =>
  (await db.rows(sql`SELECT * FROM webhooks WHERE agent_id = ${agent.id}`))[0];

describe('configuring a webhook', () => {
  it('[webhook.none] is null before', async () => {
    const answer = await f.send('GET', path, { key: (await f.agent()).key });
    expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([
      200,
      'null',
      'private, no-store',
    ]);
  });

  it('[webhook.put-pending] [webhook.record] makes one that is pending, sends nothing, and never shows the secret', async () => {
    const ada = await f.agent();
    const sent = receiver.received.length;
    const made = await put(ada);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: HOOK.url,
      state: 'pending',
      attempts: 0,
      lastDeliveredAt: null,
      lastError: null,
      createdAt: new Date(app.clock()).toISOString(),
      verifiedAt: null,
      nextAttemptAt: null,
    });
    expect(await get(ada)).toEqual(made);
    await app.app.jobs.runDue();
    expect(receiver.received.length).toBe(sent);
  });

  it('[webhook.put-same] changes nothing when url, secret and key are the same, in any state, also when two do so at once', async () => {
    const ada = await f.agent();
    const first = await together(8, () => put(ada));
    expect(new Set(first.map(({ id }) => id)).size).toBe(1);
    app.clock.advance(1000);
    expect(await put(ada)).toEqual(first[0]);
    const proved = await verify(ada);
    expect(await put(ada)).toEqual(proved);
    await db.run(
      sql`UPDATE webhooks SET state = 'failed', last_error = 'delivery_failed' WHERE agent_id = ${ada.id}`,
    );
    expect(await put(ada)).toEqual({ ...proved, state: 'failed', lastError: 'delivery_failed' });
  });

  it('[webhook.put-changed] makes a fresh one, to be verified anew, when url, secret or key is another', async () => {
    const ada = await f.agent();
    const second = { ...ada, key: (await f.scopedKey(ada, ['forum'])).apiKey as string };
    const ids = new Set([(await active(ada)).id]);
    for (const [as, body] of [
      [ada, { ...HOOK, url: `${HOOK.url}/` }],
      [ada, { ...OTHER, url: `${HOOK.url}/` }],
      [second, { ...OTHER, url: `${HOOK.url}/` }],
    ] as const) {
      await db.run(
        sql`UPDATE webhooks SET state = 'active', verified_at = now() WHERE agent_id = ${ada.id}`,
      );
      const made = await put(as, body);
      expect(made).toMatchObject({ url: body.url, state: 'pending', verifiedAt: null });
      ids.add(made.id);
    }
    expect(ids.size).toBe(4);
    expect(await db.rows(sql`SELECT 1 FROM webhooks WHERE agent_id = ${ada.id}`)).toHaveLength(1);
  });

  it.each([
    ['http://hooks.example/', 'https'],
    ['https://127.0.0.1/', 'name'],
    ['https://hooks.example:8443/', '443'],
    ['https://user:pass@hooks.example/', 'user information'],
    ['https://hooks.example/?a=b', 'query'],
    ['https://hooks.local/', 'local'],
    [`https://hooks.example/${SECRET}`, 'secret'],
  ])(
    '[webhook.url-rules] is refused with the address %s and the broken rule, and leaves what was there',
    async (url, rule) => {
      const ada = await f.agent();
      const before = await put(ada);
      const answer = await f.send('PUT', path, { key: ada.key, body: { url, secret: SECRET } });
      expect(answer).toMatchObject(
        refused(422, 'invalid_webhook_url', { detail: expect.stringContaining(rule) }),
      );
      expect(await get(ada)).toEqual(before);
    },
  );

  it('[webhook.secret-rule] is refused with a secret that is none, and never says which it was', async () => {
    const ada = await f.agent();
    for (const secret of ['', 'short', SECRET.toUpperCase(), `${SECRET}00`]) {
      const answer = await f.send('PUT', path, { key: ada.key, body: { ...HOOK, secret } });
      expect(answer).toMatchObject(refused(422, 'invalid_webhook_secret'));
      if (secret) expect(answer.text).not.toContain(secret);
    }
    for (const body of [
      {},
      { url: HOOK.url },
      { secret: SECRET },
      { ...HOOK, url: null },
      { ...HOOK, secret: 7 },
      { ...HOOK, more: 1 },
    ])
      expect(await f.send('PUT', path, { key: ada.key, body })).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(await get(ada)).toBeNull();
  });

  it('[webhook.secret-at-rest] keeps the secret encrypted, each time differently, and bound to its agent', async () => {
    const [ada, bob] = [await f.agent(), await f.agent()];
    const secret = 'd00d'.repeat(16);
    for (const agent of [ada, bob]) await put(agent, { url: HOOK.url, secret });
    const [first, second] = [await rowOf(ada), await rowOf(bob)];
    expect(first.sealed_secret.equals(second.sealed_secret)).toBe(false);
    const stored = await everythingStored(db);
    for (const text of [secret, ENCRYPTION_KEY]) {
      expect(holding(stored, text)).toEqual([]);
      expect(stored.filter((row) => row.includes(Buffer.from(text).toString('base64')))).toEqual(
        [],
      );
      expect(app.logs.filter((line) => line.includes(text))).toEqual([]);
    }
    const { vault } = app.app.env;
    expect(vault.open(first.sealed_secret, ada.id).toString('hex')).toBe(secret);
    expect(() => vault.open(first.sealed_secret, bob.id)).toThrow();
    await db.run(
      sql`UPDATE webhooks SET sealed_secret = ${first.sealed_secret} WHERE agent_id = ${bob.id}`,
    );
    expect(await f.send('POST', `${path}/verify`, { key: bob.key })).toMatchObject(
      refused(500, 'internal_error'),
    );
    await f.ok('DELETE', path, { key: bob.key });
  });

  it('[webhook.delete] is undone by deleting it, which is harmless when there is none', async () => {
    const ada = await f.agent();
    const { id } = await active(ada);
    expect(await f.ok('DELETE', path, { key: ada.key })).toEqual({ id });
    expect(await get(ada)).toBeNull();
    expect(await rowOf(ada)).toBeUndefined();
    expect(await f.ok('DELETE', path, { key: ada.key })).toEqual({ id: ada.id });
    expect((await put(ada)).id).not.toBe(id);
  });

  it('[webhook.own] is each agent’s own', async () => {
    const [ada, bob] = [await f.agent(), await f.agent()];
    const [first, second] = [await put(ada), await put(bob, OTHER)];
    await f.ok('DELETE', path, { key: bob.key });
    expect([await get(ada), await get(bob)]).toEqual([first, null]);
    expect(second.id).not.toBe(first.id);
  });
});

describe('a webhook whose credential is gone', () => {
  const ways: Record<string, (ada: TestAgent) => Promise<TestAgent>> = {
    revoked: async (ada) => {
      const spare = (await f.scopedKey(ada, ['forum'])).apiKey as string;
      await f.ok('DELETE', '/api/v1/me/keys/current', { key: ada.key });
      return { ...ada, key: spare };
    },
    rotated: async (ada) => ({
      ...ada,
      key: (await f.ok('POST', '/api/v1/me/keys/rotate', { key: ada.key })).apiKey,
    }),
    blocked: async (ada) => {
      for (const blocked of [true, false])
        await f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
          admin: true,
          body: { blocked },
        });
      return ada;
    },
  };

  it.each(
    Object.keys(ways).flatMap((way) =>
      ['pending', 'active', 'failed'].map((state) => [way, state] as const),
    ),
  )(
    '[webhook.credential-lost] [webhook.verify-lost] is failed at once when it was %s, though it was %s, until it is configured with a current one',
    async (way, state) => {
      const ada = await f.agent();
      const made = state === 'pending' ? await put(ada) : await active(ada);
      if (state === 'failed')
        await db.run(
          sql`UPDATE webhooks SET state = 'failed', last_error = 'delivery_failed' WHERE agent_id = ${ada.id}`,
        );
      const now = (await ways[way]?.(ada)) as TestAgent;
      const lost = {
        ...made,
        state: 'failed',
        lastError: 'credential_unavailable',
        nextAttemptAt: null,
      };
      expect(await get(now)).toEqual(lost);
      const sent = receiver.received.length;
      expect(await f.send('POST', `${path}/verify`, { key: now.key })).toMatchObject(
        refused(409, 'credential_unavailable'),
      );
      expect(receiver.received.length).toBe(sent);
      const again = await put(now);
      expect(again).toMatchObject({ state: 'pending', lastError: null });
      expect(again.id).not.toBe(made.id);
      expect(await verify(now)).toMatchObject({ id: again.id, state: 'active' });
    },
  );

  it('[webhook.credential-lost] is failed the moment its key expires, before anything has looked at it', async () => {
    const ada = await f.agent();
    const { apiKey } = await f.scopedKey(ada, ['forum'], {
      expiresAt: new Date(app.clock() + 60_000).toISOString(),
    });
    await active({ ...ada, key: apiKey });
    app.clock.advance(59_999);
    expect(await get(ada)).toMatchObject({ state: 'active' });
    app.clock.advance(1);
    expect(await get(ada)).toMatchObject({ state: 'failed', lastError: 'credential_unavailable' });
    expect(await f.outcome('POST', `${path}/verify`, { key: ada.key })).toBe(
      '409 credential_unavailable',
    );
    expect(await put(ada)).toMatchObject({ state: 'pending' });
  });

  it('[webhook.credential-lost] is another agent’s business only when it is its own key', async () => {
    const ada = await f.agent();
    const second = (await f.scopedKey(ada, ['forum'])).id;
    const made = await active(ada);
    await f.ok('DELETE', `/api/v1/me/keys/${second}`, { key: ada.key });
    expect(await get(ada)).toEqual(made);
  });

  it('[webhook.credential-lost] is not made with a key that is revoked while it is', async () => {
    const ada = await f.agent();
    const waits = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const configuring = await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE api_keys SET revoked_at = now() WHERE agent_id = ${ada.id}`);
      const answer = f.send('PUT', path, { key: ada.key, body: HOOK });
      await until('it waits for the key', async () => (await db.rows(waits)).length > 0);
      return { answer };
    });
    expect(await configuring.answer).toMatchObject(refused(401, 'invalid_credential'));
    expect(await rowOf(ada)).toBeUndefined();
  });

  it('[webhook.credential-lost] is never left working by a configuration that races with the revocation', async () => {
    for (let round = 0; round < 5; round++) {
      const ada = await f.agent();
      const spare = (await f.scopedKey(ada, ['forum'])).apiKey as string;
      await Promise.all([
        f.send('PUT', path, { key: ada.key, body: HOOK }),
        f.send('DELETE', '/api/v1/me/keys/current', { key: ada.key }),
      ]);
      const left = await get(ada, spare);
      if (left !== null)
        expect(left).toMatchObject({ state: 'failed', lastError: 'credential_unavailable' });
    }
  });
});

describe('with webhooks switched off', () => {
  it('[webhook.switched-off] only PUT and verify are refused', async () => {
    const off = await app.another({ WEBHOOKS_ENABLED: 'off', WEBHOOKS_ENCRYPTION_KEY: '' });
    const o = factories(off);
    const ada = await f.agent();
    const made = await put(ada);
    const disabled = refused(403, 'capability_disabled', { capability: 'webhooks' });
    expect(await o.send('PUT', path, { key: ada.key, body: HOOK })).toMatchObject(disabled);
    expect(await o.send('POST', `${path}/verify`, { key: ada.key })).toMatchObject(disabled);
    expect(await o.ok('GET', path, { key: ada.key })).toEqual(made);
    expect(await o.ok('DELETE', path, { key: ada.key })).toEqual({ id: made.id });
    expect(await o.ok('GET', path, { key: ada.key })).toBeNull();
    expect((await o.ok('GET', '/api/v1/capabilities')).webhooks).toEqual({
      enabled: false,
      protocol: 'service-webhook/1',
    });
    expect((await f.ok('GET', '/api/v1/capabilities')).webhooks).toEqual({
      enabled: true,
      protocol: 'service-webhook/1',
    });
  });

  it('[webhook.key-wrong] the start is refused with a key that does not open what is stored, and not without anything stored', async () => {
    const ada = await f.agent();
    await put(ada);
    const wrong = { WEBHOOKS_ENCRYPTION_KEY: 'f00d'.repeat(16) };
    await expect(app.another(wrong)).rejects.toThrow(
      /^WEBHOOKS_ENCRYPTION_KEY cannot open the secrets of \d+ stored webhooks?: set the key .*\.$/,
    );
    const empty = await startApp(hookSettings(dialTo(receiver.port)));
    await empty.another(wrong);
    const bob = await factories(empty).agent();
    const stored = empty.app.env.db;
    await stored.run(
      sql`INSERT INTO agents (id, handle, created_at, last_active_on) SELECT gen_random_uuid(), 'many-' || n, now(), now() FROM generate_series(1, 1001) n`,
    );
    await stored.run(sql`INSERT INTO webhooks (agent_id, id, url, host, sealed_secret, key_id, state, cursor, created_at)
      SELECT a.id, a.id, ${HOOK.url}, 'hooks.example', decode(repeat('00', 60), 'hex'), k.id, 'pending', 0, now()
      FROM agents a JOIN api_keys k ON k.agent_id = ${bob.id} WHERE a.handle LIKE 'many-%'`);
    await expect(empty.another()).rejects.toThrow(
      /cannot open the secrets of 1001 stored webhooks/,
    );
  });
});
