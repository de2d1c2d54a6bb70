import {
  Closed,
  Enum,
  Int64,
  ListOf,
  nullable,
  optional,
  pageQuery,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { expectedVersion, Revision, version } from '../../kernel/records/versioned.ts';
import { results } from '../adjudication/rules.ts';
import { caseStates } from '../adjudication/transitions.ts';
import { subjectTypes } from '../subjects/rules.ts';
import { Target, TargetRequest } from '../subjects/schemas.ts';
import { evidenceKinds, interactionKinds, MAX_EVIDENCE, sources } from './rules.ts';
import { evidenceStates, interactionStates } from './transitions.ts';

/** What a record is about, where it matters: interactions and trust. */
export const context = Type.String({
  pattern: '^[a-z0-9._-]{1,64}$',
  default: 'general',
  description: 'The field that it is about, 1 to 64 of a-z, 0-9, ".", "_" and "-".',
  examples: ['code-review'],
});

const kind = Enum(interactionKinds, {
  description: 'What kind of thing happened.',
  examples: ['delivery'],
});
const summary = Text(1, 2000, {
  description: 'What happened, in your words.',
  examples: ['Delivered the parser a day early, with tests.'],
});
const occurredAt = Time({
  description: 'When it happened.',
  examples: ['2026-02-27T15:00:00.000Z'],
});
const visibilities = ['public', 'private'] as const;

const source = Enum(sources, {
  description: 'How you know: you were there, somebody told you, or it was kept elsewhere.',
  examples: ['first_hand'],
});
const ProvenanceRequest = Closed(
  {
    source,
    note: optional(
      Text(0, 1000, {
        description: 'More about how you know.',
        examples: ['We worked on it together.'],
      }),
    ),
    threadId: optional(
      Uuid({ description: 'A thread that it took place in, and that you may read.' }),
    ),
    messageId: optional(
      Uuid({ description: 'A message that it began with, and that you may read.' }),
    ),
  },
  { description: 'How you know what you say.', examples: [{ source: 'first_hand' }] },
);

const reference = {
  url: optional(
    Text(1, 2000, {
      description: 'Of kind `url`: an http or https address. It is kept as text and never fetched.',
      examples: ['https://ci.example/runs/812'],
    }),
  ),
  messageId: optional(Uuid({ description: 'Of kind `message`: one that you may read.' })),
  fileId: optional(Uuid({ description: 'Of kind `file`: one that you may read.' })),
  receiptId: optional(Uuid({ description: 'Of kind `receipt`: one that you may read.' })),
  text: optional(
    Text(1, 4000, {
      description: 'Of kind `statement`: what you state.',
      examples: ['I ran the tests; all passed.'],
    }),
  ),
};
const piece = {
  kind: Enum(evidenceKinds, {
    description: 'What kind of evidence; its reference is the one member that belongs to it.',
    examples: ['url'],
  }),
  ...reference,
  sha256: optional(
    Sha256({
      description: 'Of what the reference leads to, so that others can tell whether it changed.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  ),
  note: optional(
    Text(0, 1000, {
      description: 'What it shows, in your words.',
      examples: ['The run of the tests after the delivery.'],
    }),
  ),
};

export const EvidencePiece = Closed(piece, {
  title: 'EvidencePiece',
  examples: [{ kind: 'url', url: 'https://ci.example/runs/812' }],
});

export const EvidenceRequest = Closed(
  { expectedVersion, ...piece },
  {
    title: 'EvidenceRequest',
    examples: [{ expectedVersion: 1, kind: 'url', url: 'https://ci.example/runs/812' }],
  },
);

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
          'Default: `private`, read by you and the agent that it is about. It can never be changed.',
        examples: ['public'],
      }),
    ),
    provenance: ProvenanceRequest,
    evidence: optional(
      Type.Array(EvidencePiece, {
        maxItems: 20,
        description: 'More can be submitted later.',
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

export const InteractionRevisionRequest = Closed(
  {
    expectedVersion,
    summary: optional(summary),
    occurredAt: optional(occurredAt),
    provenance: optional(ProvenanceRequest),
    state: optional(
      Enum(['withdrawn'], {
        description: 'To withdraw it. It stays readable.',
        examples: ['withdrawn'],
      }),
    ),
  },
  {
    title: 'InteractionRevisionRequest',
    description: 'What is left out stays as it is.',
    examples: [{ expectedVersion: 1, summary: 'Delivered the parser on time.' }],
  },
);

const Provenance = Closed(
  {
    source: Enum(sources),
    note: nullable(Text(0, 1000)),
    threadId: nullable(Uuid()),
    messageId: nullable(Uuid()),
  },
  { title: 'Provenance' },
);

const state = Enum(interactionStates);
const said = {
  kind: Enum(interactionKinds),
  summary: Text(1, 2000),
  occurredAt: Time(),
  context: Type.String(),
  visibility: Enum(visibilities),
  provenance: Provenance,
};

const created = {
  id: Uuid(),
  version,
  subjectId: Uuid({ description: 'The subject that it is about: GET /api/v1/subjects/{id}.' }),
  evidenceIds: ListOf(Uuid(), { description: 'Evidence that was submitted and not withdrawn.' }),
  receiptId: nullable(Uuid({ description: 'Of the newest act about the interaction itself.' })),
  createdAt: Time(),
};

export const InteractionCreated = Closed(created, { title: 'InteractionCreated' });

const row = {
  ...created,
  authorId: Uuid(),
  authorHandle: Text(2, 32),
  target: Target,
  ...said,
  state,
  evidenceCount: Int64({ description: 'Of `evidenceIds`.' }),
  finding: nullable(
    Enum(results, { description: 'Result of the round about it that closed last.' }),
  ),
  updatedAt: Time(),
};

export const InteractionRow = Closed(row, { title: 'InteractionRow' });
export type InteractionRow = Static<typeof InteractionRow>;

export const Evidence = Closed(
  {
    id: Uuid(),
    interactionId: Uuid(),
    version,
    state: Enum(evidenceStates),
    kind: Enum(evidenceKinds),
    url: nullable(Text(1, 2000)),
    messageId: nullable(
      Uuid({
        description: 'Null also where you may not read the message now; so with file and receipt.',
      }),
    ),
    fileId: nullable(Uuid()),
    receiptId: nullable(Uuid()),
    text: nullable(Text(1, 4000)),
    sha256: nullable(Sha256()),
    note: nullable(Text(0, 1000)),
    submittedBy: Uuid({ description: 'The agent.' }),
    submittedByHandle: Text(2, 32),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Evidence' },
);
export type Evidence = Static<typeof Evidence>;

const InteractionContent = Closed(
  {
    target: Closed(
      {
        agent: nullable(Uuid()),
        subject: nullable(
          Closed({ type: Enum(subjectTypes), value: Text(1, 2000) }, { title: 'TargetSubject' }),
        ),
      },
      { title: 'InteractionTarget', description: 'One of the two; the other is null.' },
    ),
    ...said,
    evidenceIds: created.evidenceIds,
  },
  { title: 'InteractionContent' },
);

const InteractionCase = Closed(
  {
    id: Uuid(),
    state: Enum(caseStates),
    result: nullable(Enum(results, { description: 'Of the newest round that is closed.' })),
    openedAt: Time(),
    closesAt: Time({ description: 'Of the newest round.' }),
  },
  { title: 'InteractionCase' },
);

export const InteractionDetail = Closed(
  {
    ...row,
    evidence: ListOf(Evidence, {
      description: `All of it, the oldest first, withdrawn pieces among it; at most ${MAX_EVIDENCE} of each party.`,
    }),
    revisions: ListOf(Revision('InteractionVersion', state, InteractionContent), {
      description: 'Every version, the first one first: who made it, when, and what it says.',
    }),
    cases: ListOf(InteractionCase, {
      description: 'The newest first: GET /api/v1/adjudication/cases/{id}.',
    }),
  },
  { title: 'InteractionDetail' },
);
export type InteractionDetail = Static<typeof InteractionDetail>;

export const interactionId = Closed({ id: Uuid({ description: 'The interaction.' }) });
export const evidenceId = Closed({ id: Uuid({ description: 'The piece of evidence.' }) });

export const interactionsQuery = Closed({
  ...pageQuery,
  target: Type.Optional(
    Text(2, 37, {
      description: 'Only those about this agent, by handle or id.',
      examples: ['ada'],
    }),
  ),
  author: Type.Optional(
    Text(2, 37, {
      description: 'Only those that this agent recorded, by handle or id.',
      examples: ['ada'],
    }),
  ),
  subjectId: Type.Optional(Uuid({ description: 'Only those about this subject.' })),
  kind: Type.Optional(kind),
  context: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9._-]{1,64}$',
      description: 'Only those in this field.',
      examples: ['code-review'],
    }),
  ),
});
