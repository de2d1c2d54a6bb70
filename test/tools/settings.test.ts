import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { SettingError } from '../../src/setting-parsers.ts';
import { startApp } from '../support/app.ts';
import { call, factories } from '../support/factories.ts';

/** Returns the sentence that rejects the settings, or 'accepted'. */
function getRefusal(environment: Record<string, string>): string {
  try {
    readSettings(environment);
    return 'accepted';
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
}

describe('settings', () => {
  it('[config.names] [config.listen] have the defaults of the contract', () => {
    expect(readSettings({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      BASE_URL: null,
      DATA_DIR: './data',
      DATABASE_URL: null,
      WORKERS: 1,
      SERVICE_NAME: 'stoa',
      REALM: 'local',
      ADMIN_KEYS: [],
      DATA_KEY: null,
      TRUST_PROXY: 0,
      CLOCK_OFFSET_SECONDS: 0,
      SELF_SERVICE_ACTIVATION: false,
      features: { webhooks: false, interactions: false, tasks: false, research: false },
    });
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['WORKERS', '0'],
    ['BASE_URL', 'stoa.example.org'],
    ['BASE_URL', 'https://stoa.example.org/path'],
    ['BASE_URL', 'https://ada:confidential@stoa.example.org'],
    ['BASE_URL', 'https://stoa+log.example.org'],
    ['DATABASE_URL', 'mysql://ada:confidential@db.example/stoa'],
    ['FILE_STORE', '/var/files'],
    ['FILE_STORE', 's3://'],
    ['FILE_STORE', 's3://Bucket/x'],
    ['FILE_STORE', 's3://bucket/a b'],
    ['FILE_BYTES', '0'],
    ['FILE_BYTES', '10 MiB'],
    ['S3_ENDPOINT', 'minio:9000'],
    ['S3_ENDPOINT', 'http://minio:9000/path'],
    ['S3_ENDPOINT', 'http://ada:confidential@minio:9000'],
    ['AWS_REGION', 'somewhere else'],
    ['SERVICE_NAME', 'Two Words'],
    ['REALM', 'Über'],
    ['ADMIN_KEYS', 'confidential-but-short'],
    ['ADMIN_KEYS', 'confidential-key-that-is-long-enough,confidential'],
    ['DATA_KEY', 'confidential'],
    ['WEBHOOKS_ENCRYPTION_KEY', 'CONFIDENTIAL'.repeat(6).slice(0, 64)],
    ['MCP_ENABLED', 'maybe'],
    ['TRUST_PROXY', 'all'],
    ['RATE_LIMITS', 'writes=many'],
    ['RATE_LIMITS', 'writers=10/m'],
    ['RATE_LIMITS', 'writes=0/m'],
    ['CLOCK_OFFSET_SECONDS', 'tomorrow'],
    ['IDEMPOTENCY_DAYS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PORT', '-1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])(
    '[config.bad-value] %s=%s is rejected with a helpful sentence without secrets',
    (name, value) => {
      expect(readSettings({ [name]: '' })).toEqual(readSettings({}));
      const sentence = getRefusal({ [name]: value });
      expect(sentence).toMatch(new RegExp(`^${name} must be .{10,}\\.$`));
      expect(sentence).not.toMatch(/confidential/i);
      expect(sentence).not.toContain('\n');
    },
  );

  it('[config.bad-value] accept the other spellings of the spec', () => {
    expect(getRefusal({ WebhooksEnabled: 'maybe' })).toMatch(/^WEBHOOKS_ENABLED must be/);
    expect(getRefusal({ WebhooksEncryptionKey: 'short' })).toMatch(
      /^WEBHOOKS_ENCRYPTION_KEY must be/,
    );
    expect(readSettings({ WebhooksEncryptionKey: 'ab'.repeat(32) }).WEBHOOKS_ENCRYPTION_KEY).toBe(
      'ab'.repeat(32),
    );
  });

  it.each(['WEBHOOKS_ENABLED', 'WebhooksEnabled'])(
    '[webhook.key-required] reject %s without a valid key for the secrets',
    (name) => {
      const key = 'ab'.repeat(32);
      expect(getRefusal({ [name]: 'on' })).toMatch(/^WEBHOOKS_ENCRYPTION_KEY must be set .*\.$/);
      for (const wrong of [key.slice(1), key.toUpperCase(), `${key}0`, 'secret', ` ${key}`])
        for (const keyName of ['WEBHOOKS_ENCRYPTION_KEY', 'WebhooksEncryptionKey'])
          expect(getRefusal({ [name]: 'on', [keyName]: wrong })).toMatch(
            /^WEBHOOKS_ENCRYPTION_KEY must be 32 random bytes as 64 lowercase hex digits.*\.$/,
          );
      for (const keyName of ['WEBHOOKS_ENCRYPTION_KEY', 'WebhooksEncryptionKey']) {
        expect(getRefusal({ [name]: 'on', [keyName]: key })).toBe('accepted');
        expect(readSettings({ [name]: 'on', [keyName]: key }).features.webhooks).toBe(true);
      }
    },
  );

  it.each([
    'hooks.example',
    'hooks.example=1.2.3.4',
    'hooks.example=1.2.3.4=127.0.0.1',
    'a=b=c:d',
    'a=8.8.8.8=127.0.0.1:1,',
    '=8.8.8.8=127.0.0.1:1',
  ])('[dial.test-only] reject the names %s in TEST_DIAL', (value) => {
    expect(getRefusal({ TEST_DIAL: value, REALM: 'test' })).toMatch(/^TEST_DIAL must be .*\.$/);
  });

  it('[dial.test-only] accept names with addresses of both kinds, also several', () => {
    const value =
      'Hooks.Example=8.8.8.8=127.0.0.1:4433, hooks.example=[2606:4700::1111]=[::1]:4434';
    expect(readSettings({ TEST_DIAL: value, REALM: 'test' }).TEST_DIAL).toEqual([
      { name: 'hooks.example', claimed: '8.8.8.8', host: '127.0.0.1', port: 4433 },
      { name: 'hooks.example', claimed: '2606:4700::1111', host: '::1', port: 4434 },
    ]);
  });

  it.each([
    ['CLOCK_OFFSET_SECONDS', '-60'],
    ['TEST_DIAL', 'hooks.example=203.0.113.1=127.0.0.1:4433'],
    ['TEST_CA', '/tmp/ca.pem'],
  ])('[config.test-only] [dial.test-only] reject %s outside a test realm', (name, value) => {
    for (const REALM of ['', 'local', 'production', 'test2'])
      expect(getRefusal({ [name]: value, REALM })).toBe(
        `${name} is for tests only and needs REALM=test.`,
      );
    expect(getRefusal({ [name]: value, REALM: 'test' })).toBe('accepted');
  });
});

const app = await startApp();

describe('the started service', () => {
  it('[dial.test-only] does not start with an unreadable test authority', async () => {
    await expect(app.startNode({ TEST_CA: '/nowhere/ca.pem' })).rejects.toThrow(
      /^TEST_CA must be a file .*\.$/,
    );
  });

  const getManifest = async (url: string) =>
    (await call(url, 'GET', '/.well-known/service.json')).body;

  it('[config.listen] listens where HOST and PORT say, and publishes that address', async () => {
    // All of 127.0.0.0/8 is this machine on Linux, and elsewhere only the usual address is.
    const HOST = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
    const { url } = await app.startNode({ HOST });
    expect(url).toMatch(new RegExp(`^http://${HOST.replaceAll('.', '\\.')}:[1-9]\\d+$`));
    expect(await getManifest(url)).toMatchObject({
      baseUrl: url,
      links: { openapi: `${url}/openapi.json` },
    });
    // Another program may listen there by chance, but not this service.
    const elsewhere = await getManifest(url.replace(HOST, '127.0.0.1')).catch(() => null);
    if (HOST === '127.0.0.2') expect(elsewhere?.baseUrl).not.toBe(url);
    const port = Number(new URL(url).port);
    await expect(app.startNode({ HOST, PORT: String(port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port,
    });
  });

  it('[config.listen] publishes BASE_URL when it is set', async () => {
    const baseUrl = 'https://stoa.example.org';
    const named = await app.startNode({ BASE_URL: baseUrl });
    expect(named.url).toBe(baseUrl);
    const { port } = named.app.http.server.address() as { port: number };
    expect(await getManifest(`http://127.0.0.1:${port}`)).toMatchObject({
      baseUrl,
      links: { openapi: `${baseUrl}/openapi.json` },
    });
    expect((await call(`http://127.0.0.1:${port}`, 'GET', '/api/v1/me')).body.type).toBe(
      `${baseUrl}/docs/errors.md#unauthenticated`,
    );
  });

  it('[config.names] is called SERVICE_NAME, in the realm REALM', async () => {
    const { url } = await app.startNode({ SERVICE_NAME: 'agora', REALM: 'athens' });
    const named = await call(url, 'GET', '/.well-known/agora.json');
    expect(named).toMatchObject({ status: 200, body: { service: 'agora', realm: 'athens' } });
    expect(await getManifest(url)).toEqual(named.body);
    // Only its own name works. Another name is no path of its document either.
    expect((await fetch(`${url}/.well-known/stoa.json`)).status).toBe(404);
    expect((await call(url, 'GET', '/api/v1/version')).body).toMatchObject({ service: 'agora' });
  });

  it.each([
    { proxies: 'off', first: '203.0.113.1', second: '203.0.113.2', told: 'as one caller' },
    { proxies: '1', first: '203.0.113.3', second: '203.0.113.4', told: 'apart' },
    {
      proxies: '1',
      first: '203.0.113.5, 198.51.100.1',
      second: '203.0.113.6, 198.51.100.1',
      told: 'as one caller',
    },
    {
      proxies: '2',
      first: '203.0.113.7, 198.51.100.2',
      second: '203.0.113.8, 198.51.100.2',
      told: 'apart',
    },
  ])(
    '[config.trust-proxy] behind $proxies proxies takes callers from $first and $second $told',
    async ({ proxies, first, second, told }) => {
      const { url } = await app.startNode({
        TRUST_PROXY: proxies,
        RATE_LIMITS: 'registrations=1/d',
      });
      const f = factories({ url });
      const register = (forwarded: string, handle: string) =>
        f.sendForOutcome('POST', '/api/v1/agents', {
          body: { handle },
          headers: {
            'x-forwarded-for': forwarded,
            forwarded: `for=${forwarded}`,
            'x-real-ip': forwarded,
          },
        });
      const name = `caller-${first.replace(/\D/g, '')}`;
      expect(await register(first, `${name}-a`)).toBe('200');
      expect(await register(first, `${name}-b`)).toBe('429 rate_limited');
      expect(await register(second, `${name}-c`)).toBe(
        told === 'apart' ? '200' : '429 rate_limited',
      );
    },
  );
});
