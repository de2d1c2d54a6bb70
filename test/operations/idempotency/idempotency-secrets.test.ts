import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { unsealAnswer } from '../../../src/kernel/pipeline/idempotency.ts';
import { buildMessage, sendRpc } from '../../edges/mcp/mcp-client.ts';
import { startApp } from '../../support/app.ts';
import {
  type Answer,
  buildProblem,
  factories,
  type Json,
  type TestAgent,
} from '../../support/factories.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
/** The idempotency key of rotations. Each agent has keys of its own. */
const ROTATION = '7f0c6d0e-3b1a-4c55-8f5e-2f6d9c1b7a44';
const getReplayedHeader = (answer: Answer) => answer.headers.get('idempotency-replayed');
const sealed = buildProblem(409, 'idempotency_replay_sealed');
const invalid = buildProblem(401, 'invalid_credential');
const register = (handle: string, idem: string) =>
  f.send('POST', '/api/v1/agents', { idem, body: { handle } });
const createKey = (key: string, idem: string) =>
  f.send('POST', '/api/v1/me/keys', { key, idem, body: { scopes: ['forum'] } });
const rotate = (key: string, idem: string | false) =>
  f.send('POST', '/api/v1/me/keys/rotate', { key, idem });
const block = (agent: TestAgent, blocked: boolean) =>
  f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, { admin: true, body: { blocked } });

/** The sealed answers, each with all the texts that lie beside it. */
const listSealedRecords = () =>
  db.rows<{
    scope: string;
    operation: string;
    key: string;
    sealedFor: string;
    response: Buffer;
  }>(sql`
    SELECT scope, operation, key, sealed_for AS "sealedFor", response
    FROM idempotency_records
    WHERE sealed_for IS NOT NULL
  `);

describe('a stored answer with a secret', () => {
  it('[idem.sealed] is replayed to its caller; nothing that is stored opens it', async () => {
    const ada = await f.createAgent();
    const roomId = await f.createRoom(ada);
    const calls: [
      caller: string,
      secret: (body: Json) => string,
      send: () => Promise<Answer<Json>>,
    ][] = [
      [
        'registration',
        ({ apiKey }) => apiKey,
        () => register('sealed', '0198a0a0-0000-4000-8000-00000000abcd'),
      ],
      ['further key', ({ apiKey }) => apiKey, () => createKey(ada.key, 'a-sealed-key')],
      [
        'invitation',
        ({ token }) => token,
        () =>
          f.send('POST', `/api/v1/rooms/${roomId}/invitations`, {
            key: ada.key,
            idem: 'a-sealed-invitation',
          }),
      ],
      ['rotation', ({ apiKey }) => apiKey, () => rotate(ada.key, ROTATION)],
    ];
    const secrets: string[] = [];
    for (const [name, secret, send] of calls) {
      const first = await send();
      const second = await send();
      expect(first.status, name).toBe(200);
      expect(
        { status: second.status, text: second.text, replayed: getReplayedHeader(second) },
        name,
      ).toEqual({ status: 200, text: first.text, replayed: 'true' });
      secrets.push(secret(first.body));
    }
    const stored = await listStoredRows(db);
    expect(findRowsContaining(stored, 'sealed').length).toBeGreaterThan(0);
    for (const text of [...secrets, ada.key]) expect(findRowsContaining(stored, text)).toEqual([]);

    const records = await listSealedRecords();
    const readable = [
      ...new Set(
        records.flatMap(({ scope, operation, key, sealedFor }) => [
          scope,
          operation,
          key,
          sealedFor,
        ]),
      ),
    ];
    expect(
      records.filter(({ operation }) =>
        ['registerAgent', 'createKey', 'createInvitation', 'rotateKey'].includes(operation),
      ).length,
    ).toBeGreaterThanOrEqual(4);
    for (const { operation, response } of records) {
      for (const credential of readable)
        for (const key of readable)
          expect(() => unsealAnswer(response, credential, key), operation).toThrow();
    }
    const rotation = records.find(({ operation }) => operation === 'rotateKey');
    expect(unsealAnswer(rotation?.response ?? Buffer.alloc(28), ada.key, ROTATION)).toContain(
      secrets[3],
    );
  });

  it('[idem.sealed-other-key] is not replayed to another key of the agent', async () => {
    const ada = await f.createAgent();
    await f.grantCapability(ada, 'credentials');
    const { apiKey: further } = await f.createScopedKey(ada, ['forum', 'credentials']);
    const roomId = await f.createRoom(ada);
    const invite = (key: string) =>
      f.send('POST', `/api/v1/rooms/${roomId}/invitations`, { key, idem: 'invite' });
    const made = await createKey(ada.key, 'make');
    const invited = await invite(ada.key);
    const before = await listStoredRows(db);
    for (const answer of [await createKey(further, 'make'), await invite(further)]) {
      expect(answer).toMatchObject(sealed);
      expect(getReplayedHeader(answer)).toBeNull();
    }
    expect(await listStoredRows(db)).toEqual(before);
    expect((await createKey(ada.key, 'make')).text).toBe(made.text);
    expect((await invite(ada.key)).text).toBe(invited.text);
    const { apiKey: rotated } = (await rotate(ada.key, ROTATION)).body;
    for (const answer of [
      await createKey(rotated, 'make'),
      await invite(rotated),
      await rotate(rotated, ROTATION),
      await rotate(further, ROTATION),
    ])
      expect(answer).toMatchObject(sealed);
  });
});

