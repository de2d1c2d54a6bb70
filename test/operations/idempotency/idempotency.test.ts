import { describe, expect, it } from 'vitest';
import { isMutation } from '../../../src/kernel/operation/any-operation.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { getCase, makeValidCall } from '../cases.ts';
import {
  buildCredential,
  callOperation,
  digestTables,
  getUsualScope,
  registry,
} from '../fixture.ts';
import { createFixturePool } from '../fixture-pool.ts';

const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const { newId } = app.app.env;
const f = factories(app);
const mutations = registry
  .filter(isMutation)
  .map((operation) => ({ name: operation.name, operation }));
const getReplayedHeader = (answer: { headers: Headers }) =>
  answer.headers.get('idempotency-replayed');
const keyReused = buildProblem(422, 'idempotency_key_reused');

describe('the header Idempotency-Key', () => {
  /** The lines that the spec marks Idem. */
  const marked = [
    'PUT /api/v1/guest-context/{key}',
    'DELETE /api/v1/guest-context/{key}',
    'POST /api/v1/me/keys',
    'DELETE /api/v1/me/keys/{id}',
    'POST /api/v1/me/activation',
    'POST /api/v1/rooms/{id}/threads',
    'POST /api/v1/threads/{id}/messages',
    'POST /api/v1/messages/{id}/files',
    'PUT /api/v1/admin/agents/{id}/capabilities/{capability}',
    'POST /api/v1/interactions',
    'PUT /api/v1/interactions/{id}',
    'POST /api/v1/interactions/{id}/evidence',
    'POST /api/v1/evidence/{id}/withdraw',
    'POST /api/v1/subjects/{id}/identity-claims',
    'PUT /api/v1/identity-claims/{id}',
  ];
  const built = registry.filter(({ method, path }) => marked.includes(`${method} ${path}`));

  it('[idem.required] is required where the spec marks Idem', async () => {
    const agent = await f.createAgent();
    expect(built.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'createKey',
        'revokeKey',
        'activateCapabilities',
        'createThread',
        'postMessage',
        'attachFile',
        'grantCapability',
        'writeGuestContext',
        'deleteGuestContext',
        'recordInteraction',
        'reviseInteraction',
        'submitEvidence',
        'withdrawEvidence',
        'claimIdentity',
        'reviseIdentityClaim',
      ]),
    );
    for (const operation of built) await f.getKeyWithScope(agent, getUsualScope(operation));
    const before = await digestTables(app);
    for (const operation of built) {
      const { name, method, path } = operation;
      const options = {
        ...buildCredential(operation, await f.getKeyWithScope(agent, getUsualScope(operation))),
        idem: false as const,
        body: {},
      };
      expect(
        await f.send(method, path.replaceAll(/\{\w+\}/g, newId()), options),
        name,
      ).toMatchObject(buildProblem(400, 'idempotency_key_required'));
    }
    expect(await digestTables(app)).toEqual(before);
  });

  it('[idem.key-format] is 1 to 255 visible ASCII characters', async () => {
    const ada = await f.createAgent();
    for (const idem of ['!', '~', 'a'.repeat(255), 'x"{}\\;=,/@:[]'])
      expect(
        (await f.send('POST', '/api/v1/rooms', { key: ada.key, idem, body: { name: 'A room' } }))
          .status,
        idem,
      ).toBe(200);
    const before = await digestTables(app);
    for (const idem of ['', ' ', 'a'.repeat(256), 'a b', 'a\tb', 'é', 'ÿ', '\x80']) {
      const answer = await f.send('POST', '/api/v1/rooms', {
        key: ada.key,
        idem: false,
        headers: { 'idempotency-key': idem },
        body: { name: 'A room' },
      });
      expect(answer, JSON.stringify(idem)).toMatchObject(
        buildProblem(400, 'idempotency_key_invalid'),
      );
    }
    expect(await digestTables(app)).toEqual(before);
  });
});

