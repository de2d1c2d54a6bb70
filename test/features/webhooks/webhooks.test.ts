import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';
import {
  accept,
  answerWith,
  type Behaviour,
  buildDialSetting,
  buildWebhookSettings,
  computeHmac,
  ENCRYPTION_KEY,
  exampleWebhook,
  OTHER_SECRET,
  onlyForHints,
  SECRET,
  startReceiver,
} from './receiver.ts';
import { webhookHelpers } from './setup.ts';

const receiver = await startReceiver();
const app = await startApp(buildWebhookSettings(buildDialSetting(receiver.port)));
const { db } = app.app.env;
const f = factories(app);
const { advanceAndRun } = webhookHelpers(app);
const path = '/api/v1/me/webhook';
const otherWebhook = { url: 'https://hooks.example/other', secret: OTHER_SECRET };

const getWebhook = (agent: TestAgent, key = agent.key): Promise<Json> => f.ok('GET', path, { key });
const putWebhook = (
  agent: TestAgent,
  body: object = exampleWebhook,
  key = agent.key,
): Promise<Json> => f.ok('PUT', path, { key, body });
const verifyWebhook = (agent: TestAgent): Promise<Json> =>
  f.ok('POST', `${path}/verify`, { key: agent.key });

/** Creates a verified webhook. */
async function activateWebhook(agent: TestAgent, body: object = exampleWebhook): Promise<Json> {
  await putWebhook(agent, body);
  return verifyWebhook(agent);
}

/** Posts an event for an agent and refuses its hint until the webhook has failed. */
async function failDelivery(agent: TestAgent): Promise<void> {
  const author = await f.createAgent();
  const room = await f.createRoom(author);
  await f.joinRoom(agent, room);
  const thread = await f.createThread(agent, room);
  receiver.setBehaviour(onlyForHints(answerWith(500)));
  await f.postMessage(author, thread, 'News');
  await advanceAndRun(5);
  for (let count = 0; count < 7; count++) await advanceAndRun(60_000);
  receiver.setBehaviour(accept);
}

const proveSecret =
  (secret: string): Behaviour =>
  ({ body }, response) =>
    response
      .setHeader('x-service-challenge-response', computeHmac(`verify.${body.challenge}`, secret))
      .end();

const getRow = async (agent: TestAgent): Promise<Json> =>
  (await db.rows(sql`SELECT * FROM webhooks WHERE agent_id = ${agent.id}`))[0];

