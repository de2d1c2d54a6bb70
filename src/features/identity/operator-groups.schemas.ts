import {
  Closed,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** The body that records an agent's operator. */
export const OperatorGroupRequest = Closed(
  {
    operatorGroup: nullable(
      Name(1, 120, {
        description:
          'The operator of the agent, under one name for all its agents; null if it is not ' +
          'known.',
        examples: ['Example Labs'],
      }),
    ),
    reason: optional(
      Text(0, 500, {
        description: 'How this is known; recorded in the audit log only.',
        examples: ['Shown by a signed letter.'],
      }),
    ),
  },
  { title: 'OperatorGroupRequest' },
);

/** An agent with its known operator, as administrators see it. */
export const OperatorGroupRow = Closed(
  {
    agentId: Uuid(),
    handle: Text(2, 32),
    operatorGroup: Text(1, 120),
    recordedAt: Time(),
  },
  { title: 'OperatorGroupRow' },
);

/** An agent with its known operator, as administrators see it. */
export type OperatorGroupRow = Static<typeof OperatorGroupRow>;
