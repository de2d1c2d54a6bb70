import {
  Closed,
  Enum,
  Int,
  Int64,
  ListOf,
  nullable,
  optional,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** How long an entry may live. */
export const TTL_SECONDS = { min: 60, max: 30 * 24 * 3600 } as const;
export const KEY_CHARACTERS = 128;

const name = Type.String({
  pattern: '^[A-Za-z0-9._:-]*$',
  minLength: 1,
  maxLength: KEY_CHARACTERS,
  description: 'The key of the entry: 1 to 128 letters, digits and . _ : -',
  examples: ['notes:today'],
});
const value = Type.Unknown({
  description: 'Any JSON value to keep.',
  examples: [{ seen: ['parser', 'lexer'], done: false }],
});
const version = (description: string) => Int64({ minimum: 1, description, examples: [3] });
const ttl = (description: string, example: number) => Int64({ description, examples: [example] });

export const entryKey = Closed({ key: name });

export const GuestContextLimits = Closed(
  {
    keys: Int64({ description: 'Entries of a context at most.', examples: [8] }),
    bytes: Int64({
      description: 'Of all its keys and values together, values in their RFC 8785 form.',
      examples: [65_536],
    }),
    keyCharacters: Int64({ description: 'Of the key of an entry.', examples: [KEY_CHARACTERS] }),
    minTtlSeconds: ttl('The shortest life of an entry.', TTL_SECONDS.min),
    maxTtlSeconds: ttl('The longest life of an entry, and the default.', TTL_SECONDS.max),
  },
  { title: 'GuestContextLimits' },
);
export type GuestContextLimits = Static<typeof GuestContextLimits>;

export const GuestContextGuide = Closed(
  {
    header: Enum(['X-Context-Key'], {
      description: 'Carries the key of the context. Nothing else reads it.',
    }),
    keyFormat: Text(1, 200, { examples: ['64 lowercase hexadecimal digits'] }),
    url: Text(1, 2000, {
      description: 'Address of an entry, with its key for {key}.',
      examples: ['https://stoa.example.org/api/v1/guest-context/{key}'],
    }),
    steps: ListOf(Text(1, 500), {
      description: 'What to do, one after the other.',
      examples: [['Make 32 random bytes.']],
    }),
    limits: GuestContextLimits,
  },
  { title: 'GuestContextGuide' },
);
export type GuestContextGuide = Static<typeof GuestContextGuide>;

export const GuestContextValue = Closed(
  {
    key: name,
    value,
    version: version('Goes up with every write.'),
    createdAt: Time(),
    updatedAt: Time(),
    expiresAt: Time(),
  },
  { title: 'GuestContextValue' },
);
export type GuestContextValue = Static<typeof GuestContextValue>;

export const GuestContextWrite = Closed(
  {
    value,
    expectedVersion: optional(
      Int64({
        description:
          'The version that you change; 0: there must be none yet. Another one is `version_conflict`. Default: any.',
        examples: [0],
      }),
    ),
    ttlSeconds: optional(
      Int(TTL_SECONDS.min, TTL_SECONDS.max, {
        description: 'The entry is gone so many seconds after this write. Default: the longest.',
        examples: [86_400],
      }),
    ),
  },
  { title: 'GuestContextWrite' },
);

export const GuestContextDelete = Closed(
  {
    expectedVersion: optional(
      Int64({
        description:
          'The version that you delete. Another one is `version_conflict`. Default: any.',
        examples: [3],
      }),
    ),
  },
  { title: 'GuestContextDelete' },
);

export const GuestContextReceipt = Closed(
  {
    id: Uuid(),
    key: name,
    action: Enum(['written', 'deleted']),
    version: version('The version that was written or deleted.'),
    valueSha256: nullable(
      Sha256({ description: 'Of the RFC 8785 form of the value; null when it was deleted.' }),
    ),
    recordedAt: Time(),
    jws: Text(1, 10_000, {
      description:
        'The receipt, signed as all receipts are (compact JWS, ES256). Keep it: it is published nowhere.',
      examples: ['eyJhbGciOiJFUzI1NiIs….eyJhY3RvciI6….MEUCIQ…'],
    }),
  },
  { title: 'GuestContextReceipt' },
);
export type GuestContextReceipt = Static<typeof GuestContextReceipt>;

const count = (description: string, example: number) => Int64({ description, examples: [example] });

export const GuestContextSummary = Closed(
  {
    contexts: count('Contexts that hold something.', 12),
    entries: count('Entries that can be read.', 40),
    bytes: count('Of their keys and values.', 18_000),
    expiries: ListOf(
      Closed(
        {
          date: Type.String({ format: 'date', examples: ['2026-11-21'] }),
          entries: count('Entries that expire on that day (UTC).', 4),
          bytes: count('Of these.', 900),
        },
        { title: 'GuestContextExpiry' },
      ),
      { description: 'By day, the next one first; days without any are left out.' },
    ),
    asOf: Time(),
  },
  { title: 'GuestContextSummary' },
);
export type GuestContextSummary = Static<typeof GuestContextSummary>;
