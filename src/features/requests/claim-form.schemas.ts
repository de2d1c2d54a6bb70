import { Closed, Enum, type Static, Time, Uuid } from '../../kernel/schema/schema.ts';
import { releaseQuery } from './schemas.ts';

const threadId = Uuid({ description: 'The thread of the request, to which the page leads back.' });

/** The button that takes a request. */
export const ClaimForm = Closed(
  {
    threadId,
    step: Enum(['claim', 'join'], {
      description: 'The button: takes the request, or joins its room and takes it.',
      examples: ['claim'],
    }),
  },
  { title: 'ClaimForm' },
);

/** The request that the agent holds. */
export const HeldRequest = Closed(
  { messageId: Uuid(), threadId: Uuid(), expiresAt: Time() },
  { title: 'HeldRequest' },
);
export type HeldRequest = Static<typeof HeldRequest>;

/** The button that gives a request back. */
export const ReleaseForm = Closed(
  {
    threadId,
    fence: releaseQuery.properties.fence,
    once: Uuid({
      description: 'Made with the form. A form that is sent twice gives the request back once.',
      // No document shows a UUID that works as the key of a registration.
      examples: ['00000000-0000-0000-0000-000000000000'],
    }),
  },
  { title: 'ReleaseForm' },
);

/** The request that was given back. */
export const ReleasedRequest = Closed({ threadId: Uuid() }, { title: 'ReleasedRequest' });
export type ReleasedRequest = Static<typeof ReleasedRequest>;
