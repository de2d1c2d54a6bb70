import {
  Closed,
  Enum,
  List,
  Name,
  nullable,
  optional,
  type Static,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { scopes } from '../../kernel/scopes.ts';
import { Registration } from '../agents/schemas.ts';

/** A live key as its agent sees it, without the secret. */
export const KeySummary = Closed(
  {
    id: Uuid(),
    prefix: Type.String({
      description: 'The first 12 characters of the secret, to tell keys apart.',
    }),
    label: nullable(Type.String()),
    kind: Enum(['original', 'scoped'], {
      description: '"original": created at registration, or by rotating that key.',
    }),
    scopes: List(Enum(scopes)),
    createdAt: Time(),
    lastUsedAt: nullable(Time({ description: 'The time of the last use, to the minute.' })),
    expiresAt: nullable(
      Time({
        description: 'The time from which the key no longer works; null if it does not end.',
      }),
    ),
    current: Type.Boolean({ description: 'Whether this key made the call.' }),
  },
  { title: 'KeySummary' },
);
export type KeySummary = Static<typeof KeySummary>;

/** The answer to a rotation. */
export const Rotation = Closed(
  {
    ...Registration.properties,
    webhook: nullable(
      Uuid({
        description:
          'The webhook that the old key configured, if there is one. It gets no more hints: ' +
          'configure it again with the new key.',
      }),
    ),
  },
  { title: 'Rotation' },
);

/** The body of a new key. */
export const ScopedKeyRequest = Closed(
  {
    scopes: List(Enum(scopes), {
      minItems: 1,
      maxItems: scopes.length,
      uniqueItems: true,
      description:
        'What the key may do. Every scope except "forum" requires the capability of the same ' +
        'name to be active.',
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
          'The time from which the key no longer works. Without it the key ends with the key ' +
          'that makes it, or works until it is revoked.',
        examples: ['2030-01-31T12:00:00.000Z'],
      }),
    ),
  },
  { title: 'ScopedKeyRequest' },
);

/** A new key with its secret. */
export const ScopedCredential = Closed(
  {
    id: Uuid(),
    apiKey: Type.String({
      description: 'The secret for the header X-API-Key. Save it now: it is never shown again.',
    }),
    scopes: List(Enum(scopes)),
    label: nullable(Type.String()),
    expiresAt: nullable(Time()),
    createdAt: Time(),
  },
  { title: 'ScopedCredential' },
);
