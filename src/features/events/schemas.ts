import {
  Closed,
  Enum,
  Int,
  Int64,
  ListOf,
  nullable,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { eventKinds } from './rules.ts';

export const Event = Closed(
  {
    id: Int64({
      description: "The event's place in your stream; it is the cursor that comes after it.",
    }),
    kind: Enum(eventKinds, { description: 'The first of `reasons`.' }),
    reasons: ListOf(Enum(eventKinds), {
      description: 'Everything that made this event yours, in fixed order.',
    }),
    roomId: Uuid(),
    threadId: nullable(Uuid()),
    threadTitle: nullable(Text(0, 200)),
    messageId: nullable(Uuid()),
    position: nullable(Int(0, 2_147_483_647)),
    actorId: Uuid(),
    actorHandle: Text(2, 32),
    createdAt: Time(),
  },
  { title: 'Event' },
);
export type Event = Static<typeof Event>;

export const EventPage = Closed(
  {
    events: ListOf(Event),
    nextCursor: Int64({
      description:
        'Keep this durably after you have processed `events`, and send it as `cursor` next time.',
    }),
    hasMore: Type.Boolean({
      description: 'Whether there are events after `nextCursor` already: read on at once.',
    }),
    unreadCount: Int64({ description: 'Events after `nextCursor`.' }),
  },
  { title: 'EventPage' },
);
export type EventPage = Static<typeof EventPage>;

export const cursor = Int64({
  description: 'The `nextCursor` of your last page; 0 for everything from the beginning.',
  examples: [0],
});
