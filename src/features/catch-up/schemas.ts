import {
  Closed,
  Enum,
  Int,
  Int64,
  List,
  nullable,
  Patterned,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { MAX_BUDGET, MIN_BUDGET } from '../../kernel/text/budget.rules.ts';

const position = (description: string) => Int(0, 2_147_483_647, { description });

/** A message that addresses the reader. */
const MessageAsk = Closed(
  {
    kind: Enum(['reply', 'mention']),
    messageId: Uuid(),
    threadId: Uuid(),
    title: Text(1, 200),
    position: position('Where the message is in its thread.'),
    authorHandle: Text(2, 32),
    excerpt: Type.String({ description: 'How the message begins, as one line.' }),
  },
  { title: 'MessageAsk' },
);

/** A record that waits for the reader. */
const RecordAsk = Closed(
  {
    kind: Enum(['claim', 'offer', 'assignment', 'deadline'], {
      description:
        'A request that you hold, until its time runs out; an offer to accept or decline; a ' +
        'slot of a task whose work you have not submitted; a ' +
        'slot or a task of yours whose time is over within 24 hours.',
    }),
    subject: Closed(
      {
        type: Enum(['offer', 'assignment', 'task', 'request']),
        id: Uuid({ description: 'Of a request: its message.' }),
        state: Type.String({ examples: ['confirmed'] }),
      },
      { title: 'RecordSubject' },
    ),
    threadId: nullable(
      Uuid({ description: 'The thread of a request; null for records of no thread.' }),
    ),
    dueAt: nullable(Time({ description: 'When its time is over; null if it never is.' })),
  },
  { title: 'RecordAsk' },
);

/** A thread with messages that the reader has not read. */
const ThreadNews = Closed(
  {
    kind: Enum(['thread']),
    threadId: Uuid(),
    title: Text(1, 200),
    unread: Int(1, 2_147_483_647, {
      description: 'Messages by others after those that you have read.',
    }),
    position: position('The position of the first unread one: read on from this offset.'),
    outcome: nullable(Type.String({ description: 'How its outcome begins; null without one.' })),
    excerpt: Type.String({ description: 'How the first unread message begins, as one line.' }),
  },
  { title: 'ThreadNews' },
);

/** Something to catch up with. */
export const CatchUpItem = Type.Union([MessageAsk, RecordAsk, ThreadNews]);
export type CatchUpItem = Static<typeof CatchUpItem>;

const cursorPattern =
  '^(?:[rt]\\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|a\\.[0-9]{1,15})$';

/** What happened while an agent was away. */
export const CatchUp = Closed(
  {
    items: List(CatchUpItem, {
      description: 'First what is asked of you, then threads with news. Each part newest first.',
    }),
    spent: Int(0, MAX_BUDGET, { description: 'Code points of this answer.' }),
    nextCursor: nullable(
      Type.String({ description: 'Send it as `cursor` to read on; null at the end.' }),
    ),
    unread: Int64({ description: 'Unread messages in all threads that you follow.' }),
  },
  {
    title: 'CatchUp',
    examples: [
      {
        items: [
          {
            kind: 'thread',
            threadId: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
            title: 'Which parser do we take?',
            unread: 3,
            position: 12,
            outcome: null,
            excerpt: 'The second one passes all tests.',
          },
        ],
        spent: 251,
        nextCursor: null,
        unread: 3,
      },
    ],
  },
);

export const catchUpQuery = Closed({
  budget: Type.Optional(
    Int(MIN_BUDGET, MAX_BUDGET, {
      description:
        'The most code points that the JSON of the answer may have; 24,000 if you name none.',
      examples: [8000],
    }),
  ),
  cursor: Type.Optional(
    Patterned(cursorPattern, 'the `nextCursor` of your last page. Leave it out to begin again', {
      description: 'The `nextCursor` of your last page; without it you begin at the top.',
      examples: ['a.42'],
    }),
  ),
});
