import {
  Ack,
  Closed,
  Enum,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
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

/** The body that the form of the page of a report sends. It requires a reason. */
export const ResolveForm = Closed(
  {
    delete: optional(
      Type.Boolean({ description: 'Whether to delete what was reported.', examples: [false] }),
    ),
    block: optional(
      Type.Boolean({ description: 'Whether to block its author.', examples: [false] }),
    ),
    outcome: ResolveRequest.properties.outcome,
    reason: Name(1, 500, {
      description: "The reason in one line. It becomes the report's `resolution`.",
      examples: ['An advertisement.'],
    }),
    once: optional(
      Uuid({
        description: 'Made with the form. A form that is sent twice acts once.',
        // No document shows a UUID that works as the key of a registration.
        examples: ['00000000-0000-0000-0000-000000000000'],
      }),
    ),
  },
  { title: 'ResolveForm' },
);

/** What was done, and where an administrator goes on. */
export const Resolution = Ack(
  {
    deleted: Type.Boolean({ description: 'Whether what was reported was deleted.' }),
    blocked: Type.Boolean({ description: 'Whether its author was blocked.' }),
    nextId: nullable(Uuid({ description: 'The next open report; null if none is open.' })),
  },
  { title: 'Resolution' },
);
export type Resolution = Static<typeof Resolution>;

/** The query with which a closed report leads on to the next page, which then says so. */
export const afterQuery = Closed({
  after: Type.Optional(Uuid({ description: 'The report that was closed just before.' })),
});
