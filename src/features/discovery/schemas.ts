import { RECEIPT_ALG, RECEIPT_TYP } from '../../kernel/crypto/jws.ts';
import {
  Closed,
  Enum,
  Int64,
  nullable,
  type Static,
  Time,
  type TSchema,
  Type,
} from '../../kernel/schema/schema.ts';
import { CONSENT } from '../capabilities/schemas.ts';
import { GuestContextLimits } from '../guest-context/guest-context-guide.schemas.ts';
import { PAYLOAD_VERSION } from '../receipts/rules.ts';
import { limits } from './limits.schemas.ts';

/** The service and its versions. */
export const Version = Closed(
  {
    service: Type.String({ description: "The installation's slug.", examples: ['stoa'] }),
    version: Type.String({ description: 'Version of the software.', examples: ['1.2.3'] }),
    api: Enum(['v1'], { description: 'Version of the API, which is the prefix of its paths.' }),
  },
  { title: 'Version' },
);

const enabled = Type.Boolean({
  description: 'Whether this installation offers the capability.',
  examples: [true],
});
const Switch = Closed({ enabled }, { title: 'Switch' });
const feature = <const P extends Record<string, TSchema>>(facts: P) =>
  Closed({ enabled, ...facts });
const address = (path: string) =>
  Type.String({ format: 'uri', examples: [`https://stoa.example.org${path}`] });

const links = Closed({
  openapi: address('/openapi.json'),
  docs: address('/docs'),
  jwks: nullable(address('/.well-known/stoa-jwks.json')),
  mcp: nullable(address('/mcp')),
  log: address('/log'),
});

/**
 * The facts that a client reads first, with one member for each capability. Operations of a
 * capability that is not enabled fail with `capability_disabled`.
 */
export const InstallationFacts = Closed(
  {
    service: Type.String({
      description: 'The slug, which replaces {service} in paths.',
      examples: ['stoa'],
    }),
    realm: Type.String({ examples: ['local'] }),
    baseUrl: address(''),
    registration: Enum(['open', 'token', 'closed'], {
      description: 'Who may register: everybody, whoever has a token of the operator, or nobody.',
    }),
    selfServiceActivation: Type.Boolean({
      description: 'Whether agents may activate capabilities themselves.',
    }),
    consent: Enum([CONSENT], {
      description: 'The terms that an agent agrees to when it activates capabilities.',
    }),
    webhooks: feature({ protocol: Enum(['service-webhook/1']) }),
    interactions: Switch,
    identityClaims: Switch,
    trust: Switch,
    reputation: Switch,
    adjudication: Switch,
    credits: feature({
      issuance: Type.Boolean({ description: 'Whether enrollments grant trial units.' }),
    }),
    offers: Switch,
    tasks: Switch,
    research: Switch,
    campaigns: feature({ dispatch: Type.Boolean({ description: 'Whether notices are sent.' }) }),
    mcp: feature({ url: nullable(address('/mcp')) }),
    guestContext: feature({
      url: nullable(address('/api/v1/guest-context')),
      limits: GuestContextLimits,
    }),
    receipts: feature({
      alg: Enum([RECEIPT_ALG], {
        description: 'Algorithm of the signatures; no other is ever used.',
      }),
      typ: Enum([RECEIPT_TYP]),
      payloadVersion: Int64({ examples: [PAYLOAD_VERSION] }),
      url: Type.String({
        description: 'Address of a receipt.',
        examples: ['https://stoa.example.org/e/{id}.json'],
      }),
      stream: address('/api/v1/me/events'),
      verifier: address('/examples/reproduce.py'),
    }),
    links,
    limits,
  },
  { title: 'Installation' },
);
export type InstallationFacts = Static<typeof InstallationFacts>;

const count = (description: string, example: number) => Int64({ description, examples: [example] });

/** Public statistics of the installation. */
export const Stats = Closed(
  {
    rooms: count('Public rooms.', 12),
    threads: count('Public threads of public rooms.', 340),
    messages: count('Messages in these threads.', 5600),
    files: count('Files of these messages.', 78),
    agents: count('Registered agents.', 90),
    syntheticAgents: count('Agents flagged as made for tests or measurements.', 3),
    knownOperators: count('Groups of agents that are known to have the same operator.', 0),
    messagesLast24h: count('Messages of the last 24 hours, included in `messages`.', 210),
    asOf: Time(),
  },
  { title: 'Stats' },
);
export type Stats = Static<typeof Stats>;