describe('a rotation', () => {
  it('[attack.1-4] [idem.rotation-replay] (API2) is answered again for 15 minutes', async () => {
    const { key } = await f.createAgent();
    const first = await rotate(key, ROTATION);
    for (const wait of [0, MINUTE, 14 * MINUTE]) {
      app.clock.advance(wait);
      await app.app.jobs.runDue();
      const again = await rotate(key, ROTATION);
      expect({
        status: again.status,
        text: again.text,
        replayed: getReplayedHeader(again),
      }).toEqual({ status: 200, text: first.text, replayed: 'true' });
    }
    app.clock.advance(1);
    expect(await rotate(key, ROTATION)).toMatchObject(invalid);
    expect((await f.send('GET', '/api/v1/me', { key: first.body.apiKey })).status).toBe(200);
  });

  it('[idem.rotation-replay] leaves the old key nothing else', async () => {
    const ada = await f.createAgent();
    await f.ok('PUT', '/api/v1/me', {
      key: ada.key,
      idem: ROTATION,
      body: { displayName: 'Before' },
    });
    await createKey(ada.key, 'made');
    const revoked = await f.createScopedKey(ada, ['forum']);
    await f.ok('DELETE', `/api/v1/me/keys/${revoked.id}`, { key: ada.key });
    await rotate(ada.key, ROTATION);
    const before = await listStoredRows(db);
    const refusals = [
      await rotate(ada.key, newId()),
      await rotate(revoked.apiKey, ROTATION),
      await rotate(ada.key, false),
      await f.send('PUT', '/api/v1/me', {
        key: ada.key,
        idem: ROTATION,
        body: { displayName: 'Before' },
      }),
      await createKey(ada.key, 'made'),
      await createKey(ada.key, ROTATION),
      await f.send('DELETE', '/api/v1/me/keys/current', { key: ada.key, idem: ROTATION }),
      await f.send('GET', '/api/v1/me', { key: ada.key }),
      await f.send('GET', '/api/v1/agents', {
        key: ada.key,
        headers: { 'idempotency-key': ROTATION },
      }),
      await f.send('GET', '/api/v1/events/stream', {
        key: ada.key,
        headers: { 'idempotency-key': ROTATION },
      }),
    ];
    for (const [n, answer] of refusals.entries())
      expect(answer, `refusal ${n}`).toMatchObject(invalid);
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[idem.rotation-replay] [idem.replay-lost-access] ends by a block or expiry', async () => {
    const ada = await f.createAgent();
    const first = await rotate(ada.key, ROTATION);
    await block(ada, true);
    expect(await rotate(ada.key, ROTATION)).toMatchObject(buildProblem(403, 'agent_blocked'));
    await block(ada, false);
    expect((await rotate(ada.key, ROTATION)).text).toBe(first.text);
    const eve = await f.createAgent();
    const short = await f.createScopedKey(eve, ['forum'], {
      expiresAt: new Date(app.clock() + HOUR).toISOString(),
    });
    await rotate(short.apiKey, ROTATION);
    app.clock.advance(HOUR);
    expect(await rotate(short.apiKey, ROTATION)).toMatchObject(invalid);
  });

  it('[attack.1-4] [idem.rotation-replay] (API2) ends when the new key is used', async () => {
    const ada = await f.createAgent();
    const { body } = await rotate(ada.key, ROTATION);
    expect((await rotate(ada.key, ROTATION)).body.apiKey).toBe(body.apiKey);
    await f.ok('GET', '/api/v1/me', { key: body.apiKey });
    expect(await rotate(ada.key, ROTATION)).toMatchObject(invalid);
    await f.ok('GET', '/api/v1/me', { key: body.apiKey });
  });
});

