import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { readSettings } from '../../../src/config.ts';
import { capabilities, type Feature } from '../../../src/kernel/scopes.ts';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/app.ts';
import { afterFile } from '../../support/each-file.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp({ SELF_SERVICE_ACTIVATION: 'on' });
const { db } = app.app.env;
const f = factories(app);
const CONSENT = 'service-upgrade/1';

/**
 * Starts another node of the installation with these features on. The settings of this version
 * reject them until the features are built, but the rules exist already.
 */
async function startWithFeatures(...on: Feature[]): Promise<TestApp> {
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
  const options = {
    connection: db.connection,
    log: pino({ level: 'silent' }),
    clock: app.clock,
    checkOutputs: true,
  };
  const node = createApp({ ...settings, features }, options);
  afterFile(() => node[Symbol.asyncDispose]());
  return { ...app, app: node, url: await node.listen() };
}

const nodeWithFeatures = factories(
  await startWithFeatures('interactions', 'adjudication', 'credits', 'research'),
);

const activate = (agent: Pick<TestAgent, 'key'>, list: readonly string[], via = nodeWithFeatures) =>
  via.send('POST', '/api/v1/me/activation', {
    key: agent.key,
    body: { capabilities: list, consent: CONSENT },
  });
const listStates = (agent: Pick<TestAgent, 'key'>, via = nodeWithFeatures): Promise<Json[]> =>
  via.ok('GET', '/api/v1/me/capabilities', { key: agent.key });
const getState = async (agent: Pick<TestAgent, 'key'>, capability: string) =>
  (await listStates(agent)).find((state) => state.capability === capability);
const now = () => new Date(app.clock()).toISOString();
const undecided = {
  state: 'inactive',
  consent: null,
  activatedAt: null,
  revokedAt: null,
  decidedBy: null,
};

describe('listMyCapabilities', () => {
  it('[capability.list] lists all six, and which the installation has on', async () => {
    const ada = await f.createAgent();
    const buildExpectedList = (enabled: readonly string[]) =>
      capabilities.map((capability) => ({
        capability,
        enabled: enabled.includes(capability),
        ...undecided,
      }));
    expect(await listStates(ada, f)).toEqual(buildExpectedList(['credentials']));
    expect(await listStates(ada)).toEqual(buildExpectedList(capabilities));
    expect(await listStates(ada, factories(await startWithFeatures('adjudication')))).toEqual(
      buildExpectedList(['credentials', 'adjudication', 'reviewer']),
    );
    expect(
      await listStates(ada, factories(await startWithFeatures('interactions', 'credits'))),
    ).toEqual(buildExpectedList(['credentials', 'interactions', 'credits']));
    expect(await listStates(ada, factories(await startWithFeatures('research')))).toEqual(
      buildExpectedList(['credentials', 'research']),
    );
  });
});

describe('activateCapabilities', () => {
  it('[capability.activate] activates the listed ones and may be repeated', async () => {
    const ada = await f.createAgent();
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
    expect(await listStates(ada)).toEqual(first.body);
  });

  it('[capability.activate-request] rejects bad names and a missing consent', async () => {
    const ada = await f.createAgent();
    const before = await listStoredRows(db);
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
      const answer = await nodeWithFeatures.send('POST', '/api/v1/me/activation', {
        key: ada.key,
        body,
      });
      expect(answer, JSON.stringify(body)).toMatchObject(buildProblem(400, 'invalid_request'));
      expect(answer.body.errors[0].pointer).toMatch(new RegExp(`^${pointer}`));
    }
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[capability.activate-switch] needs SELF_SERVICE_ACTIVATION', async () => {
    const closed = factories(await app.startNode({ SELF_SERVICE_ACTIVATION: 'off' }));
    const byDefault = factories(await app.startNode({ SELF_SERVICE_ACTIVATION: '' }));
    const ada = await f.createAgent();
    for (const via of [closed, byDefault]) {
      expect(await activate(ada, ['credentials'], via)).toMatchObject(
        buildProblem(403, 'capability_disabled'),
      );
      expect(await via.ok('GET', '/.well-known/service.json')).toMatchObject({
        selfServiceActivation: false,
      });
    }
    expect(await getState(ada, 'credentials')).toMatchObject(undecided);
    expect((await activate(ada, ['credentials'], f)).status).toBe(200);
    expect(await f.ok('GET', '/.well-known/service.json')).toMatchObject({
      selfServiceActivation: true,
    });
  });

  it('[capability.activate-all] activates nothing if one is off or revoked', async () => {
    const ada = await f.createAgent();
    await f.grantCapability(ada, 'credits', 'revoked');
    const before = await listStoredRows(db);
    for (const list of [
      ['credentials', 'research'],
      ['research', 'credentials'],
    ])
      expect(await activate(ada, list, f)).toMatchObject(
        buildProblem(403, 'capability_disabled', { capability: 'research' }),
      );
    for (const list of [['credentials', 'credits'], ['credits', 'interactions'], [...capabilities]])
      expect(await activate(ada, list)).toMatchObject(
        buildProblem(403, 'capability_revoked', { capability: 'credits' }),
      );
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[capability.activate-revoked] never undoes a revocation, whichever came first', async () => {
    const ada = await f.createAgent();
    await activate(ada, ['credits']);
    for (const capability of ['credits', 'research']) {
      const revoked = await f.grantCapability(ada, capability, 'revoked');
      expect(await activate(ada, [capability])).toMatchObject(
        buildProblem(403, 'capability_revoked', { capability }),
      );
      expect(await getState(ada, capability)).toEqual({ ...revoked, enabled: true });
    }
  });

  it(
    '[capability.activate-revoked] [capability.activate-all] ' +
      'loses to a revocation at the same moment',
    async () => {
      for (let round = 0; round < 10; round++) {
        const ada = await f.createAgent();
        const answers = runConcurrently(6, (n) =>
          activate(ada, n % 2 ? ['credits', 'interactions'] : ['interactions', 'credits']),
        );
        await f.grantCapability(ada, 'credits', 'revoked');
        const won = (await answers).filter(({ status }) => status === 200);
        for (const answer of (await answers).filter(({ status }) => status !== 200))
          expect(answer).toMatchObject(buildProblem(403, 'capability_revoked'));
        expect(await getState(ada, 'credits')).toMatchObject({
          state: 'revoked',
          decidedBy: 'administrator',
        });
        expect(await getState(ada, 'interactions')).toMatchObject({
          state: won.length > 0 ? 'active' : 'inactive',
        });
      }
    },
  );

  it('[capability.activate-original] needs the original key, rotated or not', async () => {
    const ada = await f.createAgent();
    await activate(ada, ['credentials']);
    const { apiKey } = await f.createScopedKey(ada, ['forum', 'credentials']);
    for (const list of [['credits'], ['credentials']])
      expect(await activate({ key: apiKey }, list)).toMatchObject(
        buildProblem(403, 'insufficient_scope', { requiredScope: 'forum' }),
      );
    expect(await getState(ada, 'credits')).toMatchObject(undecided);
    const rotated = await f.ok('POST', '/api/v1/me/keys/rotate', { key: ada.key });
    expect((await activate({ key: rotated.apiKey }, ['credits'])).status).toBe(200);
  });
});
