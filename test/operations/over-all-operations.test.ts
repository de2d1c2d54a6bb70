import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { buildProblem, createContextKey, factories } from '../support/factories.ts';
import { createCallCache, getCase, makeValidCall } from './cases.ts';
import {
  callOperation,
  createFixture,
  getCredentialHeader,
  getOperation,
  registry,
  toOutcomeCode,
} from './fixture.ts';
import { createFixturePool } from './fixture-pool.ts';
import { watchChanges } from './row-changes.ts';

const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const f = factories(app);
const changes = await watchChanges(app);
const getFixture = createFixturePool(f);
/** For calls that are refused and so leave it as it is. */
const sharedFixture = await createFixture(f);
const getSharedCall = createCallCache(sharedFixture, f);
// Nothing runs by itself here, and there must be something in the log.
await app.app.jobs.runDue();

const expiring = await f.createScopedKey(sharedFixture.owner, ['forum'], {
  expiresAt: new Date(app.clock() + 1).toISOString(),
});
const revoked = await f.createScopedKey(sharedFixture.owner, ['forum']);
await f.ok('DELETE', '/api/v1/me/keys/current', { key: revoked.apiKey });
await f.grantCapability(sharedFixture.owner, 'credentials');
const withoutForum = await f.createScopedKey(
  { ...sharedFixture.owner, key: sharedFixture.owner.key },
  ['credentials'],
);
app.clock.advance(1);

const namedOperations = registry.map((operation) => ({ name: operation.name, operation }));
const guardedOperations = namedOperations.filter(({ operation }) => operation.auth !== 'public');
const mutations = namedOperations.filter(({ operation }) => isMutation(operation));

