import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { startApp } from '../support/app.ts';
import { validCall } from '../calls.ts';
import { watchChanges } from './row-changes.ts';
import { everythingOn } from '../everything.ts';
import { contextKey, factories, refused } from '../support/factories.ts';
import { ask, codeOf, createWorld, headerOf, operationOf, registry, worldsOf } from './fixture.ts';

const app = await startApp(
  { ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { jobsByHand: true },
);
const f = factories(app);
const changes = await watchChanges(app);
const worldFor = worldsOf(f);
/** For calls that are refused and so leave it as it is. */
const still = await createWorld(f);
// Nothing runs by itself here, and there must be something in the log.
await app.app.jobs.runDue();

const expiring = await f.scopedKey(still.owner, ['forum'], {
  expiresAt: new Date(app.clock() + 1).toISOString(),
});
const revoked = await f.scopedKey(still.owner, ['forum']);
await f.ok('DELETE', '/api/v1/me/keys/current', { key: revoked.apiKey });
await f.grant(still.owner, 'credentials');
const withoutForum = await f.scopedKey({ ...still.owner, key: still.owner.key }, ['credentials']);
app.clock.advance(1);

const named = registry.map((operation) => ({ name: operation.name, operation }));
const guarded = named.filter(({ operation }) => operation.auth !== 'public');
const mutations = named.filter(({ operation }) => isMutation(operation));

describe('credentials', () => {
  it.for(guarded)(
    '[registry.generic-tests] [access.key-needed] [error.unauthenticated] $name needs one',
    async ({ name, operation }) => {
      const { input } = await validCall(name, still, f);
      const before = await changes.count();
      const answer = await ask(app.url, operation, input);
      expect(answer).toMatchObject(refused(401, 'unauthenticated'));
      expect(answer.headers.get('www-authenticate')?.toLowerCase()).toContain(
        `header="${headerOf(operation)}"`,
      );
      expect(await changes.count()).toBe(before);
    },
  );

  it.for(named)(
    '[registry.generic-tests] [error.invalid-credential] $name refuses a wrong one',
    async ({ name, operation }) => {
      const { input, as } = await validCall(name, still, f);
      const before = await changes.count();
      const known = still.owner.key;
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
        const answer = await ask(app.url, operation, input, {
          ...as,
          headers: { [headerOf(operation)]: value },
        });
        expect([value, answer.status, codeOf(answer)]).toEqual([value, 401, 'invalid_credential']);
        expect(answer.headers.get('www-authenticate')?.toLowerCase()).toContain(
          `header="${headerOf(operation)}"`,
        );
      }
      expect(await changes.count()).toBe(before);
    },
  );

  it.for(named)(
    '[error.credential-header] $name names the header of the one that is wrong',
    async ({ name, operation }) => {
      const { input, as } = await validCall(name, still, f);
      const wrong =
        operation.auth === 'context'
          ? ['x-context-key', 'x-admin-key']
          : ['x-api-key', 'x-admin-key'];
      for (const header of wrong) {
        const answer = await ask(app.url, operation, input, {
          ...as,
          headers: { [header]: 'wrong' },
        });
        expect([codeOf(answer), answer.headers.get('www-authenticate')?.toLowerCase()]).toEqual([
          'invalid_credential',
          `apikey header="${header}"`,
        ]);
      }
    },
  );

  it.for(named)(
    '[guest.key-only-there] [registry.generic-tests] $name: guests and agents are not taken for each other',
    async ({ name, operation }) => {
      const { input, as } = await validCall(
        name,
        isMutation(operation) ? await worldFor(name) : still,
        f,
      );
      if (operation.auth === 'agent' || operation.auth === 'admin') {
        const answer = await ask(app.url, operation, input, { context: contextKey() });
        expect(answer).toMatchObject(refused(401, 'unauthenticated'));
      }
      const stranger =
        operation.auth === 'context' ? { key: still.blocked.key } : { context: 'nonsense' };
      expect((await ask(app.url, operation, input, { ...as, ...stranger })).status).toBe(200);
    },
  );

  const ofAgents = guarded.filter(({ operation }) => operation.auth !== 'context');
  it.for(ofAgents)(
    '[registry.generic-tests] $name refuses a blocked agent',
    async ({ name, operation }) => {
      const { input } = await validCall(name, still, f);
      const before = await changes.count();
      expect(await ask(app.url, operation, input, { key: still.blocked.key })).toMatchObject(
        refused(403, 'agent_blocked'),
      );
      expect(await changes.count()).toBe(before);
    },
  );

  /** The contract, section 4, names what needs "forum"; keys and activation have rules of their own. */
  const needsForum = ({ path, name, auth }: Operation) =>
    auth === 'agent' &&
    (/^\/api\/v1\/(rooms|threads|messages|invitations|(me\/)?events|me\/webhook|reports)\b/.test(
      path,
    ) ||
      name === 'updateProfile');

  it.for(named)(
    '[registry.generic-tests] $name asks for its scope',
    async ({ name, operation }) => {
      expect(operation.scope === 'forum' && operation.auth === 'agent').toBe(
        needsForum(operation as Operation),
      );
      if (!needsForum(operation as Operation)) return;
      const { input } = await validCall(name, still, f);
      const before = await changes.count();
      expect(await ask(app.url, operation, input, { key: withoutForum.apiKey })).toMatchObject(
        refused(403, 'insufficient_scope', { requiredScope: 'forum' }),
      );
      expect(await changes.count()).toBe(before);
    },
  );

  it.for(named.filter(({ operation }) => operation.scope && operation.auth === 'public'))(
    '[registry.generic-tests] [access.key-optional] $name reads as anyone does with a key that has not its scope',
    async ({ name, operation }) => {
      const { input } = await validCall(name, still, f);
      const anyone = await ask(app.url, operation, input);
      const scoped = await ask(app.url, operation, input, { key: withoutForum.apiKey });
      expect([scoped.status, scoped.text]).toEqual([200, anyone.text]);
    },
  );
});

