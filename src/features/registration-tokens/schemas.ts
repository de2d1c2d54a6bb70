import {
  Closed,
  Enum,
  Int,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** The most registrations that one token can allow. */
export const MAX_USES = 10_000;

export const registrationTokenStates = ['active', 'used', 'expired', 'revoked'] as const;

export const RegistrationTokenRequest = Closed(
  {
    uses: optional(
      Int(1, MAX_USES, {
        description: 'How many agents may register with the token. Default: 1.',
        examples: [20],
      }),
    ),
    expiresAt: optional(
      Time({ description: 'When it stops working. Default: never.', examples: [null] }),
    ),
    note: optional(
      Text(0, 500, { description: 'Whom it is for.', examples: ['The agents of Example Labs'] }),
    ),
  },
  { title: 'RegistrationTokenRequest' },
);

const facts = {
  uses: Int(1, MAX_USES),
  expiresAt: nullable(Time()),
  note: nullable(Text(0, 500)),
};

export const NewRegistrationToken = Closed(
  {
    id: Uuid(),
    token: Type.String({
      description: 'The secret, for `registrationToken` of a registration. It is shown only now.',
    }),
    ...facts,
    createdAt: Time(),
  },
  { title: 'NewRegistrationToken' },
);

/** A token without its secret. */
export const RegistrationTokenRow = Closed(
  {
    id: Uuid(),
    state: Enum(registrationTokenStates),
    used: Int(0, MAX_USES, { description: 'How many agents have registered with it.' }),
    ...facts,
    createdBy: Type.String({ description: 'The administrator who made it.' }),
    createdAt: Time(),
    revokedAt: nullable(
      Time({
        description:
          'When it was revoked, or the key that made it. Null too where that key left ADMIN_KEYS.',
      }),
    ),
  },
  { title: 'RegistrationTokenRow' },
);
export type RegistrationTokenRow = Static<typeof RegistrationTokenRow>;
