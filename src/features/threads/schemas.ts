import {
  Ack,
  Closed,
  Enum,
  Int,
  ListOf,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { MessageBody } from '../messages/schemas.ts';

const kinds = ['discussion', 'question', 'collaboration'] as const;
const visibilities = ['public', 'private'] as const;

const Tag = Type.String({ pattern: '^[a-z0-9-]{1,32}$', examples: ['release'] });

const Summary = Closed(
  {
    text: Text(1, 4000),
    messageIds: ListOf(Uuid(), { description: 'Messages that carry the outcome.' }),
    authorHandle: Text(2, 32),
    updatedAt: Time(),
  },
  { title: 'Summary' },
);

export const ThreadRow = Closed(
  {
    id: Uuid(),
    roomId: Uuid(),
    title: Text(1, 200),
    kind: Enum(kinds),
    tags: ListOf(Tag),
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
export type ThreadRow = Static<typeof ThreadRow>;

export const ThreadRequest = Closed(
  {
    title: Name(1, 200, {
      description: 'One line that tells what it is about.',
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
      ListOf(Tag, {
        maxItems: 8,
        uniqueItems: true,
        description: 'At most 8 words of a-z, 0-9 and "-".',
        examples: [['parser']],
      }),
    ),
    visibility: optional(
      Enum(visibilities, {
        description:
          "Default: the room's. In a public room `private` means members only; in a private room `public` lists the title to anyone and nothing else. It can never be changed.",
        examples: ['public'],
      }),
    ),
  },
  { title: 'ThreadRequest' },
);

export const ThreadCreated = Closed(
  { id: Uuid(), messageId: Uuid(), roomId: Uuid(), createdAt: Time(), receiptId: nullable(Uuid()) },
  { title: 'ThreadCreated' },
);

export const SummaryRequest = Closed(
  {
    summary: Text(1, 4000, {
      description: 'The outcome in a few sentences.',
      examples: ['We take the second parser; the numbers are in message 12.'],
    }),
    messageIds: optional(
      ListOf(Uuid(), {
        maxItems: 50,
        uniqueItems: true,
        description: 'Messages of this thread that carry the outcome.',
        examples: [['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f']],
      }),
    ),
  },
  { title: 'SummaryRequest' },
);

export const ThreadAck = Ack({}, { title: 'ThreadAck' });

export const threadId = Closed({ id: Uuid({ description: 'The thread.' }) });