describe('a call that succeeds', () => {
  it.for(named)(
    '[wire.success-200] [wire.no-store] [wire.request-id] [wire.trust-mark] $name',
    async ({ name, operation }) => {
      const { input, as } = await validCall(
        name,
        isMutation(operation) ? await worldFor(name) : still,
        f,
      );
      const answer = await ask(app.url, operation, input, {
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
      const { keep } = operation;
      const kept =
        keep === 'for ever'
          ? 'max-age=31536000, immutable'
          : keep === undefined
            ? 'no-cache'
            : `max-age=${keep}`;
      expect(answer.headers.get('cache-control')).toBe(
        open ? `public, ${kept}` : 'private, no-store',
      );
      expect(answer.headers.get('x-content-trust')).toBe(operation.untrusted ? 'untrusted' : null);
      // Handles, names, titles and bodies of this world are all written by agents; documents speak of rooms and threads as such.
      if (
        operation.tag !== 'docs' &&
        /agent-\d+|new-\d+|A room|A thread|First\.|Somebody|"one"/.test(answer.text)
      )
        expect(operation.untrusted).toBe(true);
    },
  );

  it.for(named.filter(({ operation }) => operation.auth === 'public' && !isMutation(operation)))(
    '[wire.no-store] $name with a key',
    async ({ name, operation }) => {
      const { input } = await validCall(name, still, f);
      for (const as of [{ key: still.owner.key }, { admin: true }]) {
        expect((await ask(app.url, operation, input, as)).headers.get('cache-control')).toBe(
          'private, no-store',
        );
      }
    },
  );
});

describe('idempotency', () => {
  /** What the spec marks Idem, of what is built. */
  const required = [
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
    'setOperatorGroup',
    'openCase',
    'castBallot',
    'openRound',
    'recordTrust',
    'enroll',
    'createSubsidy',
    'compensate',
    'createOffer',
    'confirmOfferRecipient',
    'acceptOffer',
    'declineOffer',
    'cancelOffer',
    'setConsent',
    'createExport',
    'createTask',
    'cancelTask',
    'takeAssignment',
    'submitWork',
    'addAssignmentEvidence',
    'withdrawAssignmentEvidence',
    'abandonAssignment',
    'createFixture',
    'setRoomNotices',
    'createCampaign',
    'prepareCampaign',
    'dispatchCampaign',
    'recordSending',
    'stopCampaign',
  ];

  it.for(mutations)(
    '[idem.required] [idem.accepted] [registry.generic-tests] $name',
    async ({ name, operation }) => {
      expect(operation.idempotency).toBe(required.includes(name) ? 'required' : undefined);
      const { input, as } = await validCall(name, await worldFor(name), f);
      const before = await changes.count();
      const answer = await ask(app.url, operation, input, { ...as, idem: false });
      if (!required.includes(name)) return expect(answer.status).toBe(200);
      expect(answer).toMatchObject(refused(400, 'idempotency_key_required'));
      expect(await changes.count()).toBe(before);
    },
  );

  it.for(mutations)(
    '[idem.accepted] [idem.replay] [idem.reused] [registry.generic-tests] $name is done once',
    async ({ name, operation }) => {
      const { input, as, other } = await validCall(name, await worldFor(name), f);
      const idem = randomUUID();
      const first = await ask(app.url, operation, input, { ...as, idem });
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
      const before = await changes.count();
      const again = await ask(app.url, operation, input, { ...as, idem });
      // The key that a call revoked cannot ask for its answer: the contract, section 3, rule 10.
      if (name === 'revokeCurrentKey')
        expect(again).toMatchObject(refused(401, 'invalid_credential'));
      else
        expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
          200,
          first.text,
          'true',
        ]);
      if (other)
        expect(await ask(app.url, operation, other, { ...as, idem })).toMatchObject(
          refused(422, 'idempotency_key_reused'),
        );
      expect(await changes.count()).toBe(before);
    },
  );

  it('[registry.generic-tests] has another input for every operation that takes one', async () => {
    for (const { name, operation } of mutations) {
      const { other } = await validCall(name, still, f);
      expect(Boolean(other), name).toBe(Boolean(operation.params ?? operation.body));
    }
    expect(mutations.length).toBeGreaterThan(15);
    expect(() => operationOf('nothing')).toThrow('There is no operation nothing.');
  });
});
