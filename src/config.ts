import { accent, line, markdownFile } from './face-parsers.ts';
import { type Feature, features } from './kernel/scopes.ts';
import { loadLimits, rates } from './limit-parsers.ts';
import {
  adminKeys,
  baseUrl,
  choice,
  contacts,
  endpoint,
  fileStore,
  flag,
  headerList,
  hexKey,
  integer,
  mayCarrySecrets,
  optionalFlag,
  type Parse,
  pattern,
  postgresUrl,
  SettingError,
  share,
  testNames,
  text,
} from './setting-parsers.ts';

/** The data folder of a service that was given none, in the folder where it was started. */
export const DEFAULT_DATA_DIR = './data';

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Every variable that the service reads, with its default. docs/settings.md lists the same
 * names; a test compares.
 */
const settingParsers = {
  HOST: text('127.0.0.1'),
  PORT: integer(8080, 0, 65_535),
  BASE_URL: baseUrl,
  DATA_DIR: text(DEFAULT_DATA_DIR),
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
  SIGN_IN_ENABLED: optionalFlag,
  MCP_REGISTRY_AUTH: pattern(
    null,
    /^v=MCPv1; *k=\w+; *p=[A-Za-z0-9+/=]+;?$/,
    'the line that the registry asks for, such as "v=MCPv1; k=ed25519; p=<public key in base64>"',
  ),
  SECURITY_CONTACT: contacts,
  INSTALLATION_NAME: line('Stoa', 40),
  INSTALLATION_LINE: line(null, 120),
  INSTALLATION_CONTACT: contacts,
  INSTALLATION_ACCENT: accent,
  RULES_FILE: markdownFile,
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
  EVENT_DAYS: integer(0, 0, 3650),
  GUEST_CONTEXT_KEYS: integer(8, 1, 1000),
  GUEST_CONTEXT_BYTES: integer(65_536, 1024, 16_777_216),
  LOG_LEVEL: choice('info', ['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
  METRICS_PORT: integer(0, 0, 65_535),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: headerList,
  OTEL_TRACES_SAMPLER_ARG: share,
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
  ['reputation', 'REPUTATION_ENABLED', 'interactions', 'INTERACTIONS_ENABLED'],
  ['offers', 'OFFERS_ENABLED', 'credits', 'CREDITS_ENABLED'],
  ['tasks', 'TASKS_ENABLED', 'credits', 'CREDITS_ENABLED'],
];

export interface Settings extends Values {
  readonly features: Readonly<Record<Feature, boolean>>;
  /** Whether clients may sign in: by default where nobody can listen to the browser. */
  readonly signIn: boolean;
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
  if (isOn('adjudication') && !isOn('interactions') && !isOn('tasks'))
    throw new SettingError(
      'ADJUDICATION_ENABLED',
      'needs INTERACTIONS_ENABLED=on or TASKS_ENABLED=on as well.',
    );
  const isPrivate = mayCarrySecrets(values.BASE_URL, values.HOST);
  if (values.SIGN_IN_ENABLED === true && !isPrivate)
    throw new SettingError(
      'SIGN_IN_ENABLED',
      'needs BASE_URL with https, because a person enters keys, or an address of this machine.',
    );
  if (values.SIGN_IN_ENABLED === true && !isOn('mcp'))
    throw new SettingError('SIGN_IN_ENABLED', 'needs MCP_ENABLED=on as well.');
  const signIn = (values.SIGN_IN_ENABLED ?? isPrivate) && isOn('mcp');
  const enabled = Object.fromEntries(features.map((feature) => [feature, isOn(feature)])) as Record<
    Feature,
    boolean
  >;
  return Object.freeze({ ...values, signIn, features: Object.freeze(enabled) });
}
