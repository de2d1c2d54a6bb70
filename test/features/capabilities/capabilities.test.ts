import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { readSettings } from '../../../src/config.ts';
import { capabilities, type Feature } from '../../../src/kernel/scopes.ts';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/app.ts';
import { afterFile } from '../../support/each-file.ts';
import { factories, type Loose, refused, type TestAgent, together } from '../../support/factories.ts';
import { everythingStored } from '../../support/stored-rows.ts';

const app = await startApp({ SELF_SERVICE_ACTIVATION: 'on' });
const { db } = app.app.env;
const f = factories(app);
const CONSENT = 'service-upgrade/1';

/** Another node of the installation, with features on that this version's settings refuse as long as they are not built: the rules are there already. */
async function withFeatures(...on: Feature[]): Promise<TestApp> {
  const settings = readSettings({
    PORT: '0',
    REALM: 'test',
    RATE_LIMITS: 'off',
    ADMIN_KEYS: ADMIN_KEY,
    SELF_SERVICE_ACTIVATION: 'on',
  });
  const features = {
    ...settings.features,
    ...Object.fromEntries(on.map((feature) => [feature, true])),
  };
  const world = {
    connection: db.connection,
    log: pino({ level: 'silent' }),
    clock: app.clock,
    checkOutputs: true,
  };
  const node = createApp({ ...settings, features }, world);
  afterFile(() => node[Symbol.asyncDispose]());
  return { ...app, app: node, url: await node.listen() };
}

const rich = factories(await withFeatures('interactions', 'adjudication', 'credits', 'research'));

const activate = (agent: Pick<TestAgent, 'key'>, list: readonly string[], via = rich) =>
  via.send('POST', '/api/v1/me/activation', {
    key: agent.key,
    body: { capabilities: list, consent: CONSENT },
  });
const states = (agent: Pick<TestAgent, 'key'>, via = rich): Promise<Loose[]> =>
  via.ok('GET', '/api/v1/me/capabilities', { key: agent.key });
const stateOf = async (agent: Pick<TestAgent, 'key'>, capability: string) =>
  (await states(agent)).find((state) => state.capability === capability);
const now = () => new Date(app.clock()).toISOString();
const undecided = {
  state: 'inactive',
  consent: null,
  activatedAt: null,
  revokedAt: null,
  decidedBy: null,
};

describe('capabilities', () => {
  it('[capability.list] are six, whatever was decided, with what the installation has on', async () => {
    const ada = await f.agent();
    const all = (enabled: readonly string[]) =>
      capabilities.map((capability) => ({
        capability,
        enabled: enabled.includes(capability),
        ...undecided,
      }));
    expect(await states(ada, f)).toEqual(all(['credentials']));
    expect(await states(ada)).toEqual(all(capabilities));
    expect(await states(ada, factories(await withFeatures('adjudication')))).toEqual(
      all(['credentials', 'adjudication', 'reviewer']),
    );
    expect(await states(ada, factories(await withFeatures('interactions', 'credits')))).toEqual(
      all(['credentials', 'interactions', 'credits']),
    );
    expect(await states(ada, factories(await withFeatures('research')))).toEqual(
      all(['credentials', 'research']),
    );
  });
});

