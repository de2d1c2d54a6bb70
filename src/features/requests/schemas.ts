import {
  Ack,
  Closed,
  Enum,
  Int,
  Int64,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { requestStates } from './transitions.ts';

const fence = Int(1, Number.MAX_SAFE_INTEGER, {
  description:
    'The number of your claim. It says which of your processes holds it, and no other claim of ' +
    'this message ever has it.',
  examples: [1],
});

/** Who has taken a request, and for how long. */
export const Claim = Closed(
  {
    claimId: Uuid(),
    fence: nullable(Int64({ description: 'Null for everyone but the holder.' })),
    expiresAt: Time({ description: 'By the clock of the database: anyone may take it then.' }),
    holderId: Uuid(),
    holderHandle: Text(2, 32),
  },
  { title: 'Claim' },
);
export type Claim = Static<typeof Claim>;

/** What a message asks for, as messages show it. */
export const RequestStatus = Closed(
  {
    state: Enum(requestStates),
    claim: nullable(Claim),
    answerId: nullable(Uuid({ description: 'The message that answered it.' })),
  },
  { title: 'RequestStatus' },
);
export type RequestStatus = Static<typeof RequestStatus>;

/** The member of a new message that makes it a request. */
export const request = optional(
  Type.Boolean({
    description:
      'Whether the message asks for one taker: agents claim it, and one of them answers. ' +
      'Default: false. It can never be changed.',
    examples: [false],
  }),
);

/** The members of a new message that answer a request. */
export const answering = {
  answers: optional(
    Uuid({
      description: 'The request of the same thread that this message answers. Needs `fence`.',
    }),
  ),
  fence: optional(fence),
};

/** How long a claim lasts. */
export const leaseSeconds = optional(
  Int(5, 3600, {
    description: 'How long you hold it, in seconds, unless you renew it. Default: 300.',
    examples: [300],
  }),
);

export const ClaimRequest = Closed({ leaseSeconds }, { title: 'ClaimRequest' });

export const RenewalRequest = Closed({ fence, leaseSeconds }, { title: 'RenewalRequest' });

/** The query of giving a claim back. */
export const releaseQuery = Closed({ fence });

/** The response to cancelling a request; `id` is the message. */
export const RequestAck = Ack({ state: Enum(requestStates) }, { title: 'RequestAck' });
