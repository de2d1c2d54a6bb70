import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { unsealAnswer } from '../../../src/kernel/pipeline/idempotency.ts';
import { startApp } from '../../support/app.ts';
import { type Answer, factories, type Loose, refused, type TestAgent } from '../../support/factories.ts';
import { everythingStored, holding } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const HOUR = 3600 * 1000;
const replayed = (answer: Answer) => answer.headers.get('idempotency-replayed');
const sealed = refused(409, 'idempotency_replay_sealed');
const invalid = refused(401, 'invalid_credential');
const register = (handle: string, idem: string) =>
  f.send('POST', '/api/v1/agents', { idem, body: { handle } });
const createKey = (key: string, idem: string) =>
  f.send('POST', '/api/v1/me/keys', { key, idem, body: { scopes: ['forum'] } });
const rotate = (key: string, idem: string | false) =>
  f.send('POST', '/api/v1/me/keys/rotate', { key, idem });
const block = (agent: TestAgent, blocked: boolean) =>
  f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, { admin: true, body: { blocked } });

/** The sealed answers, each with all the texts that lie beside it. */
const sealedRecords = () =>
  db.rows<{ scope: string; operation: string; key: string; sealedFor: string; response: Buffer }>(
    sql`SELECT scope, operation, key, sealed_for AS "sealedFor", response FROM idempotency_records WHERE sealed_for IS NOT NULL`,
  );

describe('a stored answer with a secret', () => {
  it('[idem.sealed] is replayed to its caller and cannot be opened with anything that is stored', async () => {
    const ada = await f.agent();
    const roomId = await f.room(ada);
    const calls: [
      caller: string,
      secret: (body: Loose) => string,
      send: () => Promise<Answer<Loose>>,
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
      ['rotation', ({ apiKey }) => apiKey, () => rotate(ada.key, 'a-sealed-rotation')],
    ];
    const secrets: string[] = [];
    for (const [name, secret, send] of calls) {
      const [first, second] = [await send(), await send()];
      expect([first.status, second.status, second.text, replayed(second)], name).toEqual([
        200,
        200,
        first.text,
        'true',
      ]);
      secrets.push(secret(first.body));
    }
    const stored = await everythingStored(db);
    expect(holding(stored, 'sealed').length).toBeGreaterThan(0);
    for (const text of [...secrets, ada.key]) expect(holding(stored, text)).toEqual([]);

    const records = await sealedRecords();
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
    expect(
      unsealAnswer(rotation?.response ?? Buffer.alloc(28), ada.key, 'a-sealed-rotation'),
    ).toContain(secrets[3]);
  });

  it('[idem.sealed-other-key] is not replayed to another key of the agent', async () => {
    const ada = await f.agent();
    await f.grant(ada, 'credentials');
    const { apiKey: further } = await f.scopedKey(ada, ['forum', 'credentials']);
    const roomId = await f.room(ada);
    const invite = (key: string) =>
      f.send('POST', `/api/v1/rooms/${roomId}/invitations`, { key, idem: 'invite' });
    const [made, invited] = [await createKey(ada.key, 'make'), await invite(ada.key)];
    const before = await everythingStored(db);
    for (const answer of [await createKey(further, 'make'), await invite(further)]) {
      expect(answer).toMatchObject(sealed);
      expect(replayed(answer)).toBeNull();
    }
    expect(await everythingStored(db)).toEqual(before);
    expect([(await createKey(ada.key, 'make')).text, (await invite(ada.key)).text]).toEqual([
      made.text,
      invited.text,
    ]);
    const { apiKey: rotated } = (await rotate(ada.key, 'rotate')).body;
    for (const answer of [
      await createKey(rotated, 'make'),
      await invite(rotated),
      await rotate(rotated, 'rotate'),
      await rotate(further, 'rotate'),
    ])
      expect(answer).toMatchObject(sealed);
  });
});

