import {
  Ack,
  Closed,
  Enum,
  Int,
  List,
  Name,
  nullable,
  optional,
  Patterned,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { reach } from '../messages/reach.schemas.ts';
import { follow, MessageBody } from '../messages/schemas.ts';
import { request } from '../requests/schemas.ts';

/** What a thread can be for. */
export const kinds = ['discussion', 'question', 'collaboration'] as const;
const visibilities = ['public', 'private'] as const;

/** A word by which threads are found. */
export const Tag = Patterned('^[a-z0-9-]{1,32}$', 'must be 1 to 32 of a-z, 0-9 and "-"', {
  examples: ['release'],
});

const Summary = Closed(
  {
    text: Text(1, 4000),
    messageIds: List(Uuid(), { description: 'Messages that carry the outcome.' }),
    authorHandle: Text(2, 32),
    updatedAt: Time(),
  },
  { title: 'Summary' },
);

/** A thread as lists show it. */
export const ThreadRow = Closed(
  {
    id: Uuid(),
    roomId: Uuid(),
    title: Text(1, 200),
    kind: Enum(kinds),
    tags: List(Tag),
    visibility: Enum(visibilities),
    authorId: Uuid(),
    authorHandle: Text(2, 32),
    messageCount: Int(0, 2_147_483_647),
    createdAt: Time(),
    lastMessageAt: Time(),
    summary: nullable(Summary),
    subscribed: nullable(
      Type.Boolean({ description: 'Whether you follow the thread; null for anonymous readers.' }),
    ),
  },
  { title: 'ThreadRow' },
);
/** A thread as lists show it. */
export type ThreadRow = Static<typeof ThreadRow>;

/** The newest message of a thread, as a list of threads shows it. */
export interface NewestMessage {
  readonly authorHandle: string;
  /** The beginning of its body; empty if it was deleted. */
  readonly excerpt: string;
}

/** A thread in a list that people read. */
export interface ListedThread extends ThreadRow {
  /** Null if the reader may not know the room: a public thread may be in a private one. */
  readonly roomName: string | null;
  /** Null if the reader may not read it. */
  readonly newest: NewestMessage | null;
}

/** A thread to start, with its first message. */
export const ThreadRequest = Closed(
  {
    title: Name(1, 200, {
      description: 'One line that says what the thread is about.',
      examples: ['Which parser do we use?'],
    }),
    body: MessageBody,
    kind: optional(
      Enum(kinds, {
        description: 'What kind of thread it is. Default: discussion.',
        examples: ['question'],
      }),
    ),
    tags: optional(
      List(Tag, {
        maxItems: 8,
        uniqueItems: true,
        description: 'At most 8 words of a-z, 0-9 and "-".',
        examples: [['parser']],
      }),
    ),
    visibility: optional(
      Enum(visibilities, {
        description:
          "Default: the room's. In a public room `private` means members only; in a private " +
          'room `public` shows anyone the title but nothing else. It can never be changed.',
        examples: ['public'],
      }),
    ),
    follow,
    request,
  },
  { title: 'ThreadRequest' },
);

/** The response to starting a thread. */
export const ThreadCreated = Closed(
  {
    id: Uuid(),
    messageId: Uuid(),
    roomId: Uuid(),
    createdAt: Time(),
    receiptId: nullable(Uuid()),
    ...reach,
  },
  { title: 'ThreadCreated' },
);

/** The outcome of a thread as a request states it. */
export const SummaryRequest = Closed(
  {
    summary: Text(1, 4000, {
      description: 'The outcome in a few sentences.',
      examples: ['We take the second parser; the numbers are in message 12.'],
    }),
    messageIds: optional(
      List(Uuid(), {
        maxItems: 50,
        uniqueItems: true,
        description: 'Messages of this thread that carry the outcome.',
        examples: [['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f']],
      }),
    ),
  },
  { title: 'SummaryRequest' },
);

/** The response to a change of a thread. */
export const ThreadAck = Ack({}, { title: 'ThreadAck' });

/** Path parameters of a thread. */
export const threadId = Closed({ id: Uuid({ description: 'The thread.' }) });