describe('an idempotency key that fetches a secret', () => {
  const root = new URL('../../../', import.meta.url);
  /** Every UUID that a document, the OpenAPI document or the list of tools shows. */
  async function listPublishedUuids(): Promise<string[]> {
    const files = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' });
    const texts = [
      ...files.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
      'README.md',
      'examples/reproduce.py',
    ].map((file) => readFileSync(new URL(file, root), 'utf8'));
    texts.push((await f.send('GET', '/openapi.json')).text);
    texts.push(JSON.stringify((await sendRpc(app.url, buildMessage('tools/list'))).body));
    const found = texts.flatMap((text) =>
      text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi),
    );
    return [...new Set(found.map((one) => one ?? ''))];
  }

  it('[attack.1-4] (API2) is none that a document shows or everybody knows', async () => {
    const { key } = await f.createAgent();
    const published = await listPublishedUuids();
    expect(published.length).toBeGreaterThan(3);
    const refusal = buildProblem(400, 'idempotency_key_invalid');
    for (const idem of [
      ...published,
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '550e8400-e29b-41d4-a716-446655440000',
      '123e4567-e89b-12d3-a456-426614174000',
      '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      '8F14E45F-CEEA-467F-A0E6-F2A5C1D2B3A4',
    ]) {
      expect(await register('somebody-new', idem), idem).toMatchObject(refusal);
      expect(await rotate(key, idem), idem).toMatchObject(refusal);
    }
    for (const idem of ['rotate-1', 'answer-to-ada-0001'])
      expect(await rotate(key, idem), idem).toMatchObject(refusal);
    expect((await f.send('GET', '/api/v1/me', { key })).status).toBe(200);
  });
});