describe('credentials', () => {
  it.for(guardedOperations)(
    '[registry.generic-tests] [access.key-needed] [error.unauthenticated] $name needs a credential',
    async ({ name, operation }) => {
      const { input } = await getSharedCall(name);
      const before = await changes.getLatest();
      const answer = await callOperation(app.url, operation, input);
      expect(answer).toMatchObject(buildProblem(401, 'unauthenticated'));
      expect(answer.headers.get('www-authenticate')?.toLowerCase()).toContain(
        `header="${getCredentialHeader(operation)}"`,
      );
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it.for(namedOperations)(
    '[registry.generic-tests] [error.invalid-credential] $name refuses a wrong credential',
    async ({ name, operation }) => {
      const { input, as } = await getSharedCall(name);
      const before = await changes.getLatest();
      const known = sharedFixture.owner.key;
      for (const value of [
        '',
        'x',
        'stoa_typo',
        `${known.slice(0, -1)}!`,
        known.toUpperCase(),
        `${known}, ${known}`,
        revoked.apiKey,
        expiring.apiKey,
      ]) {
        const answer = await callOperation(app.url, operation, input, {
          ...as,
          headers: { [getCredentialHeader(operation)]: value },
        });
        expect({ value, status: answer.status, outcome: toOutcomeCode(answer) }).toEqual({
          value,
          status: 401,
          outcome: 'invalid_credential',
        });
        expect(answer.headers.get('www-authenticate')?.toLowerCase()).toContain(
          `header="${getCredentialHeader(operation)}"`,
        );
      }
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it.for(namedOperations)(
    '[error.credential-header] $name names the header of the wrong credential',
    async ({ name, operation }) => {
      const { input, as } = await getSharedCall(name);
      const wrong =
        operation.auth === 'context'
          ? ['x-context-key', 'x-admin-key']
          : ['x-api-key', 'x-admin-key'];
      for (const header of wrong) {
        const answer = await callOperation(app.url, operation, input, {
          ...as,
          headers: { [header]: 'wrong' },
        });
        expect({
          outcome: toOutcomeCode(answer),
          wwwAuthenticate: answer.headers.get('www-authenticate')?.toLowerCase(),
        }).toEqual({ outcome: 'invalid_credential', wwwAuthenticate: `apikey header="${header}"` });
      }
    },
  );

  it.for(namedOperations)(
    '[guest.key-only-there] [registry.generic-tests] $name tells guests from agents',
    async ({ name, operation }) => {
      const { input, as } = await (isMutation(operation)
        ? makeValidCall(name, await getFixture(name), f)
        : getSharedCall(name));
      if (operation.auth === 'agent' || operation.auth === 'admin') {
        const answer = await callOperation(app.url, operation, input, {
          context: createContextKey(),
        });
        expect(answer).toMatchObject(buildProblem(401, 'unauthenticated'));
      }
      const stranger =
        operation.auth === 'context' ? { key: sharedFixture.blocked.key } : { context: 'nonsense' };
      expect((await callOperation(app.url, operation, input, { ...as, ...stranger })).status).toBe(
        200,
      );
    },
  );

  const ofAgents = guardedOperations.filter(({ operation }) => operation.auth !== 'context');
  it.for(ofAgents)(
    '[registry.generic-tests] $name refuses a blocked agent',
    async ({ name, operation }) => {
      const { input } = await getSharedCall(name);
      const before = await changes.getLatest();
      expect(
        await callOperation(app.url, operation, input, { key: sharedFixture.blocked.key }),
      ).toMatchObject(buildProblem(403, 'agent_blocked'));
      expect(await changes.getLatest()).toBe(before);
    },
  );

  /**
   * The contract, section 4, names what needs "forum"; keys and activation have rules of their own.
   */
  const requiresForumScope = ({ path, name, auth }: Operation) =>
    auth === 'agent' &&
    (/^\/(messages|rooms|threads)\//.test(path) ||
      /^\/api\/v1\/(claims|rooms|threads|messages|files|invitations|events|reports)\b/.test(path) ||
      /^\/api\/v1\/me\/(catch-up|claims|events|invitations|mutes|read|webhook)\b/.test(path) ||
      name === 'updateProfile');

  it.for(namedOperations)(
    '[registry.generic-tests] $name asks for its scope',
    async ({ name, operation }) => {
      const hint = `the scope "forum" of ${name}: correct it, or the paths of requiresForumScope`;
      expect(operation.scope === 'forum' && operation.auth === 'agent', hint).toBe(
        requiresForumScope(operation as Operation),
      );
      if (!requiresForumScope(operation as Operation)) return;
      const { input } = await getSharedCall(name);
      const before = await changes.getLatest();
      expect(
        await callOperation(app.url, operation, input, { key: withoutForum.apiKey }),
      ).toMatchObject(buildProblem(403, 'insufficient_scope', { requiredScope: 'forum' }));
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it.for(namedOperations.filter(({ operation }) => operation.scope && operation.auth === 'public'))(
    '[registry.generic-tests] [access.key-optional] $name ignores a key without its scope',
    async ({ name, operation }) => {
      const { input } = await getSharedCall(name);
      const anyone = await callOperation(app.url, operation, input);
      const scoped = await callOperation(app.url, operation, input, { key: withoutForum.apiKey });
      expect({ status: scoped.status, text: scoped.text }).toEqual({
        status: 200,
        text: anyone.text,
      });
    },
  );
});

describe('a call that succeeds', () => {
  it.for(namedOperations)(
    '[wire.success-200] [wire.no-store] [wire.request-id] [wire.trust-mark] $name succeeds',
    async ({ name, operation }) => {
      const { input, as } = await (isMutation(operation)
        ? makeValidCall(name, await getFixture(name), f)
        : getSharedCall(name));
      const answer = await callOperation(app.url, operation, input, {
        ...as,
        headers: { 'x-request-id': `my.own_id-${name}` },
      });
      expect(answer.status).toBe(200);
      const media =
        operation.kind === 'call'
          ? 'application/json; charset=utf-8'
          : operation.media === 'text/html'
            ? 'text/html; charset=utf-8'
            : operation.media;
      if (media !== '*/*') expect(answer.headers.get('content-type')).toBe(media);
      expect(answer.headers.get('x-request-id')).toBe(`my.own_id-${name}`);
      const open = operation.auth === 'public' && !isMutation(operation);
      const { cacheFor } = operation;
      const kept =
        cacheFor === 'immutable'
          ? 'max-age=31536000, immutable'
          : cacheFor === undefined
            ? 'no-cache'
            : `max-age=${cacheFor}`;
      expect(answer.headers.get('cache-control')).toBe(
        open ? `public, ${kept}` : 'private, no-store',
      );
      expect(answer.headers.get('x-content-trust')).toBe(operation.untrusted ? 'untrusted' : null);
      // Handles, names, titles and bodies of this world are all written by agents; documents speak
      // of rooms and threads as such.
      if (
        operation.tag !== 'docs' &&
        /agent-\d+|new-\d+|A room|A thread|First\.|Somebody|"one"/.test(answer.text)
      )
        expect(operation.untrusted).toBe(true);
    },
  );

  it.for(
    namedOperations.filter(
      ({ operation }) => operation.auth === 'public' && !isMutation(operation),
    ),
  )('[wire.no-store] $name is not cached with a key', async ({ name, operation }) => {
    const { input } = await getSharedCall(name);
    for (const as of [{ key: sharedFixture.owner.key }, { admin: true }]) {
      expect(
        (await callOperation(app.url, operation, input, as)).headers.get('cache-control'),
      ).toBe('private, no-store');
    }
  });
});

describe('idempotency', () => {
  it.for(mutations)(
    '[idem.required] [idem.accepted] [registry.generic-tests] $name asks for its key',
    async ({ name, operation }) => {
      const { idempotency } = getCase(name);
      expect(operation.idempotency).toBe(idempotency);
      const { input, as } = await makeValidCall(name, await getFixture(name), f);
      const before = await changes.getLatest();
      const answer = await callOperation(app.url, operation, input, { ...as, idem: false });
      if (idempotency !== 'required') return expect(answer.status).toBe(200);
      expect(answer).toMatchObject(buildProblem(400, 'idempotency_key_required'));
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it.for(mutations)(
    '[idem.accepted] [idem.replay] [idem.reused] [registry.generic-tests] $name is done once',
    async ({ name, operation }) => {
      const { input, as, other } = await makeValidCall(name, await getFixture(name), f);
      const idem = randomUUID();
      const first = await callOperation(app.url, operation, input, { ...as, idem });
      expect({ status: first.status, replayed: first.headers.get('idempotency-replayed') }).toEqual(
        { status: 200, replayed: null },
      );
      const before = await changes.getLatest();
      const again = await callOperation(app.url, operation, input, { ...as, idem });
      // The key that a call revoked cannot ask for its answer: the contract, section 3, rule 10.
      if (getCase(name).endsKey === 'revoked')
        expect(again).toMatchObject(buildProblem(401, 'invalid_credential'));
      else
        expect({
          status: again.status,
          text: again.text,
          replayed: again.headers.get('idempotency-replayed'),
        }).toEqual({ status: 200, text: first.text, replayed: 'true' });
      if (other)
        expect(await callOperation(app.url, operation, other, { ...as, idem })).toMatchObject(
          buildProblem(422, 'idempotency_key_reused'),
        );
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it('[registry.generic-tests] has another input for every operation that takes one', async () => {
    for (const { name, operation } of mutations) {
      const { other } = await getSharedCall(name);
      expect(Boolean(other), name).toBe(Boolean(operation.params ?? operation.body));
    }
    expect(mutations.length).toBeGreaterThan(15);
    expect(() => getOperation('nothing')).toThrow('There is no operation nothing.');
  });
});
