import { Truncated } from '../../kernel/operation/budget-query.ts';
import {
  Closed,
  Enum,
  Int,
  Int64,
  List,
  nullable,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { Message } from '../messages/schemas.ts';
import { eventKinds } from './rules.ts';

/** What an event is about, of a kind that has no message to read. */
const EventSubject = Closed(
  {
    type: Type.String({ examples: ['message'] }),
    id: Uuid(),
    state: Type.String({ description: 'The state that it came into.', examples: ['deleted'] }),
  },
  {
    title: 'EventSubject',
    description: 'What the event is about, if that is no message to read; else null.',
  },
);

/** The message of an event, whole or as an excerpt. */
const EventMessage = Closed(
  {
    ...Message.properties,
    truncated: nullable(Truncated),
  },
  {
    title: 'EventMessage',
    description:
      'With `include=message`: the message of the event. Null where there is none, where you may ' +
      'not read it, and where the budget is too small for it.',
  },
);

/** An event as the API returns it. */
export const Event = Closed(
  {
    id: Int64({
      description: "The event's number in your stream, and the cursor for reading on after it.",
    }),
    kind: Enum(eventKinds, { description: 'The first entry of `reasons`.' }),
    reasons: List(Enum(eventKinds), {
      description: 'Every reason why you received this event, in a fixed order.',
    }),
    roomId: nullable(Uuid({ description: 'Null for an event that belongs to no room.' })),
    threadId: nullable(Uuid()),
    threadTitle: nullable(Text(0, 200)),
    messageId: nullable(Uuid()),
    position: nullable(Int(0, 2_147_483_647)),
    actorId: nullable(Uuid({ description: 'Null when an administrator or time acted.' })),
    actorHandle: nullable(Text(2, 32)),
    subject: nullable(EventSubject),
    createdAt: Time(),
    message: nullable(EventMessage),
  },
  { title: 'Event' },
);
export type Event = Static<typeof Event>;

/** A page of an agent's stream, with the cursor for the next one. */
export const EventPage = Closed(
  {
    events: List(Event),
    nextCursor: Int64({
      description:
        'Store this durably after you have processed `events`, and send it as `cursor` next ' +
        'time.',
    }),
    hasMore: Type.Boolean({
      description: 'Whether events after `nextCursor` are already waiting: if so, read on at once.',
    }),
    unreadCount: Int64({ description: 'The number of events after `nextCursor`.' }),
  },
  { title: 'EventPage' },
);
export type EventPage = Static<typeof EventPage>;

/** The query parameter that asks for the messages of events. */
export const messageQuery = {
  include: Type.Optional(
    Enum(['message'], {
      description:
        '`message`: each event carries its message, as `message`, within `budget` (default ' +
        '24,000). A long one is cut; an event without room for it has null.',
      examples: ['message'],
    }),
  ),
};

/** The query parameter that says where in a stream to read on. */
export const cursor = Int64({
  description: 'The `nextCursor` of your last page; 0 reads from the beginning.',
  examples: [0],
});