describe('putWebhook and getWebhook', () => {
  it('[webhook.none] return null before anything is configured', async () => {
    const answer = await f.send('GET', path, { key: (await f.createAgent()).key });
    expect({
      status: answer.status,
      text: answer.text,
      cacheControl: answer.headers.get('cache-control'),
    }).toEqual({ status: 200, text: 'null', cacheControl: 'private, no-store' });
  });

  it('[webhook.put-pending] [webhook.record] return a pending webhook without secret', async () => {
    const ada = await f.createAgent();
    const sent = receiver.received.length;
    const made = await putWebhook(ada);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: exampleWebhook.url,
      state: 'pending',
      attempts: 0,
      lastDeliveredAt: null,
      lastError: null,
      createdAt: new Date(app.clock()).toISOString(),
      verifiedAt: null,
      nextAttemptAt: null,
    });
    expect(await getWebhook(ada)).toEqual(made);
    await app.app.jobs.runDue();
    expect(receiver.received.length).toBe(sent);
  });

  it('[webhook.put-same] keep a webhook with the same url, secret and key', async () => {
    const ada = await f.createAgent();
    const first = await runConcurrently(8, () => putWebhook(ada));
    expect(new Set(first.map(({ id }) => id)).size).toBe(1);
    app.clock.advance(1000);
    expect(await putWebhook(ada)).toEqual(first[0]);
    const proved = await verifyWebhook(ada);
    expect(await putWebhook(ada)).toEqual(proved);
    await failDelivery(ada);
    const failed = await getWebhook(ada);
    expect(failed).toMatchObject({
      id: proved.id,
      state: 'failed',
      lastError: 'delivery_failed',
    });
    expect(await putWebhook(ada)).toEqual(failed);
  });

  it('[webhook.put-changed] restart verification when url, secret or key changes', async () => {
    const ada = await f.createAgent();
    const second = { ...ada, key: (await f.createScopedKey(ada, ['forum'])).apiKey as string };
    const ids = new Set([(await activateWebhook(ada)).id]);
    for (const [as, body] of [
      [ada, { ...exampleWebhook, url: `${exampleWebhook.url}/` }],
      [ada, { ...otherWebhook, url: `${exampleWebhook.url}/` }],
      [second, { ...otherWebhook, url: `${exampleWebhook.url}/` }],
    ] as const) {
      const made = await putWebhook(as, body);
      expect(made).toMatchObject({ url: body.url, state: 'pending', verifiedAt: null });
      ids.add(made.id);
      receiver.setBehaviour(proveSecret(body.secret));
      expect(await verifyWebhook(as)).toMatchObject({ id: made.id, state: 'active' });
      receiver.setBehaviour(accept);
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
    '[webhook.url-rules] reject the address %s, name the broken rule and change nothing',
    async (url, rule) => {
      const ada = await f.createAgent();
      const before = await putWebhook(ada);
      const answer = await f.send('PUT', path, { key: ada.key, body: { url, secret: SECRET } });
      expect(answer).toMatchObject(
        buildProblem(422, 'invalid_webhook_url', { detail: expect.stringContaining(rule) }),
      );
      expect(await getWebhook(ada)).toEqual(before);
    },
  );

  it('[webhook.secret-rule] reject an invalid secret without repeating it', async () => {
    const ada = await f.createAgent();
    for (const secret of ['', 'short', SECRET.toUpperCase(), `${SECRET}00`]) {
      const answer = await f.send('PUT', path, {
        key: ada.key,
        body: { ...exampleWebhook, secret },
      });
      expect(answer).toMatchObject(buildProblem(422, 'invalid_webhook_secret'));
      if (secret) expect(answer.text).not.toContain(secret);
    }
    for (const body of [
      {},
      { url: exampleWebhook.url },
      { secret: SECRET },
      { ...exampleWebhook, url: null },
      { ...exampleWebhook, secret: 7 },
      { ...exampleWebhook, more: 1 },
    ])
      expect(await f.send('PUT', path, { key: ada.key, body })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await getWebhook(ada)).toBeNull();
  });

  it('[webhook.secret-at-rest] encrypt the secret anew each time, bound to its agent', async () => {
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const secret = 'd00d'.repeat(16);
    for (const agent of [ada, bob]) await putWebhook(agent, { url: exampleWebhook.url, secret });
    const first = await getRow(ada);
    const second = await getRow(bob);
    expect(first.sealed_secret.equals(second.sealed_secret)).toBe(false);
    const stored = await listStoredRows(db);
    for (const text of [secret, ENCRYPTION_KEY]) {
      expect(findRowsContaining(stored, text)).toEqual([]);
      expect(stored.filter((row) => row.includes(Buffer.from(text).toString('base64')))).toEqual(
        [],
      );
      expect(app.logs.filter((line) => line.includes(text))).toEqual([]);
    }
    const { webhookSecrets: vault } = app.app.env;
    expect(vault.open(first.sealed_secret, ada.id).toString('hex')).toBe(secret);
    expect(() => vault.open(first.sealed_secret, bob.id)).toThrow();
    await db.run(sql`
      UPDATE webhooks
      SET sealed_secret = ${first.sealed_secret}
      WHERE agent_id = ${bob.id}
    `);
    expect(await f.send('POST', `${path}/verify`, { key: bob.key })).toMatchObject(
      buildProblem(500, 'internal_error'),
    );
    await f.ok('DELETE', path, { key: bob.key });
  });

  it('[webhook.delete] are reset by deleteWebhook, which may be repeated', async () => {
    const ada = await f.createAgent();
    const { id } = await activateWebhook(ada);
    expect(await f.ok('DELETE', path, { key: ada.key })).toEqual({ id });
    expect(await getWebhook(ada)).toBeNull();
    expect(await getRow(ada)).toBeUndefined();
    expect(await f.ok('DELETE', path, { key: ada.key })).toEqual({ id: ada.id });
    expect((await putWebhook(ada)).id).not.toBe(id);
  });

  it('[webhook.own] show each agent its own webhook', async () => {
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const first = await putWebhook(ada);
    const second = await putWebhook(bob, otherWebhook);
    await f.ok('DELETE', path, { key: bob.key });
    expect({ ada: await getWebhook(ada), bob: await getWebhook(bob) }).toEqual({
      ada: first,
      bob: null,
    });
    expect(second.id).not.toBe(first.id);
  });
});

