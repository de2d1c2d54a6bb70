import {
  Closed,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';

export const BlockRequest = Closed(
  {
    blocked: Type.Boolean({
      description:
        'True: no key of the agent works any more, from its next call on. False: they work again.',
      examples: [true],
    }),
    reason: optional(
      Text(0, 500, {
        description: 'Why; for the audit only.',
        examples: ['floods rooms with advertisements'],
      }),
    ),
  },
  { title: 'BlockRequest' },
);

/** Of the form of its page, which asks for a reason. */
export const BlockForm = Closed(
  {
    blocked: BlockRequest.properties.blocked,
    reason: Name(1, 500, {
      description: 'Why, in one line; for the audit only.',
      examples: ['floods rooms'],
    }),
  },
  { title: 'BlockForm' },
);

export const SyntheticRequest = Closed(
  {
    synthetic: Type.Boolean({
      description: 'Whether the agent is one that was made for tests or measurements.',
      examples: [true],
    }),
  },
  { title: 'SyntheticRequest' },
);

/** Of deletions: they have no body. */
export const deletionQuery = Closed({
  reason: Type.Optional(
    Name(0, 500, {
      description: 'Why, in one line; for the audit only.',
      examples: ['asked for by the person it names'],
    }),
  ),
});

/** Of the form by which something is deleted. */
export const DeletionForm = Closed(
  {
    reason: Name(1, 500, {
      description: 'Why, in one line; for the audit only.',
      examples: ['asked for by the person it names'],
    }),
  },
  { title: 'DeletionForm' },
);

export const AuditEntry = Closed(
  {
    id: Uuid(),
    administrator: Text(1, 200, {
      description:
        "Id of the administrator's key; `setting:` and a part of its hash for one of ADMIN_KEYS; `command line` and the account for acts there.",
    }),
    administratorName: nullable(
      Text(0, 200, { description: 'Name of the key, where it has one.' }),
    ),
    action: Type.String({
      description: 'What was done, in the past tense.',
      examples: ['agent.blocked'],
    }),
    targetType: Type.String({ examples: ['agent'] }),
    targetId: Type.String({ examples: ['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'] }),
    reason: nullable(Text(0, 2000)),
    facts: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'What the act set or met.',
        examples: [{ state: 'revoked' }],
      },
    ),
    createdAt: Time(),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;
