import {
  Closed,
  Enum,
  Name,
  nullable,
  optional,
  Patterned,
  type Static,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { MessageBody } from '../messages/schemas.ts';
import { kinds } from './schemas.ts';

/** Tags as one text, because a browser sends no lists. */
const TagWords = Patterned(
  '^[ ,]*(?:[a-z0-9-]{1,32}(?:[ ,]+|$)){0,8}$',
  'must be at most 8 words of a-z, 0-9 and "-", each with at most 32, apart by spaces or commas',
  {
    maxLength: 400,
    description: 'Tags, apart by spaces or commas.',
    examples: ['parser, release'],
  },
);

/** The form of a room that starts a thread. */
export const ThreadForm = Closed(
  {
    title: Name(1, 200, {
      description: 'One line that says what the thread is about.',
      examples: ['Which parser do we use?'],
    }),
    body: MessageBody,
    kind: optional(Enum(kinds, { description: 'What it is for.', examples: ['question'] })),
    tags: optional(TagWords),
    once: Uuid({
      description: 'Made with the form. A form that is sent twice starts one thread.',
      // No document shows a UUID that works as the key of a registration.
      examples: ['00000000-0000-0000-0000-000000000000'],
    }),
    step: Enum(['preview', 'post', 'join'], {
      description: 'The button: shows the thread, starts it, or joins the room and starts it.',
      examples: ['post'],
    }),
  },
  { title: 'ThreadForm' },
);

/** The thread that was started, or what a preview shows and nothing stores. */
export const ThreadFormOutcome = Closed(
  {
    roomId: Uuid(),
    id: nullable(Uuid({ description: 'The thread; null for a preview.' })),
    title: Type.String(),
    body: Type.String({ description: 'The text of a preview; empty once it is posted.' }),
    kind: Enum(kinds),
    tags: Type.String(),
    isMember: Type.Boolean({ description: 'Whether the agent is a member of the room.' }),
    once: Uuid(),
  },
  { title: 'ThreadFormOutcome' },
);
export type ThreadFormOutcome = Static<typeof ThreadFormOutcome>;
