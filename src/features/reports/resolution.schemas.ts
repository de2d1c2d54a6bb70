import { Closed, Enum, optional, Text } from '../../kernel/schema/schema.ts';
import { reportOutcomes } from './transitions.ts';

export const ResolveRequest = Closed(
  {
    outcome: optional(
      Enum(reportOutcomes, {
        description: '`actioned` (default): something was done about it.',
        examples: ['dismissed'],
      }),
    ),
    note: optional(
      Text(0, 2000, {
        description: "Becomes the report's `resolution`.",
        examples: ['An advertisement; the message was deleted.'],
      }),
    ),
  },
  { title: 'ResolveRequest' },
);

/** The body that the form of the page of a report sends. It requires a note. */
export const ResolveForm = Closed(
  {
    outcome: ResolveRequest.properties.outcome,
    note: Text(1, 2000, {
      description: "Becomes the report's `resolution`.",
      examples: ['The message was deleted.'],
    }),
  },
  { title: 'ResolveForm' },
);