describe('a webhook whose key is gone', () => {
  const keyChanges: Record<string, (ada: TestAgent) => Promise<TestAgent>> = {
    revoked: async (ada) => {
      const spare = (await f.createScopedKey(ada, ['forum'])).apiKey as string;
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
    Object.keys(keyChanges).flatMap((way) =>
      ['pending', 'active', 'failed'].map((state) => [way, state] as const),
    ),
  )(
    '[webhook.credential-lost] [webhook.verify-lost] fails when it is %s, though %s',
    async (way, state) => {
      const ada = await f.createAgent();
      await (state === 'pending' ? putWebhook(ada) : activateWebhook(ada));
      if (state === 'failed') await failDelivery(ada);
      const made = await getWebhook(ada);
      expect(made).toMatchObject({ state });
      const now = (await keyChanges[way]?.(ada)) as TestAgent;
      const lost = {
        ...made,
        state: 'failed',
        lastError: 'credential_unavailable',
        nextAttemptAt: null,
      };
      expect(await getWebhook(now)).toEqual(lost);
      const sent = receiver.received.length;
      expect(await f.send('POST', `${path}/verify`, { key: now.key })).toMatchObject(
        buildProblem(409, 'credential_unavailable'),
      );
      expect(receiver.received.length).toBe(sent);
      const again = await putWebhook(now);
      expect(again).toMatchObject({ state: 'pending', lastError: null });
      expect(again.id).not.toBe(made.id);
      expect(await verifyWebhook(now)).toMatchObject({ id: again.id, state: 'active' });
    },
  );

  it('[webhook.credential-lost] fails at the moment of expiry, before any check', async () => {
    const ada = await f.createAgent();
    const { apiKey } = await f.createScopedKey(ada, ['forum'], {
      expiresAt: new Date(app.clock() + 60_000).toISOString(),
    });
    await activateWebhook({ ...ada, key: apiKey });
    app.clock.advance(59_999);
    expect(await getWebhook(ada)).toMatchObject({ state: 'active' });
    app.clock.advance(1);
    expect(await getWebhook(ada)).toMatchObject({
      state: 'failed',
      lastError: 'credential_unavailable',
    });
    expect(await f.sendForOutcome('POST', `${path}/verify`, { key: ada.key })).toBe(
      '409 credential_unavailable',
    );
    expect(await putWebhook(ada)).toMatchObject({ state: 'pending' });
  });

  it('[webhook.credential-lost] of another agent is not affected', async () => {
    const ada = await f.createAgent();
    const second = (await f.createScopedKey(ada, ['forum'])).id;
    const made = await activateWebhook(ada);
    await f.ok('DELETE', `/api/v1/me/keys/${second}`, { key: ada.key });
    expect(await getWebhook(ada)).toEqual(made);
  });

  it('[webhook.credential-lost] cannot be configured with a key being revoked', async () => {
    const ada = await f.createAgent();
    const waits = sql`
      SELECT 1
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `;
    const configuring = await db.transaction(async (tx) => {
      await tx.run(sql`
        UPDATE api_keys
        SET revoked_at = now()
        WHERE agent_id = ${ada.id}
      `);
      const answer = f.send('PUT', path, { key: ada.key, body: exampleWebhook });
      await waitUntil('it waits for the key', async () => (await db.rows(waits)).length > 0);
      return { answer };
    });
    expect(await configuring.answer).toMatchObject(buildProblem(401, 'invalid_credential'));
    expect(await getRow(ada)).toBeUndefined();
  });

  it('[webhook.credential-lost] never stays active when both race', async () => {
    for (let round = 0; round < 5; round++) {
      const ada = await f.createAgent();
      const spare = (await f.createScopedKey(ada, ['forum'])).apiKey as string;
      await Promise.all([
        f.send('PUT', path, { key: ada.key, body: exampleWebhook }),
        f.send('DELETE', '/api/v1/me/keys/current', { key: ada.key }),
      ]);
      const left = await getWebhook(ada, spare);
      if (left !== null)
        expect(left).toMatchObject({ state: 'failed', lastError: 'credential_unavailable' });
    }
  });
});

describe('with webhooks switched off', () => {
  it('[webhook.switched-off] only putWebhook and verifyWebhook are refused', async () => {
    const off = await app.startNode({ WEBHOOKS_ENABLED: 'off', WEBHOOKS_ENCRYPTION_KEY: '' });
    const o = factories(off);
    const ada = await f.createAgent();
    const made = await putWebhook(ada);
    const disabled = buildProblem(403, 'capability_disabled', { capability: 'webhooks' });
    expect(await o.send('PUT', path, { key: ada.key, body: exampleWebhook })).toMatchObject(
      disabled,
    );
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

  it('[webhook.key-wrong] startup needs the right key once data is stored', async () => {
    const ada = await f.createAgent();
    await putWebhook(ada);
    const wrong = { WEBHOOKS_ENCRYPTION_KEY: 'f00d'.repeat(16) };
    await expect(app.startNode(wrong)).rejects.toThrow(
      /^WEBHOOKS_ENCRYPTION_KEY cannot open the secrets of \d+ stored webhooks?: set the key .*\.$/,
    );
    const empty = await startApp(buildWebhookSettings(buildDialSetting(receiver.port)));
    await empty.startNode(wrong);
    const bob = await factories(empty).createAgent();
    const stored = empty.app.env.db;
    await stored.run(sql`
      INSERT INTO agents (id, handle, created_at, last_active_on)
      SELECT gen_random_uuid(), 'many-' || n, now(), now()
      FROM generate_series(1, 1001) n
    `);
    await stored.run(sql`
      INSERT INTO webhooks (
        agent_id, id, url, host, sealed_secret, key_id, state, cursor, created_at
      )
      SELECT a.id, a.id, ${exampleWebhook.url}, 'hooks.example',
        decode(repeat('00', 60), 'hex'), k.id,
        'pending', 0, now()
      FROM agents a
      JOIN api_keys k ON k.agent_id = ${bob.id}
      WHERE a.handle LIKE 'many-%'
    `);
    await expect(empty.startNode()).rejects.toThrow(
      /cannot open the secrets of 1001 stored webhooks/,
    );
  });
});
