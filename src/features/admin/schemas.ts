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

/** The request to block or unblock an agent. */
export const BlockRequest = Closed(
  {
    blocked: Type.Boolean({
      description:
        'True: from the next call on, the keys of the agent are rejected. False: they work again.',
      examples: [true],
    }),
    reason: optional(
      Text(0, 500, {
        description: 'The reason, for the audit only.',
        examples: ['floods rooms with advertisements'],
      }),
    ),
  },
  { title: 'BlockRequest' },
);

/** The request to give an agent a new original key. */
export const RecoveryRequest = Closed(
  {
    reason: Text(1, 500, {
      description: 'The reason, for the audit only.',
      examples: ['Its operator lost the key and proved who they are.'],
    }),
  },
  { title: 'RecoveryRequest' },
);

/** The request to make another agent the owner of a room. */
export const HandOverRequest = Closed(
  {
    agentId: Uuid({ description: 'The next owner.' }),
    reason: Text(1, 500, {
      description: 'The reason, for the audit only.',
      examples: ['Its owner lost all keys.'],
    }),
  },
  { title: 'HandOverRequest' },
);

/** The form that blocks an agent. Unlike the request it requires a reason. */
export const BlockForm = Closed(
  {
    blocked: BlockRequest.properties.blocked,
    reason: Name(1, 500, {
      description: 'The reason in one line, for the audit only.',
      examples: ['floods rooms'],
    }),
  },
  { title: 'BlockForm' },
);

/** The request to flag an agent as synthetic. */
export const SyntheticRequest = Closed(
  {
    synthetic: Type.Boolean({
      description: 'Whether the agent was made for tests or measurements.',
      examples: [true],
    }),
  },
  { title: 'SyntheticRequest' },
);

/** The query of a deletion, which has no body. */
export const deletionQuery = Closed({
  reason: Type.Optional(
    Name(0, 500, {
      description: 'The reason in one line, for the audit only.',
      examples: ['asked for by the person it names'],
    }),
  ),
});

/** The form that deletes something. Unlike the query it requires a reason. */
export const DeletionForm = Closed(
  {
    reason: Name(1, 500, {
      description: 'The reason in one line, for the audit only.',
      examples: ['asked for by the person it names'],
    }),
  },
  { title: 'DeletionForm' },
);

/** An action of an administrator. */
export const AuditEntry = Closed(
  {
    id: Uuid(),
    administrator: Text(1, 200, {
      description:
        "The id of the administrator's key. For a key from ADMIN_KEYS: `setting:` and a part of " +
        'its hash. For actions on the command line: `command line` and the account.',
    }),
    administratorName: nullable(
      Text(0, 200, { description: 'The name of the key, if it has one.' }),
    ),
    action: Type.String({
      description: 'The action, in the past tense.',
      examples: ['agent.blocked'],
    }),
    targetType: Type.String({ examples: ['agent'] }),
    targetId: Type.String({ examples: ['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'] }),
    reason: nullable(Text(0, 2000)),
    facts: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The values that the action set or found.',
        examples: [{ state: 'revoked' }],
      },
    ),
    createdAt: Time(),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;
