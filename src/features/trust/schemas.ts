import { expectedVersion, version } from '../../kernel/records/versioned.ts';
import {
  Closed,
  Defaulted,
  Enum,
  Int,
  listQuery,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { context } from '../interactions/schemas.ts';
import { Target, TargetRequest } from '../subjects/schemas.ts';
import { trustStates } from './transitions.ts';

const level = Int(-2, 2, {
  description: 'From -2 (distrust) to 2 (trust). Required unless you revoke.',
  examples: [1],
});

/** A trust record as a request states it. */
export const TrustRequest = Closed(
  {
    target: TargetRequest,
    context: optional(context),
    level: optional(level),
    note: optional(
      Text(0, 1000, {
        description: 'The reason, for yourself alone.',
        examples: ['Kept every promise so far.'],
      }),
    ),
    expectedVersion: optional(expectedVersion),
    state: optional(
      Enum(['revoked'], { description: 'Revokes the current record.', examples: ['revoked'] }),
    ),
  },
  {
    title: 'TrustRequest',
    examples: [{ target: { agent: 'ada' }, context: 'code-review', level: 1 }],
  },
);

/** One version of a trust record. */
export const TrustRow = Closed(
  {
    id: Uuid({ description: 'Id of the record, shared by its versions.' }),
    target: Target,
    context: Type.String(),
    level: Int(-2, 2),
    note: nullable(Text(0, 1000)),
    version,
    state: Enum([...trustStates, 'replaced']),
    createdAt: Time({ description: 'When this version was created.' }),
  },
  { title: 'TrustRow' },
);
/** One version of a trust record as it is sent. */
export type TrustRow = Static<typeof TrustRow>;

/** Query of the list of trust records. */
export const trustQuery = Closed({
  ...listQuery,
  history: Defaulted(
    Type.Boolean({
      default: false,
      description: 'Whether to include versions that were replaced.',
      examples: [true],
    }),
  ),
});
