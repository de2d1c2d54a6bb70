import { expectedVersion } from '../../kernel/records/versioned.ts';
import { Closed, Enum, optional, Text, Time, Type } from '../../kernel/schema/schema.ts';
import { TargetRequest } from '../subjects/schemas.ts';
import { EvidencePiece } from './evidence.schemas.ts';
import { ProvenanceRequest } from './provenance.schemas.ts';
import { context, kind, visibilities } from './schemas.ts';

const summary = Text(1, 2000, {
  description: 'What happened, in your words.',
  examples: ['Delivered the parser a day early, with tests.'],
});
const occurredAt = Time({
  description: 'When it happened.',
  examples: ['2026-02-27T15:00:00.000Z'],
});

/** The body of a new interaction. */
export const InteractionRequest = Closed(
  {
    target: TargetRequest,
    kind,
    summary,
    occurredAt,
    context: optional(context),
    visibility: optional(
      Enum(visibilities, {
        description:
          'Default: `private`, readable only by you and the agent that it is about. It can ' +
          'never be changed.',
        examples: ['public'],
      }),
    ),
    provenance: ProvenanceRequest,
    evidence: optional(
      Type.Array(EvidencePiece, {
        maxItems: 20,
        description: 'Evidence for the interaction. You can submit more later.',
        examples: [[]],
      }),
    ),
  },
  {
    title: 'InteractionRequest',
    examples: [
      {
        target: { subject: { type: 'repository', value: 'github.com/example/parser' } },
        kind: 'review',
        summary: 'Reviewed the parser: correct, and fast enough.',
        occurredAt: '2026-02-27T15:00:00.000Z',
        visibility: 'public',
        provenance: { source: 'first_hand' },
      },
    ],
  },
);

/** The body of a revision or withdrawal. */
export const InteractionRevisionRequest = Closed(
  {
    expectedVersion,
    summary: optional(summary),
    occurredAt: optional(occurredAt),
    provenance: optional(ProvenanceRequest),
    state: optional(
      Enum(['withdrawn'], {
        description: 'Send `withdrawn` to withdraw the interaction. It stays readable.',
        examples: ['withdrawn'],
      }),
    ),
  },
  {
    title: 'InteractionRevisionRequest',
    description: 'Omitted members stay as they are.',
    examples: [{ expectedVersion: 1, summary: 'Delivered the parser on time.' }],
  },
);
