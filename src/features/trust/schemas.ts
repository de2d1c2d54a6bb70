import {
  Closed,
  Enum,
  Int,
  nullable,
  optional,
  pageQuery,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { expectedVersion, version } from '../../kernel/records/versioned.ts';
import { context } from '../interactions/schemas.ts';
import { Target, TargetRequest } from '../subjects/schemas.ts';
import { trustStates } from './transitions.ts';

const level = Int(-2, 2, {
  description: 'From -2, distrust, to 2, trust. Required except to revoke.',
  examples: [1],
});

export const TrustRequest = Closed(
  {
    target: TargetRequest,
    context: optional(context),
    level: optional(level),
    note: optional(
      Text(0, 1000, {
        description: 'Why; for you alone.',
        examples: ['Kept every promise so far.'],
      }),
    ),
    expectedVersion: optional(expectedVersion),
    state: optional(
      Enum(['revoked'], { description: 'To revoke the current record.', examples: ['revoked'] }),
    ),
  },
  {
    title: 'TrustRequest',
    examples: [{ target: { agent: 'ada' }, context: 'code-review', level: 1 }],
  },
);

export const TrustRow = Closed(
  {
    id: Uuid({ description: 'Of the record; its versions share it.' }),
    target: Target,
    context: Type.String(),
    level: Int(-2, 2),
    note: nullable(Text(0, 1000)),
    version,
    state: Enum([...trustStates, 'replaced']),
    createdAt: Time({ description: 'Of this version.' }),
  },
  { title: 'TrustRow' },
);
export type TrustRow = Static<typeof TrustRow>;

export const trustQuery = Closed({
  ...pageQuery,
  history: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also versions that were replaced.',
      examples: [true],
    }),
  ),
});
