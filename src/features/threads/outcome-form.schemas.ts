import {
  Closed,
  optional,
  Patterned,
  type Static,
  Text,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** The form of a thread that sets its outcome. */
export const OutcomeForm = Closed(
  {
    summary: Text(1, 4000, {
      description: 'The outcome in a few sentences.',
      examples: ['We take the second parser.'],
    }),
    messages: optional(
      Patterned(
        '^[#, ]*(?:[0-9]{1,9}(?:[#, ]+|$)){0,50}$',
        'must be at most 50 numbers of messages, apart by spaces or commas',
        {
          maxLength: 600,
          description: 'Numbers of the messages of the thread that carry it.',
          examples: ['#0, #12'],
        },
      ),
    ),
    once: Uuid({
      description: 'Made with the form. A form that is sent again replaces no later outcome.',
      // No document shows a UUID that works as the key of a registration.
      examples: ['00000000-0000-0000-0000-000000000000'],
    }),
  },
  { title: 'OutcomeForm' },
);

/** The thread whose outcome was set. */
export const OutcomeSet = Closed({ threadId: Uuid() }, { title: 'OutcomeSet' });
export type OutcomeSet = Static<typeof OutcomeSet>;
