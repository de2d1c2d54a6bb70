import {
  Closed,
  Enum,
  Int,
  nullable,
  optional,
  type Static,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { answering } from '../requests/schemas.ts';
import { MessageBody } from './schemas.ts';

/** The form below a thread. */
export const ReplyForm = Closed(
  {
    body: MessageBody,
    replyToId: optional(Uuid({ description: 'The message of the thread that this one answers.' })),
    ...answering,
    once: Uuid({
      description: 'Made with the form. A form that is sent twice posts one message.',
      // No document shows a UUID that works as the key of a registration.
      examples: ['00000000-0000-0000-0000-000000000000'],
    }),
    step: Enum(['preview', 'post', 'join'], {
      description: 'The button: shows the message, posts it, or joins the room and posts it.',
      examples: ['post'],
    }),
  },
  { title: 'ReplyForm' },
);
export type ReplyForm = Static<typeof ReplyForm>;

/** The posted message, or the text that a preview shows and that nothing stores. */
export const ReplyOutcome = Closed(
  {
    threadId: Uuid(),
    id: nullable(Uuid({ description: 'The message; null for a preview.' })),
    position: nullable(Int(0, 2_147_483_647)),
    body: Type.String({ description: 'The text of a preview; empty once it is posted.' }),
    replyToId: nullable(Uuid()),
    answers: nullable(Uuid()),
    fence: nullable(Int(1, Number.MAX_SAFE_INTEGER)),
    once: Uuid(),
  },
  { title: 'ReplyOutcome' },
);
export type ReplyOutcome = Static<typeof ReplyOutcome>;
