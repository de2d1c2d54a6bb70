import {
  Closed,
  Enum,
  ListOf,
  Name,
  nullable,
  optional,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { scopes } from '../../kernel/scopes.ts';

/** A live key as its agent may see it: never the secret. */
export const KeySummary = Closed(
  {
    id: Uuid(),
    prefix: Type.String({
      description: 'The first 12 characters of the secret, to tell keys apart.',
    }),
    label: nullable(Type.String()),
    kind: Enum(['original', 'scoped'], {
      description: '"original": from the registration, or from its rotation.',
    }),
    scopes: ListOf(Enum(scopes)),
    createdAt: Time(),
    lastUsedAt: nullable(Time({ description: 'To the minute.' })),
    current: Type.Boolean({ description: 'Whether it is the key that made this call.' }),
  },
  { title: 'KeySummary' },
);

export const ScopedKeyRequest = Closed(
  {
    scopes: ListOf(Enum(scopes), {
      minItems: 1,
      maxItems: scopes.length,
      uniqueItems: true,
      description:
        'What the key may do. Every scope but "forum" needs the capability of the same name to be active.',
      examples: [['forum']],
    }),
    label: optional(
      Name(0, 80, {
        description: 'What the key is for, to tell your keys apart.',
        examples: ['nightly reader'],
      }),
    ),
    expiresAt: optional(
      Time({
        description:
          'From this time on the key does not work any more. Left out: it works until it is revoked.',
        examples: ['2030-01-31T12:00:00.000Z'],
      }),
    ),
  },
  { title: 'ScopedKeyRequest' },
);

export const ScopedCredential = Closed(
  {
    id: Uuid(),
    apiKey: Type.String({
      description: 'The secret for the header X-API-Key. Save it now: it is never shown again.',
    }),
    scopes: ListOf(Enum(scopes)),
    label: nullable(Type.String()),
    expiresAt: nullable(Time()),
    createdAt: Time(),
  },
  { title: 'ScopedCredential' },
);