describe('a rotation', () => {
  it('[idem.rotation-replay] is answered again to the old key for 24 hours', async () => {
    const { key } = await f.agent();
    const first = await rotate(key, 'rotation');
    for (const wait of [0, HOUR, 23 * HOUR]) {
      app.clock.advance(wait);
      await app.app.jobs.runDue();
      const again = await rotate(key, 'rotation');
      expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
    }
    app.clock.advance(1);
    expect(await rotate(key, 'rotation')).toMatchObject(invalid);
    expect((await f.send('GET', '/api/v1/me', { key: first.body.apiKey })).status).toBe(200);
  });

  it('[idem.rotation-replay] leaves the old key nothing else', async () => {
    const ada = await f.agent();
    await f.ok('PUT', '/api/v1/me', {
      key: ada.key,
      idem: 'rotation',
      body: { displayName: 'Before' },
    });
    await createKey(ada.key, 'made');
    const revoked = await f.scopedKey(ada, ['forum']);
    await f.ok('DELETE', `/api/v1/me/keys/${revoked.id}`, { key: ada.key });
    await rotate(ada.key, 'rotation');
    const before = await everythingStored(db);
    const refusals = [
      await rotate(ada.key, 'another-rotation'),
      await rotate(revoked.apiKey, 'rotation'),
      await rotate(ada.key, false),
      await f.send('PUT', '/api/v1/me', {
        key: ada.key,
        idem: 'rotation',
        body: { displayName: 'Before' },
      }),
      await createKey(ada.key, 'made'),
      await createKey(ada.key, 'rotation'),
      await f.send('DELETE', '/api/v1/me/keys/current', { key: ada.key, idem: 'rotation' }),
      await f.send('GET', '/api/v1/me', { key: ada.key }),
      await f.send('GET', '/api/v1/agents', {
        key: ada.key,
        headers: { 'idempotency-key': 'rotation' },
      }),
      await f.send('GET', '/api/v1/events/stream', {
        key: ada.key,
        headers: { 'idempotency-key': 'rotation' },
      }),
    ];
    for (const [n, answer] of refusals.entries())
      expect(answer, `refusal ${n}`).toMatchObject(invalid);
    expect(await everythingStored(db)).toEqual(before);
  });

  it('[idem.rotation-replay] [idem.replay-lost-access] is not answered again to a blocked agent or an expired key', async () => {
    const ada = await f.agent();
    const first = await rotate(ada.key, 'rotation');
    await block(ada, true);
    expect(await rotate(ada.key, 'rotation')).toMatchObject(refused(403, 'agent_blocked'));
    await block(ada, false);
    expect((await rotate(ada.key, 'rotation')).text).toBe(first.text);
    const eve = await f.agent();
    const short = await f.scopedKey(eve, ['forum'], {
      expiresAt: new Date(app.clock() + HOUR).toISOString(),
    });
    await rotate(short.apiKey, 'rotation');
    app.clock.advance(HOUR);
    expect(await rotate(short.apiKey, 'rotation')).toMatchObject(invalid);
  });
});

describe('a registration', () => {
  it('[idem.registration] repeated with its UUID gets the same answer and makes one agent', async () => {
    for (const [handle, idem] of [
      ['fourth', '3f1d2b7e-8f64-4f0a-9b2c-5d6e7f8a9b0c'],
      ['seventh', newId()],
      ['upper', newId().toUpperCase()],
    ] as const) {
      const [first, again] = [await register(handle, idem), await register(handle, idem)];
      expect([first.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
      expect((await f.send('GET', '/api/v1/me', { key: again.body.apiKey })).body).toMatchObject({
        handle,
      });
      expect(await register(`${handle}-2`, idem)).toMatchObject(
        refused(422, 'idempotency_key_reused'),
      );
      expect(await register(handle, newId())).toMatchObject(refused(409, 'handle_taken'));
    }
  });

  it('[idem.registration] is refused with a key that is no UUID', async () => {
    const before = await everythingStored(db);
    for (const idem of [
      '1',
      'register',
      newId().replaceAll('-', ''),
      `${newId()}0`,
      `{${newId()}}`,
    ])
      expect(await register('unregistered', idem), idem).toMatchObject(
        refused(400, 'idempotency_key_invalid'),
      );
    expect(await everythingStored(db)).toEqual(before);
  });

  it('[idem.registration] seals under a key that the database does not know', async () => {
    const idem = newId();
    expect((await register('known-to-itself', idem)).status).toBe(200);
    expect(holding(await everythingStored(db), idem)).toEqual([]);
    expect(app.logs.filter((line) => line.includes(idem))).toEqual([]);
  });
});

describe('a replay after access was lost', () => {
  it('[idem.replay-lost-access] is the stored answer, though the room is closed to the caller', async () => {
    const [owner, ada] = [await f.agent(), await f.agent()];
    const roomId = await f.room(owner, 'private');
    await f.invite(owner, roomId, ada);
    const threadId = await f.thread(owner, roomId);
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
    ).toMatchObject(refused(404, 'not_found'));
    const again = await post();
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
    expect(
      (await f.ok('GET', `/api/v1/threads/${threadId}`, { key: owner.key })).messageCount,
    ).toBe(2);
  });

  it('[idem.replay-lost-access] is refused to a blocked agent and to a revoked or expired key, as everything is', async () => {
    const ada = await f.agent();
    const further = await f.scopedKey(ada, ['forum'], {
      expiresAt: new Date(app.clock() + HOUR).toISOString(),
    });
    const room = (key: string) =>
      f.send('POST', '/api/v1/rooms', { key, idem: 'room', body: { name: 'A room' } });
    const first = await room(ada.key);
    await block(ada, true);
    expect(await room(ada.key)).toMatchObject(refused(403, 'agent_blocked'));
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
