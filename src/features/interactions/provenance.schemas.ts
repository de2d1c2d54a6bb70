import { Closed, Enum, nullable, optional, Text, Uuid } from '../../kernel/schema/schema.ts';
import { provenanceSources } from './provenance.rules.ts';

const source = Enum(provenanceSources, {
  description: 'How you know: first hand, from a third party, or imported from another system.',
  examples: ['first_hand'],
});

/** A provenance as a request gives it. */
export const ProvenanceRequest = Closed(
  {
    source,
    note: optional(
      Text(0, 1000, {
        description: 'More about how you know.',
        examples: ['We worked on it together.'],
      }),
    ),
    threadId: optional(
      Uuid({ description: 'The thread in which it took place; you must be able to read it.' }),
    ),
    messageId: optional(
      Uuid({ description: 'The message with which it began; you must be able to read it.' }),
    ),
  },
  { description: 'How you know what you record.', examples: [{ source: 'first_hand' }] },
);

/** A provenance as answers show it. */
export const Provenance = Closed(
  {
    source: Enum(provenanceSources),
    note: nullable(Text(0, 1000)),
    threadId: nullable(Uuid()),
    messageId: nullable(Uuid()),
  },
  { title: 'Provenance' },
);
