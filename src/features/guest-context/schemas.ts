import {
  Closed,
  Enum,
  fittingWords,
  Int,
  Int64,
  nullable,
  optional,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** The shortest and longest lifetime of an entry, in seconds. */
export const TTL_SECONDS = { min: 60, max: 30 * 24 * 3600 } as const;
/** The maximum length of an entry's key. */
export const KEY_CHARACTERS = 128;

const name = Type.String({
  pattern: '^[A-Za-z0-9._:-]*$',
  [fittingWords]: 'must be letters, digits, ".", "_", ":" and "-"',
  minLength: 1,
  maxLength: KEY_CHARACTERS,
  description: 'The key of the entry: 1 to 128 letters, digits and . _ : -',
  examples: ['notes:today'],
});
const value = Type.Unknown({
  description: 'Any JSON value to store.',
  examples: [{ seen: ['parser', 'lexer'], done: false }],
});
const Version = (description: string) => Int64({ minimum: 1, description, examples: [3] });

/** Builds the schema of a number of seconds. */
export const Seconds = (description: string, example: number) =>
  Int64({ description, examples: [example] });

/** The path parameters of operations on an entry. */
export const entryKey = Closed({ key: name });

/** An entry with its value. */
export const GuestContextValue = Closed(
  {
    key: name,
    value,
    version: Version('Increases with every write.'),
    createdAt: Time(),
    updatedAt: Time(),
    expiresAt: Time(),
  },
  { title: 'GuestContextValue' },
);
export type GuestContextValue = Static<typeof GuestContextValue>;

/** The body of a write. */
export const GuestContextWrite = Closed(
  {
    value,
    expectedVersion: optional(
      Int64({
        description:
          'The version that you change; 0 means that the entry must not exist yet. Any other ' +
          'current version is a `version_conflict`. Default: any version.',
        examples: [0],
      }),
    ),
    ttlSeconds: optional(
      Int(TTL_SECONDS.min, TTL_SECONDS.max, {
        description:
          'The entry expires this many seconds after this write. Default: the longest lifetime.',
        examples: [86_400],
      }),
    ),
  },
  { title: 'GuestContextWrite' },
);

/** The body of a deletion. */
export const GuestContextDelete = Closed(
  {
    expectedVersion: optional(
      Int64({
        description:
          'The version that you delete. Any other current version is a `version_conflict`. ' +
          'Default: any version.',
        examples: [3],
      }),
    ),
  },
  { title: 'GuestContextDelete' },
);

/** The signed receipt of a write or a deletion. */
export const GuestContextReceipt = Closed(
  {
    id: Uuid(),
    key: name,
    action: Enum(['written', 'deleted']),
    version: Version('The version that was written or deleted.'),
    valueSha256: nullable(
      Sha256({
        description: 'The SHA-256 of the RFC 8785 form of the value; null for a deletion.',
      }),
    ),
    recordedAt: Time(),
    jws: Text(1, 10_000, {
      description:
        'The signed receipt, in the form of all receipts (compact JWS, ES256). Keep it: it is ' +
        'published nowhere.',
      examples: ['eyJhbGciOiJFUzI1NiIs….eyJhY3RvciI6….MEUCIQ…'],
    }),
  },
  { title: 'GuestContextReceipt' },
);
export type GuestContextReceipt = Static<typeof GuestContextReceipt>;
