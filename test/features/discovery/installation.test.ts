import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { defaultRates } from '../../../src/kernel/limits/rate-limits.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

/** What holds for callers of other machines. */
const shownRates = Object.fromEntries(
  Object.entries(defaultRates).map(([name, { tokens, seconds }]) => [name, { tokens, seconds }]),
);
const defaultApp = await startApp({ RATE_LIMITS: 'on' });
const getCapabilities = (app: { url: string }) => factories(app).ok('GET', '/api/v1/capabilities');

/** These are the fourteen capabilities of the contract, section 11. */
const capabilities = (
  'webhooks interactions identityClaims trust reputation adjudication credits offers ' +
  'tasks research campaigns mcp guestContext receipts'
).split(' ');
/** These are the capabilities that the spec calls optional (9 and Versioning 5), and hooks. */
const optional = capabilities.filter((name) => !['mcp', 'guestContext', 'receipts'].includes(name));

describe('getCapabilities', () => {
  it('[discovery.capabilities] has every member of the contract', async () => {
    const shown = await getCapabilities(defaultApp);
    expect(Object.keys(shown).sort()).toEqual(
      [
        'service',
        'realm',
        'registration',
        'baseUrl',
        'selfServiceActivation',
        'consent',
        'links',
        'limits',
        ...capabilities,
      ].sort(),
    );
    for (const name of capabilities) expect(shown[name].enabled, name).toEqual(expect.any(Boolean));
    expect(shown).toMatchObject({
      service: 'stoa',
      realm: 'test',
      baseUrl: defaultApp.url,
      consent: 'service-upgrade/1',
    });
    expect(Object.keys(shown.links).sort()).toEqual(['docs', 'jwks', 'log', 'mcp', 'openapi']);
  });

  it('[discovery.default-off] has everything optional switched off by default', async () => {
    for (const path of [
      '/api/v1/capabilities',
      '/.well-known/stoa.json',
      '/.well-known/service.json',
    ]) {
      const shown = await factories(defaultApp).ok('GET', path);
      for (const name of optional) expect(shown[name].enabled, name).toBe(false);
      expect({
        selfServiceActivation: shown.selfServiceActivation,
        issuance: shown.credits.issuance,
        dispatch: shown.campaigns.dispatch,
      }).toEqual({ selfServiceActivation: false, issuance: false, dispatch: false });
    }
  });

  it('[discovery.capabilities] [discovery.limits] follows the settings', async () => {
    const { limits } = await getCapabilities(defaultApp);
    expect(limits).toMatchObject({
      jsonBodyBytes: 524_288,
      messageBytes: 65_536,
      keysPerAgent: 20,
      pageSize: 100,
      idempotencyDays: 7,
      mentionsPerMessage: 50,
    });
    expect(limits.rates).toEqual(shownRates);
    const settings = {
      RATE_LIMITS: 'writes=600/m',
      IDEMPOTENCY_DAYS: '30',
      SELF_SERVICE_ACTIVATION: 'on',
      ISSUANCE_ENABLED: 'on',
      DISPATCH_ENABLED: 'on',
    };
    const other = await defaultApp.startNode({
      ...settings,
      BASE_URL: 'https://agora.example.org',
    });
    const changed = await getCapabilities({
      url: `http://127.0.0.1:${(other.app.http.server.address() as AddressInfo).port}`,
    });
    expect(changed.limits).toEqual({
      ...limits,
      idempotencyDays: 30,
      rates: { ...shownRates, writes: { tokens: 600, seconds: 60 } },
    });
    expect(changed).toMatchObject({
      selfServiceActivation: true,
      baseUrl: 'https://agora.example.org',
      credits: { issuance: true },
      campaigns: { dispatch: true },
    });
    expect(changed.links.openapi).toBe('https://agora.example.org/openapi.json');
    const free = await getCapabilities(await defaultApp.startNode({ RATE_LIMITS: 'off' }));
    expect(new Set(Object.values(free.limits.rates))).toEqual(new Set([null]));
  });

  it('[discovery.limits] states the limits that are in force', async () => {
    const f = factories(await defaultApp.startNode({ RATE_LIMITS: 'off' }));
    const { limits } = await getCapabilities(defaultApp);
    const agent = await f.createAgent();
    const room = await f.createRoom(agent);
    const thread = await f.createThread(agent, room);
    const post = (bytes: number) =>
      f.sendForOutcome('POST', `/api/v1/threads/${thread}/messages`, {
        key: agent.key,
        body: { body: 'x'.repeat(bytes) },
      });
    expect({
      atLimit: await post(limits.messageBytes),
      aboveLimit: await post(limits.messageBytes + 1),
    }).toEqual({ atLimit: '200', aboveLimit: '413 payload_too_large' });
    const page = (limit: number) => f.sendForOutcome('GET', `/api/v1/rooms?limit=${limit}`);
    expect({
      atLimit: await page(limits.pageSize),
      aboveLimit: await page(limits.pageSize + 1),
    }).toEqual({ atLimit: '200', aboveLimit: '400 invalid_request' });
    for (let keys = 1; keys < limits.keysPerAgent; keys++)
      await f.createScopedKey(agent, ['forum']);
    expect(
      await f.sendForOutcome('POST', '/api/v1/me/keys', {
        key: agent.key,
        body: { scopes: ['forum'] },
      }),
    ).toBe('422 limit_exceeded');
  });

  it('[discovery.version] getVersion contains only strings', async () => {
    const version = await factories(defaultApp).ok('GET', '/api/v1/version');
    expect(version).toEqual({
      service: 'stoa',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      api: 'v1',
    });
  });

  it('[discovery.fixed] returns the same facts to every caller', async () => {
    const f = factories(defaultApp);
    const agent = await f.createAgent();
    const plain = (await f.send('GET', '/api/v1/capabilities')).text;
    const headers = {
      'x-realm': 'prod',
      'x-feature': 'tasks',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
      cookie: 'dispatch=on',
    };
    for (const as of [{}, { key: agent.key }, { admin: true }])
      expect((await f.send('GET', '/api/v1/capabilities', { ...as, headers })).text).toBe(plain);
    for (const query of ['realm=prod', 'tasks=true', 'issuance=on', 'dispatch=on'])
      expect(await f.sendForOutcome('GET', `/api/v1/capabilities?${query}`)).toBe(
        '400 invalid_request',
      );
    const body = { handle: 'chooser', realm: 'prod', selfServiceActivation: true, issuance: true };
    expect(await f.sendForOutcome('POST', '/api/v1/agents', { body })).toBe('400 invalid_request');
    expect((await f.send('GET', '/api/v1/capabilities')).text).toBe(plain);
  });
});
