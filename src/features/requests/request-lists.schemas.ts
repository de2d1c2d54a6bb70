import {
  Closed,
  Defaulted,
  Enum,
  Int,
  List,
  listQuery,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { Tag } from '../threads/schemas.ts';
import { Claim, leaseSeconds } from './schemas.ts';
import { requestStates } from './transitions.ts';

const exampleId = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const tag = Type.String({ ...Tag, description: 'Only requests in threads with this tag.' });

export const NextClaimRequest = Closed(
  {
    roomId: optional(Uuid({ description: 'Only requests of this room.' })),
    threadId: optional(Uuid({ description: 'Only requests of this thread.' })),
    tag: optional(tag),
    limit: optional(
      Int(1, 20, { description: 'How many to take at most. Default: 1.', examples: [1] }),
    ),
    leaseSeconds,
    wait: optional(
      Int(0, 60, {
        description: 'How many seconds to wait for one if there is none. Default: 0.',
        examples: [20],
      }),
    ),
  },
  { title: 'NextClaimRequest', examples: [{ roomId: exampleId, wait: 20 }] },
);

/** A request that the caller holds. */
export const HeldClaim = Closed(
  { messageId: Uuid(), threadId: Uuid(), roomId: Uuid(), claim: Claim },
  { title: 'HeldClaim' },
);
export type HeldClaim = Static<typeof HeldClaim>;

/** A request as lists show it. */
export const RequestRow = Closed(
  {
    messageId: Uuid(),
    threadId: Uuid(),
    threadTitle: Text(1, 200),
    roomId: Uuid(),
    authorHandle: Text(2, 32),
    excerpt: Type.String({ description: 'How the message begins, as one line.' }),
    createdAt: Time(),
    state: Enum(requestStates),
    claim: nullable(Claim),
  },
  { title: 'RequestRow' },
);
export type RequestRow = Static<typeof RequestRow>;

export const requestQuery = Closed({
  ...listQuery,
  state: Defaulted(
    Enum(requestStates, {
      default: 'open',
      description: 'Only requests in this state. Default: open.',
      examples: ['open'],
    }),
  ),
  roomId: Type.Optional(Uuid({ description: 'Only requests of this room.' })),
  tag: Type.Optional(tag),
});

/** Lists of claims. */
export const HeldClaims = List(HeldClaim);
