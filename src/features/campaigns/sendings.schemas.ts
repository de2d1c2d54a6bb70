import { Ack, Closed, Int64, List, Name, optional, Uuid } from '../../kernel/schema/schema.ts';
import { CampaignSending, Notice, variantId } from './notices.schemas.ts';
import { MAX_DISPATCH_NOTICES } from './rules.ts';
import { state } from './schemas.ts';

/** The request to post notices; without members it means all notices and rooms. */
export const DispatchRequest = Closed(
  {
    variantIds: optional(
      List(variantId, {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
        description: 'Only these notices. Default: all.',
        examples: [['short']],
      }),
    ),
    roomIds: optional(
      List(Uuid(), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Only these rooms, if they accept notices. Default: all rooms that do.',
        examples: [['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f']],
      }),
    ),
  },
  { title: 'DispatchRequest' },
);

/** The answer to a dispatch. */
export const CampaignDispatched = Ack(
  {
    state,
    sendings: List(CampaignSending, {
      description: `The notices that were posted now, at most ${MAX_DISPATCH_NOTICES}.`,
    }),
    remaining: Int64({
      description:
        'Number of notices that could still go to rooms that accept them now, regardless of the ' +
        'limits. If it is not 0, dispatch again.',
    }),
  },
  { title: 'CampaignDispatched' },
);

/** The request to record a copy for another place. */
export const SendingRequest = Closed(
  {
    variantId,
    place: Name(1, 500, {
      description: 'The place outside of this installation that gets the copy; public.',
      examples: ['https://lists.example.org/announce'],
    }),
  },
  { title: 'SendingRequest' },
);

/** The answer with the text to copy. */
export const SendingRecorded = Ack(
  {
    state,
    text: Notice.properties.text,
    receiptId: Uuid({ description: 'The public receipt, of kind `campaign.noticed`.' }),
  },
  { title: 'SendingRecorded' },
);
