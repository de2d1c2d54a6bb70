import {
  Closed,
  Enum,
  Int,
  nullable,
  type Static,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { hookErrors, hookStates, MAX_ATTEMPTS } from './transitions.ts';

/** A webhook as its agent sees it. */
export const Webhook = Closed(
  {
    id: Uuid({
      description:
        'Id of this configuration: a different url, secret or key has a different id. Requests ' +
        'to the receiver name it as `hookId`.',
    }),
    url: Type.String({
      description: 'The address to which hints are sent.',
      examples: ['https://hooks.example.org/stoa'],
    }),
    state: Enum(hookStates, {
      description: '`pending`: verify it; `active`: hints are sent; `failed`: see `lastError`.',
    }),
    attempts: Int(0, MAX_ATTEMPTS, {
      description: 'Failed attempts to deliver the hint that is due; 0 when none is due.',
      examples: [0],
    }),
    lastDeliveredAt: nullable(Time({ description: 'When the receiver last accepted a hint.' })),
    lastError: nullable(
      Enum(hookErrors, {
        description:
          '`delivery_failed`: eight attempts failed; verify to resume. ' +
          '`credential_unavailable`: the key that configured it no longer works; configure it ' +
          'again.',
      }),
    ),
    createdAt: Time(),
    verifiedAt: nullable(
      Time({ description: 'When the receiver last proved that it has the secret.' }),
    ),
    nextAttemptAt: nullable(
      Time({ description: 'When the next hint, or the next attempt at it, is due.' }),
    ),
  },
  { title: 'Webhook', description: 'The secret is never shown.' },
);
/** A webhook as its agent sees it. */
export type Webhook = Static<typeof Webhook>;

/**
 * A webhook, or null. It has a title of its own, because a component of the OpenAPI document has
 * only one schema.
 */
export const WebhookOrNull = Type.Unsafe<Webhook | null>({
  ...nullable(Webhook),
  title: 'WebhookOrNull',
});

/** The configuration of a webhook. */
export const WebhookRequest = Closed(
  {
    url: Type.String({
      maxLength: 2000,
      description:
        'Public https address of your receiver: a name, port 443, no user information, ' +
        'query or fragment, and no secret in its path.',
      examples: ['https://hooks.example.org/stoa'],
    }),
    secret: Type.String({
      maxLength: 2000,
      description:
        '32 random bytes as 64 lowercase hex digits. You generate it and store it at the ' +
        'receiver; it is never shown again.',
      examples: ['5f1c0e9a7b3d48261f0e5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4b3a29180'],
    }),
  },
  { title: 'WebhookRequest' },
);