describe('a repeat', () => {
  const getFixture = createFixturePool(f);

  it.for(mutations)(
    '[idem.accepted] [idem.replay] $name repeated answers byte for byte and does nothing',
    async ({ name, operation }) => {
      const fixture = await getFixture(name);
      const { input, as } = await makeValidCall(name, fixture, f);
      // What revokes the key that makes it is repeated by another key of the agent.
      const caller =
        getCase(name).endsKey === 'revoked'
          ? { key: (await f.createScopedKey(fixture.owner, ['forum'])).apiKey as string }
          : as;
      // What earlier calls left for the background is done now, so that no digest shows it.
      await app.app.jobs.runDue();
      const idem = newId();
      const first = await callOperation(app.url, operation, input, { ...caller, idem });
      expect({ status: first.status, replayed: getReplayedHeader(first) }, first.text).toEqual({
        status: 200,
        replayed: null,
      });
      const before = await digestTables(app);
      app.clock.advance(1);
      const second = await callOperation(app.url, operation, input, { ...as, idem });
      expect({
        status: second.status,
        replayed: getReplayedHeader(second),
        text: second.text,
      }).toEqual({ status: 200, replayed: 'true', text: first.text });
      for (const header of ['content-type', 'cache-control', 'x-content-trust'])
        expect(second.headers.get(header)).toBe(first.headers.get(header));
      expect(await digestTables(app)).toEqual(before);
    },
  );

  it('[idem.replay] does not undo what came after the first', async () => {
    const ada = await f.createAgent();
    const put = (displayName: string, idem: string) =>
      f.send('PUT', '/api/v1/me', { key: ada.key, idem, body: { displayName } });
    const first = await put('First', 'profile-1');
    await put('Second', 'profile-2');
    expect((await put('First', 'profile-1')).text).toBe(first.text);
    expect(await f.ok('GET', '/api/v1/me', { key: ada.key })).toMatchObject({
      displayName: 'Second',
    });
  });

  it('[idem.fingerprint] is the same with other white space, order or escapes', async () => {
    const ada = await f.createAgent();
    const raw = (text: string) =>
      f.send('POST', '/api/v1/rooms', { key: ada.key, idem: 'spelling', raw: text });
    const first = await raw('{"name":"Café 1","description":null,"visibility":"public"}');
    for (const text of [
      '{"visibility":"public","description":null,"name":"Café 1"}',
      ' {\n"description" : null, "name"\t: "Caf\\u00e9 \\u0031" , "visibility":"public" }\n',
    ]) {
      const again = await raw(text);
      expect({ text: again.text, replayed: getReplayedHeader(again) }).toEqual({
        text: first.text,
        replayed: 'true',
      });
    }
    for (const text of [
      '{"name":"Café 2","description":null,"visibility":"public"}',
      '{"name":"Café 1","visibility":"public","description":"x"}',
    ])
      expect(await raw(text)).toMatchObject(keyReused);
  });

  it('[idem.fingerprint] [idem.reused] is refused with another path or body', async () => {
    const ada = await f.createAgent();
    const roomId = await f.createRoom(ada);
    const one = await f.createThread(ada, roomId);
    const two = await f.createThread(ada, roomId);
    const post = (threadId: string, body: string) =>
      f.send('POST', `/api/v1/threads/${threadId}/messages`, {
        key: ada.key,
        idem: 'post-1',
        body: { body },
      });
    const first = await post(one, 'Hello');
    const before = await digestTables(app);
    for (const answer of [
      await post(two, 'Hello'),
      await post(one, 'Hello!'),
      await post(one, 'hello'),
    ]) {
      expect(answer).toMatchObject(keyReused);
      expect(getReplayedHeader(answer)).toBeNull();
    }
    expect(await digestTables(app)).toEqual(before);
    expect((await post(one.toUpperCase(), 'Hello')).text).toBe(first.text);
  });
});
