import {
  defaultLoadLimits,
  type LoadLimitValues,
  loadLimitNames,
} from './kernel/callers/load-limits.ts';
import type { Rate } from './kernel/callers/rate-limit-subjects.ts';
import { defaultRates, type Rates, rateClasses } from './kernel/callers/rate-limits.ts';
import { parseUrl } from './kernel/schema/url.ts';
import { type Feature, features } from './kernel/scopes.ts';
import type { TestName } from './outgoing/test-network.ts';

/**
 * A setting that the service cannot start with: the message names the variable and says what to
 * set.
 */
export class SettingError extends Error {
  constructor(name: string, detail: string) {
    super(`${name} ${detail}`);
    this.name = 'SettingError';
  }
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;
type Parse<T> = (text: string | undefined, name: string) => T;

const text =
  <D extends string | null>(fallback: D): Parse<string | D> =>
  (value) =>
    value === undefined || value === '' ? fallback : value;

const integer =
  (fallback: number, minimum: number, maximum: number): Parse<number> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    const number = Number(value);
    if (!Number.isInteger(number) || number < minimum || number > maximum)
      throw new SettingError(
        name,
        `must be a whole number from ${minimum} to ${maximum}, not "${value}".`,
      );
    return number;
  };

const flag =
  (fallback: boolean): Parse<boolean> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    if (/^(on|true|1|yes)$/i.test(value)) return true;
    if (/^(off|false|0|no)$/i.test(value)) return false;
    throw new SettingError(name, `must be "on" or "off", not "${value}".`);
  };

const pattern =
  <D extends string | null>(fallback: D, shape: RegExp, hint: string): Parse<string | D> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    if (!shape.test(value)) throw new SettingError(name, `must be ${hint}.`);
    return value;
  };

const choice =
  <const Words extends readonly string[]>(
    fallback: Words[number],
    words: Words,
  ): Parse<Words[number]> =>
  (value, name) => {
    if (value === undefined || value === '') return fallback;
    const found = words.find((word) => word === value.toLowerCase());
    if (found === undefined)
      throw new SettingError(name, `must be one of ${words.join(', ')}, not "${value}".`);
    return found;
  };

const baseUrl: Parse<string | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  // It is the issuer of receipts and, without its scheme, the name of the log: neither has
  // credentials, nor a "+" in it (C2SP signed-note). Verifiers take host names as DNS has them,
  // international ones in their ASCII form.
  if (!/^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i.test(value) || !parseUrl(value))
    throw new SettingError(
      name,
      'must be an address without path and credentials, such as https://stoa.example.org.',
    );
  return value;
};

const postgresUrl: Parse<string | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  if (!/^postgres(ql)?:\/\//.test(value))
    throw new SettingError(
      name,
      'must be a PostgreSQL address, such as postgres://user:password@host:5432/stoa.',
    );
  return value;
};

/** Where the bytes of files are: null for a folder under DATA_DIR. */
const fileStore: Parse<{ readonly bucket: string; readonly prefix: string } | null> = (
  value,
  name,
) => {
  if (value === undefined || value === '' || value === 'DATA_DIR') return null;
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(value) ?? [];
  if (bucket === undefined)
    throw new SettingError(
      name,
      'must be DATA_DIR, or a bucket and a prefix for its keys, such as s3://my-bucket/stoa.',
    );
  return { bucket, prefix: prefix.split('/').filter(Boolean).join('/') };
};