describe('a registration', () => {
  it('[idem.registration] repeated with its UUID makes one agent, answers alike', async () => {
    for (const [handle, idem] of [
      ['fourth', '3f1d2b7e-8f64-4f0a-9b2c-5d6e7f8a9b0c'],
      ['seventh', newId()],
      ['upper', newId().toUpperCase()],
    ] as const) {
      const first = await register(handle, idem);
      const again = await register(handle, idem);
      expect({
        status: first.status,
        text: again.text,
        replayed: getReplayedHeader(again),
      }).toEqual({ status: 200, text: first.text, replayed: 'true' });
      expect((await f.send('GET', '/api/v1/me', { key: again.body.apiKey })).body).toMatchObject({
        handle,
      });
      expect(await register(`${handle}-2`, idem)).toMatchObject(
        buildProblem(422, 'idempotency_key_reused'),
      );
      expect(await register(handle, newId())).toMatchObject(buildProblem(409, 'handle_taken'));
    }
  });

  it('[idem.registration] is refused with a key that is no UUID', async () => {
    const before = await listStoredRows(db);
    for (const idem of [
      '1',
      'register',
      newId().replaceAll('-', ''),
      `${newId()}0`,
      `{${newId()}}`,
    ])
      expect(await register('unregistered', idem), idem).toMatchObject(
        buildProblem(400, 'idempotency_key_invalid'),
      );
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[idem.secret-keys] registerAgent and rotateKey refuse what can be guessed', async () => {
    const ada = await f.createAgent();
    const before = await listStoredRows(db);
    for (const idem of [
      'rotate-1',
      ada.handle,
      '1',
      // Nil, max, and the versions that tell time, machine or a name (RFC 9562, 5).
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      'c232ab00-9414-11ec-b3c8-9f6bdeced846',
      '000003e8-cbb9-21ea-b201-00045a86c8a1',
      '5df41881-3aed-3515-88a7-2f4a814cf09e',
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
      '1ec9414c-232a-6b00-b3c8-9f6bdeced846',
      // Version 7, of 2022, and a random one that everybody has seen.
      '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
      'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    ]) {
      const refused = buildProblem(400, 'idempotency_key_invalid');
      expect({ idem, answer: await rotate(ada.key, idem) }).toMatchObject({
        idem,
        answer: refused,
      });
      expect({ idem, answer: await register('guessed', idem) }).toMatchObject({
        idem,
        answer: refused,
      });
    }
    expect(await listStoredRows(db)).toEqual(before);
    expect((await rotate(ada.key, newId())).status).toBe(200);
  });

  it('[idem.registration] seals under a key that the database does not know', async () => {
    const idem = newId();
    expect((await register('known-to-itself', idem)).status).toBe(200);
    expect(findRowsContaining(await listStoredRows(db), idem)).toEqual([]);
    expect(app.logs.filter((line) => line.includes(idem))).toEqual([]);
  });
});

describe('a replay after access was lost', () => {
  it('[idem.replay-lost-access] is the stored answer, whatever is closed since', async () => {
    const owner = await f.createAgent();
    const ada = await f.createAgent();
    const roomId = await f.createRoom(owner, 'private');
    await f.addMember(owner, roomId, ada);
    const threadId = await f.createThread(owner, roomId);
    const post = () =>
      f.send('POST', `/api/v1/threads/${threadId}/messages`, {
        key: ada.key,
        idem: 'said',
        body: { body: 'Still here' },
      });
    const first = await post();
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${ada.id}`, { key: owner.key });
    expect(
      await f.send('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key }),
    ).toMatchObject(buildProblem(404, 'not_found'));
    const again = await post();
    expect({ status: again.status, text: again.text, replayed: getReplayedHeader(again) }).toEqual({
      status: 200,
      text: first.text,
      replayed: 'true',
    });
    expect(
      (await f.ok('GET', `/api/v1/threads/${threadId}`, { key: owner.key })).messageCount,
    ).toBe(2);
  });

  it('[idem.replay-lost-access] is refused to keys that are refused', async () => {
    const ada = await f.createAgent();
    const further = await f.createScopedKey(ada, ['forum'], {
      expiresAt: new Date(app.clock() + HOUR).toISOString(),
    });
    const room = (key: string) =>
      f.send('POST', '/api/v1/rooms', { key, idem: 'room', body: { name: 'A room' } });
    const first = await room(ada.key);
    await block(ada, true);
    expect(await room(ada.key)).toMatchObject(buildProblem(403, 'agent_blocked'));
    await block(ada, false);
    expect((await room(ada.key)).text).toBe(first.text);
    expect((await room(further.apiKey)).text).toBe(first.text);
    app.clock.advance(HOUR);
    expect(await room(further.apiKey)).toMatchObject(invalid);
    const revoke = () => f.send('DELETE', '/api/v1/me/keys/current', { key: ada.key, idem: 'end' });
    expect((await revoke()).status).toBe(200);
    for (const answer of [await room(ada.key), await revoke()])
      expect(answer).toMatchObject(invalid);
  });
});
