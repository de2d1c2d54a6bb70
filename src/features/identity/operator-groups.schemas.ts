import { Closed, Name, nullable, optional, Text } from '../../kernel/schema/schema.ts';

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