const endpoint: Parse<string | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  if (!/^https?:\/\/[^/?#@]+\/?$/.test(value) || !parseUrl(value))
    throw new SettingError(name, 'must be an address without path, such as http://127.0.0.1:9000.');
  return value.replace(/\/$/, '');
};

const adminKeys: Parse<readonly string[]> = (value, name) => {
  const keys = (value ?? '').split(',').map((key) => key.trim());
  const given = keys.filter((key) => key !== '');
  if (given.some((key) => key.length < 32))
    throw new SettingError(
      name,
      'must be keys of at least 32 characters, separated by commas. To make one: stoa ' +
        'admin-key create.',
    );
  return given;
};

/** Addresses as RFC 9116 takes them, separated by commas. */
const contacts: Parse<readonly string[]> = (value, name) => {
  const given = (value ?? '').split(',').map((one) => one.trim());
  const named = given.filter((one) => one !== '');
  if (
    named.some(
      (one) => !/^(?:https:\/\/[^/\s]|mailto:[^@\s]+@[^@\s]|tel:\+?[\d-])[^\s]*$/.test(one),
    )
  )
    throw new SettingError(
      name,
      'must be addresses such as mailto:security@example.org or ' +
        'https://example.org/security, separated by commas.',
    );
  return named;
};

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

const rates: Parse<Rates | 'off'> = (value, name) => {
  if (value === undefined || value === '' || /^(on|true)$/i.test(value)) return defaultRates;
  if (/^(off|false)$/i.test(value)) return 'off';
  const changed: Partial<Record<string, Rate>> = {};
  for (const part of value.split(',')) {
    const [, policy = '', tokens = '', unit = ''] =
      /^\s*(\w+)=(\d+)\/([smhd])\s*$/.exec(part) ?? [];
    if (!(rateClasses as readonly string[]).includes(policy) || Number(tokens) < 1) {
      throw new SettingError(
        name,
        'must be "on", "off" or overrides such as writes=600/m,registrations=10/h (of ' +
          `${rateClasses.join(', ')}), not "${value}".`,
      );
    }
    changed[policy] = {
      tokens: Number(tokens),
      seconds: unitSeconds[unit as keyof typeof unitSeconds],
    };
  }
  return { ...defaultRates, ...changed } as Rates;
};

const loadLimits: Parse<LoadLimitValues | 'off'> = (value, name) => {
  if (value === undefined || value === '' || /^(on|true)$/i.test(value)) return defaultLoadLimits;
  if (/^(off|false)$/i.test(value)) return 'off';
  const changed: Record<string, number> = {};
  for (const part of value.split(',')) {
    const [, limit = '', amount = ''] = /^\s*(\w+\.\w+)=(\d{1,12})\s*$/.exec(part) ?? [];
    if (!(loadLimitNames as readonly string[]).includes(limit) || Number(amount) < 1)
      throw new SettingError(
        name,
        'must be "on", "off" or overrides such as waits.agent=32,bodyBytes.process=134217728 (of ' +
          `${loadLimitNames.join(', ')}), not "${value}".`,
      );
    changed[limit] = Number(amount);
  }
  return { ...defaultLoadLimits, ...changed };
};

const hexKey = pattern(
  null,
  /^[0-9a-f]{64}$/,
  '32 random bytes as 64 lowercase hex digits; make one with: openssl rand -hex 32',
);

/**
 * Names that tests resolve themselves: name=claimed-address=host:port. Null when there are none.
 */
const testNames: Parse<readonly TestName[] | null> = (value, name) => {
  if (value === undefined || value === '') return null;
  return value.split(',').map((part) => {
    const [, known = '', claimed = '', host = '', port = ''] =
      /^\s*([^=\s]+)=([^=\s]+)=\[?([\d.:a-f]+?)\]?:(\d{1,5})\s*$/i.exec(part) ?? [];
    if (known === '')
      throw new SettingError(
        name,
        'must be names with their addresses, such as ' +
          'hooks.example=93.184.216.34=127.0.0.1:4433, separated by commas.',
      );
    return {
      name: known.toLowerCase(),
      claimed: claimed.replace(/^\[|\]$/g, ''),
      host,
      port: Number(port),
    };
  });
};

/**
 * Every variable that the service reads, with its default. README lists the same names; a test
 * compares.
 */
const settingParsers = {
  HOST: text('127.0.0.1'),
  PORT: integer(8080, 0, 65_535),
  BASE_URL: baseUrl,
  DATA_DIR: text('./data'),
  DATABASE_URL: postgresUrl,
  DATABASE_OWNER_URL: postgresUrl,
  FILE_STORE: fileStore,
  FILE_BYTES: integer(10 * 1024 * 1024, 1, 1024 ** 3),
  AGENT_BYTES_PER_DAY: integer(524_288_000, 1, Number.MAX_SAFE_INTEGER),
  GUEST_BYTES_PER_DAY: integer(10_485_760, 1, Number.MAX_SAFE_INTEGER),
  DISK_FLOOR_BYTES: integer(1024 ** 3, 0, Number.MAX_SAFE_INTEGER),
  S3_ENDPOINT: endpoint,
  AWS_ACCESS_KEY_ID: text(null),
  AWS_SECRET_ACCESS_KEY: text(null),
  AWS_SESSION_TOKEN: text(null),
  AWS_REGION: pattern('us-east-1', /^[a-z0-9-]+$/, 'the name of a region, such as eu-central-1'),
  WORKERS: integer(1, 1, 64),
  SERVICE_NAME: pattern(
    'stoa',
    /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/,
    'a slug of a-z, 0-9 and "-"',
  ),
  REALM: pattern('local', /^[a-z0-9][a-z0-9.-]{0,62}$/, 'a word of a-z, 0-9, "." and "-"'),
  ADMIN_KEYS: adminKeys,
  DATA_KEY: hexKey,
  WEBHOOKS_ENABLED: flag(false),
  WEBHOOKS_ENCRYPTION_KEY: hexKey,
  MCP_ENABLED: flag(true),
  MCP_REGISTRY_AUTH: pattern(
    null,
    /^v=MCPv1; *k=\w+; *p=[A-Za-z0-9+/=]+;?$/,
    'the line that the registry asks for, such as "v=MCPv1; k=ed25519; p=<public key in base64>"',
  ),
  SECURITY_CONTACT: contacts,
  SELF_SERVICE_ACTIVATION: flag(false),
  ISSUANCE_ENABLED: flag(false),
  DISPATCH_ENABLED: flag(false),
  INTERACTIONS_ENABLED: flag(false),
  IDENTITY_CLAIMS_ENABLED: flag(false),
  TRUST_ENABLED: flag(false),
  REPUTATION_ENABLED: flag(false),
  ADJUDICATION_ENABLED: flag(false),
  CREDITS_ENABLED: flag(false),
  OFFERS_ENABLED: flag(false),
  TASKS_ENABLED: flag(false),
  RESEARCH_ENABLED: flag(false),
  CAMPAIGNS_ENABLED: flag(false),
  CORS: flag(true),
  TRUST_PROXY: ((value, name) =>
    value === 'off' ? 0 : integer(0, 0, 16)(value, name)) satisfies Parse<number>,
  REGISTRATION: choice('open', ['open', 'token', 'closed']),
  RATE_LIMITS: rates,
  LOAD_LIMITS: loadLimits,
  CLOCK_OFFSET_SECONDS: integer(0, -4_000_000_000, 4_000_000_000),
  TEST_DIAL: testNames,
  TEST_CA: text(null),
  IDEMPOTENCY_DAYS: integer(7, 1, 365),
  GUEST_CONTEXT_KEYS: integer(8, 1, 1000),
  GUEST_CONTEXT_BYTES: integer(65_536, 1024, 16_777_216),
  LOG_LEVEL: pattern(
    'info',
    /^(fatal|error|warn|info|debug|silent)$/,
    'one of fatal, error, warn, info, debug, silent',
  ),
  METRICS_PORT: integer(0, 0, 65_535),
};

export const settingNames = Object.keys(settingParsers) as (keyof typeof settingParsers)[];

/** Other spellings that the spec names. */
const aliases: Partial<Record<keyof typeof settingParsers, string>> = {
  WEBHOOKS_ENABLED: 'WebhooksEnabled',
  WEBHOOKS_ENCRYPTION_KEY: 'WebhooksEncryptionKey',
  AWS_REGION: 'AWS_DEFAULT_REGION',
};

type Values = {
  readonly [Name in keyof typeof settingParsers]: ReturnType<(typeof settingParsers)[Name]>;
};

const switches: readonly (readonly [Feature, keyof typeof settingParsers])[] = [
  ['webhooks', 'WEBHOOKS_ENABLED'],
  ['mcp', 'MCP_ENABLED'],
  ['interactions', 'INTERACTIONS_ENABLED'],
  ['identityClaims', 'IDENTITY_CLAIMS_ENABLED'],
  ['trust', 'TRUST_ENABLED'],
  ['reputation', 'REPUTATION_ENABLED'],
  ['adjudication', 'ADJUDICATION_ENABLED'],
  ['credits', 'CREDITS_ENABLED'],
  ['offers', 'OFFERS_ENABLED'],
  ['tasks', 'TASKS_ENABLED'],
  ['research', 'RESEARCH_ENABLED'],
  ['campaigns', 'CAMPAIGNS_ENABLED'],
];

/**
 * Which capability cannot be without which. The agents' own capability "interactions" opens trust
 * as well.
 */
const dependencies: readonly (readonly [
  Feature,
  keyof typeof settingParsers,
  Feature,
  keyof typeof settingParsers,
])[] = [
  ['trust', 'TRUST_ENABLED', 'interactions', 'INTERACTIONS_ENABLED'],
  ['offers', 'OFFERS_ENABLED', 'credits', 'CREDITS_ENABLED'],
  ['tasks', 'TASKS_ENABLED', 'credits', 'CREDITS_ENABLED'],
];

export interface Settings extends Values {
  readonly features: Readonly<Record<Feature, boolean>>;
}

/**
 * Reads all settings once. Errors: SettingError, whose message is a sentence that says what to set.
 */
export function readSettings(environment: EnvironmentVariables): Settings {
  const values = Object.fromEntries(
    settingNames.map((name) => [
      name,
      (settingParsers[name] as Parse<unknown>)(
        environment[name] ?? environment[aliases[name] ?? name],
        name,
      ),
    ]),
  ) as unknown as Values;
  for (const name of ['CLOCK_OFFSET_SECONDS', 'TEST_DIAL', 'TEST_CA'] as const) {
    if (values[name] && values.REALM !== 'test')
      throw new SettingError(name, 'is for tests only and needs REALM=test.');
  }
  if (values.DATABASE_OWNER_URL !== null && values.DATABASE_URL === null)
    throw new SettingError(
      'DATABASE_OWNER_URL',
      "needs DATABASE_URL, the address with the service's own role.",
    );
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const) {
    if (values.FILE_STORE !== null && values[name] === null)
      throw new SettingError(name, 'is needed for the bucket of FILE_STORE.');
  }
  // Neither is an optional capability (spec, What the service does, 3, 9 and 10): they are always
  // there.
  const isOn = (feature: Feature) =>
    feature === 'guestContext' ||
    feature === 'receipts' ||
    switches.some(([name, setting]) => name === feature && values[setting] === true);
  if (isOn('webhooks') && values.WEBHOOKS_ENCRYPTION_KEY === null)
    throw new SettingError(
      'WEBHOOKS_ENCRYPTION_KEY',
      'must be set where webhooks are on: 32 random bytes as 64 lowercase hex digits; make ' +
        'one with: openssl rand -hex 32.',
    );
  for (const [feature, setting, needed, neededSetting] of dependencies) {
    if (isOn(feature) && !isOn(needed))
      throw new SettingError(setting, `needs ${neededSetting}=on as well.`);
  }
  const enabled = Object.fromEntries(features.map((feature) => [feature, isOn(feature)])) as Record<
    Feature,
    boolean
  >;
  return Object.freeze({ ...values, features: Object.freeze(enabled) });
}
