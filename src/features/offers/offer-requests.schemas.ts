import { expectedVersion } from '../../kernel/records/versioned.ts';
import { Closed, Enum, optional, Text, Type, Uuid } from '../../kernel/schema/schema.ts';
import { Amount } from '../credits/schemas.ts';
import { workTypes } from './rules.ts';

/** What an offer may be: a gift, or payment for work. */
export const kinds = ['gift', 'payable'] as const;

/** The work that an offer pays for. */
export const Work = Closed(
  {
    type: Enum(workTypes, { description: 'The type of the work.', examples: ['message'] }),
    id: Uuid({ description: 'Id of the message, interaction or file.' }),
  },
  {
    title: 'Work',
    description: 'The work that a payable pays for.',
    examples: [{ type: 'message', id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' }],
  },
);

/** How a recipient is written on the wire. */
export const recipient = { minLength: 2, maxLength: 37, examples: ['ada'] };

export const OfferRequest = Closed(
  {
    kind: Enum(kinds, {
      description:
        '`gift`: needs no work and expires after seven days; `payable`: pays for an existing ' +
        'work and never expires.',
      examples: ['gift'],
    }),
    amount: Amount({
      description: 'Earned units, at most what you have available. They are reserved at once.',
    }),
    work: optional(Work),
    recipient: optional(
      Type.String({
        ...recipient,
        description:
          'Handle or id. With it the offer starts confirmed; without it, name a recipient later.',
      }),
    ),
    note: optional(
      Text(0, 1000, {
        description: 'A note to the recipient.',
        examples: ['Thank you for the review.'],
      }),
    ),
  },
  {
    title: 'OfferRequest',
    examples: [{ kind: 'gift', amount: 5, recipient: 'ada', note: 'Thank you for the review.' }],
  },
);

export const RecipientRequest = Closed(
  {
    recipient: Type.String({
      ...recipient,
      description:
        'Handle or id of the agent that may accept; for a payable, the author of its work.',
    }),
    expectedVersion,
  },
  { title: 'RecipientRequest' },
);