describe('activation', () => {
  it('[capability.activate] makes the listed ones active by the agent itself, and repeating it changes nothing', async () => {
    const ada = await f.agent();
    const first = await activate(ada, ['credits', 'credentials']);
    const active = {
      enabled: true,
      state: 'active',
      consent: CONSENT,
      activatedAt: now(),
      revokedAt: null,
      decidedBy: 'self',
    };
    expect(first.status).toBe(200);
    expect(first.body).toEqual(
      capabilities.map((capability) => ({
        capability,
        ...(['credits', 'credentials'].includes(capability)
          ? active
          : { enabled: true, ...undecided }),
      })),
    );
    app.clock.advance(1000);
    expect((await activate(ada, ['credentials', 'credits'])).body).toEqual(first.body);
    expect((await activate(ada, ['credits'])).body).toEqual(first.body);
    expect(await states(ada)).toEqual(first.body);
  });

  it('[capability.activate-request] names known capabilities and the consent, or is refused', async () => {
    const ada = await f.agent();
    const before = await everythingStored(db);
    const wrong: [string, unknown][] = [
      ...[['forum'], ['flying'], ['credits', 'credits'], [], 'credits'].map(
        (list): [string, unknown] => [
          '/body/capabilities',
          { capabilities: list, consent: CONSENT },
        ],
      ),
      ['/body/capabilities', { consent: CONSENT }],
      ...['service-upgrade/2', '', null, true].map((consent): [string, unknown] => [
        '/body/consent',
        { capabilities: ['credits'], consent },
      ]),
      ['/body/consent', { capabilities: ['credits'] }],
    ];
    for (const [pointer, body] of wrong) {
      const answer = await rich.send('POST', '/api/v1/me/activation', { key: ada.key, body });
      expect(answer, JSON.stringify(body)).toMatchObject(refused(400, 'invalid_request'));
      expect(answer.body.errors[0].pointer).toMatch(new RegExp(`^${pointer}`));
    }
    expect(await everythingStored(db)).toEqual(before);
  });

  it('[capability.activate-switch] is off unless SELF_SERVICE_ACTIVATION is on, as the manifest says', async () => {
    const closed = factories(await app.another({ SELF_SERVICE_ACTIVATION: 'off' }));
    const byDefault = factories(await app.another({ SELF_SERVICE_ACTIVATION: '' }));
    const ada = await f.agent();
    for (const via of [closed, byDefault]) {
      expect(await activate(ada, ['credentials'], via)).toMatchObject(
        refused(403, 'capability_disabled'),
      );
      expect(await via.ok('GET', '/.well-known/service.json')).toMatchObject({
        selfServiceActivation: false,
      });
    }
    expect(await stateOf(ada, 'credentials')).toMatchObject(undecided);
    expect((await activate(ada, ['credentials'], f)).status).toBe(200);
    expect(await f.ok('GET', '/.well-known/service.json')).toMatchObject({
      selfServiceActivation: true,
    });
  });

  it('[capability.activate-all] activates nothing when one is switched off or revoked', async () => {
    const ada = await f.agent();
    await f.grant(ada, 'credits', 'revoked');
    const before = await everythingStored(db);
    for (const list of [
      ['credentials', 'research'],
      ['research', 'credentials'],
    ])
      expect(await activate(ada, list, f)).toMatchObject(
        refused(403, 'capability_disabled', { capability: 'research' }),
      );
    for (const list of [['credentials', 'credits'], ['credits', 'interactions'], [...capabilities]])
      expect(await activate(ada, list)).toMatchObject(
        refused(403, 'capability_revoked', { capability: 'credits' }),
      );
    expect(await everythingStored(db)).toEqual(before);
  });

  it('[capability.activate-revoked] never undoes a revocation, before or after an own activation', async () => {
    const ada = await f.agent();
    await activate(ada, ['credits']);
    for (const capability of ['credits', 'research']) {
      const revoked = await f.grant(ada, capability, 'revoked');
      expect(await activate(ada, [capability])).toMatchObject(
        refused(403, 'capability_revoked', { capability }),
      );
      expect(await stateOf(ada, capability)).toEqual({ ...revoked, enabled: true });
    }
  });

  it('[capability.activate-revoked] [capability.activate-all] loses against a revocation at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const ada = await f.agent();
      const answers = together(6, (n) =>
        activate(ada, n % 2 ? ['credits', 'interactions'] : ['interactions', 'credits']),
      );
      await f.grant(ada, 'credits', 'revoked');
      const won = (await answers).filter(({ status }) => status === 200);
      for (const answer of (await answers).filter(({ status }) => status !== 200))
        expect(answer).toMatchObject(refused(403, 'capability_revoked'));
      expect(await stateOf(ada, 'credits')).toMatchObject({
        state: 'revoked',
        decidedBy: 'administrator',
      });
      expect(await stateOf(ada, 'interactions')).toMatchObject({
        state: won.length > 0 ? 'active' : 'inactive',
      });
    }
  });

  it('[capability.activate-original] needs the original key, rotated or not', async () => {
    const ada = await f.agent();
    await activate(ada, ['credentials']);
    const { apiKey } = await f.scopedKey(ada, ['forum', 'credentials']);
    for (const list of [['credits'], ['credentials']])
      expect(await activate({ key: apiKey }, list)).toMatchObject(
        refused(403, 'insufficient_scope', { requiredScope: 'forum' }),
      );
    expect(await stateOf(ada, 'credits')).toMatchObject(undecided);
    const rotated = await f.ok('POST', '/api/v1/me/keys/rotate', { key: ada.key });
    expect((await activate({ key: rotated.apiKey }, ['credits'])).status).toBe(200);
  });
});
