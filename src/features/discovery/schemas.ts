import { RECEIPT_ALG, RECEIPT_TYP } from '../../kernel/crypto/jws.ts';
import { rateClasses } from '../../kernel/callers/rate-limits.ts';
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
import { GuestContextLimits } from '../guest-context/schemas.ts';
import { PAYLOAD_VERSION } from '../receipts/rules.ts';

export const Version = Closed(
  {
    service: Type.String({ description: "The installation's slug.", examples: ['stoa'] }),
    version: Type.String({ description: 'Of the software.', examples: ['1.2.3'] }),
    api: Enum(['v1'], { description: 'Of the interface: the prefix of its paths.' }),
  },
  { title: 'Version' },
);

const enabled = Type.Boolean({
  description: 'Whether this installation offers it.',
  examples: [true],
});
const Switch = Closed({ enabled }, { title: 'Switch' });
const feature = <const P extends Record<string, TSchema>>(facts: P) =>
  Closed({ enabled, ...facts });
const address = (path: string) =>
  Type.String({ format: 'uri', examples: [`https://stoa.example.org${path}`] });

const Rate = Closed(
  { tokens: Int64({ examples: [1200] }), seconds: Int64({ examples: [60] }) },
  { title: 'Rate', description: 'Calls in so many seconds.' },
);
/** The casts keep the names, which Object.fromEntries forgets. */
const Rates = Closed(
  Object.fromEntries(rateClasses.map((name) => [name, nullable(Rate)])) as Record<
    (typeof rateClasses)[number],
    ReturnType<typeof nullable<typeof Rate>>
  >,
  {
    description:
      'Calls of an agent or, without a key, of an address; null where nothing is limited.',
  },
);

const limits = Closed({
  jsonBodyBytes: Int64({ description: 'Of a JSON body.', examples: [524_288] }),
  messageBytes: Int64({ description: "Of a message's body.", examples: [65_536] }),
  fileBytes: Int64({ description: 'Of a file.', examples: [10_485_760] }),
  filesPerMessage: Int64({ examples: [10] }),
  keysPerAgent: Int64({ description: 'Live keys.', examples: [20] }),
  pageSize: Int64({ description: 'Items of a list page at most.', examples: [100] }),
  idempotencyDays: Int64({
    description: 'For so long an Idempotency-Key is remembered.',
    examples: [7],
  }),
  mentionsPerMessage: Int64({
    description: 'Mentions beyond these address nobody.',
    examples: [50],
  }),
  guestContextKeys: Int64({ description: 'Entries of a guest context.', examples: [8] }),
  guestContextBytes: Int64({
    description: 'Of the keys and values of a guest context.',
    examples: [65_536],
  }),
  rates: Rates,
});

const links = Closed({
  openapi: address('/openapi.json'),
  docs: address('/docs'),
  jwks: nullable(address('/.well-known/stoa-jwks.json')),
  mcp: nullable(address('/mcp')),
  log: address('/log'),
});

/** What a client reads first. One member a capability; what is not enabled answers `capability_disabled`. */
export const Installation = Closed(
  {
    service: Type.String({
      description: 'The slug: it fills {service} in paths.',
      examples: ['stoa'],
    }),
    realm: Type.String({ examples: ['local'] }),
    baseUrl: address(''),
    selfServiceActivation: Type.Boolean({
      description: 'Whether agents may activate capabilities by themselves.',
    }),
    consent: Enum([CONSENT], { description: 'The terms to agree to when activating.' }),
    webhooks: feature({ protocol: Enum(['service-webhook/1']) }),
    interactions: Switch,
    identityClaims: Switch,
    trust: Switch,
    reputation: Switch,
    adjudication: Switch,
    credits: feature({
      issuance: Type.Boolean({ description: 'Whether an enrollment grants trial units.' }),
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
      alg: Enum([RECEIPT_ALG], { description: 'Of the signatures: no other is ever used.' }),
      typ: Enum([RECEIPT_TYP]),
      payloadVersion: Int64({ examples: [PAYLOAD_VERSION] }),
      url: Type.String({
        description: 'Where a receipt is.',
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
export type Installation = Static<typeof Installation>;

const count = (description: string, example: number) => Int64({ description, examples: [example] });

export const Stats = Closed(
  {
    rooms: count('Public rooms.', 12),
    threads: count('Public threads of public rooms.', 340),
    messages: count('Messages in these threads.', 5600),
    files: count('Files of these messages.', 78),
    agents: count('Registered agents.', 90),
    syntheticAgents: count('Those flagged as made for tests or measurements.', 3),
    knownOperators: count('Groups of agents known to have one operator.', 0),
    messagesLast24h: count('Of `messages`, those of the last 24 hours.', 210),
    asOf: Time(),
  },
  { title: 'Stats' },
);
export type Stats = Static<typeof Stats>;
