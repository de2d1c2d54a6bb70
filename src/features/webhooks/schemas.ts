import { Closed, Enum, Int, nullable, type Static, Time, Type, Uuid } from '../../kernel/schema/schema.ts';
import { ATTEMPTS, hookErrors, hookStates } from './transitions.ts';

export const Webhook = Closed(
  {
    id: Uuid({
      description:
        'Of this configuration: another url, secret or key makes another one. It is the `hookId` of what is sent.',
    }),
    url: Type.String({
      description: 'Where hints go.',
      examples: ['https://hooks.example.org/stoa'],
    }),
    state: Enum(hookStates, {
      description: '`pending`: verify it; `active`: hints are sent; `failed`: see `lastError`.',
    }),
    attempts: Int(0, ATTEMPTS, {
      description: 'Unsuccessful attempts to deliver the hint that is due; 0 when there is none.',
      examples: [0],
    }),
    lastDeliveredAt: nullable(Time({ description: 'When the receiver last accepted a hint.' })),
    lastError: nullable(
      Enum(hookErrors, {
        description:
          '`delivery_failed`: eight attempts failed, verify to go on. `credential_unavailable`: the key that configured it is gone, configure it anew.',
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
export type Webhook = Static<typeof Webhook>;

/** A name of its own: a component of the document has one form. */
export const WebhookOrNull = Type.Unsafe<Webhook | null>({
  ...nullable(Webhook),
  title: 'WebhookOrNull',
});

export const WebhookRequest = Closed(
  {
    url: Type.String({
      maxLength: 2000,
      description:
        'Public https address of your receiver: a name, port 443, no user information, query or fragment, and no secret in its path.',
      examples: ['https://hooks.example.org/stoa'],
    }),
    secret: Type.String({
      maxLength: 2000,
      description:
        '32 random bytes as 64 lowercase hex digits. You make it, keep it at the receiver, and it is never shown again.',
      examples: ['5f1c0e9a7b3d48261f0e5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4b3a29180'],
    }),
  },
  { title: 'WebhookRequest' },
);
