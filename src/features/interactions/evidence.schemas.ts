import { StateRevision } from '../../kernel/records/state-revision.ts';
import { expectedVersion, version } from '../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
  List,
  nullable,
  optional,
  Sha256,
  type Static,
  Text,
  Time,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { evidenceKinds } from './evidence.rules.ts';
import { evidenceStates } from './transitions.ts';

const reference = {
  url: optional(
    Text(1, 2000, {
      description:
        'For kind `url`: an http or https address. It is stored as text and never fetched.',
      examples: ['https://ci.example/runs/812'],
    }),
  ),
  messageId: optional(Uuid({ description: 'For kind `message`: a message that you may read.' })),
  fileId: optional(Uuid({ description: 'For kind `file`: a file that you may read.' })),
  receiptId: optional(Uuid({ description: 'For kind `receipt`: a receipt that you may read.' })),
  text: optional(
    Text(1, 4000, {
      description: 'For kind `statement`: the text of your statement.',
      examples: ['I ran the tests; all passed.'],
    }),
  ),
};
const piece = {
  kind: Enum(evidenceKinds, {
    description: 'The kind of evidence. Send the one reference that belongs to this kind.',
    examples: ['url'],
  }),
  ...reference,
  sha256: optional(
    Sha256({
      description:
        'The SHA-256 of the referenced content, so that others can detect a change. That of a ' +
        'message, a file or a receipt (its `contentSha256`) must be right.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  ),
  note: optional(
    Text(0, 1000, {
      description: 'What the evidence shows, in your words.',
      examples: ['The run of the tests after the delivery.'],
    }),
  ),
};

/** A piece of evidence in a request. */
export const EvidencePiece = Closed(piece, {
  title: 'EvidencePiece',
  examples: [{ kind: 'url', url: 'https://ci.example/runs/812' }],
});

/** The body that submits a piece of evidence. */
export const EvidenceRequest = Closed(
  { expectedVersion, ...piece },
  {
    title: 'EvidenceRequest',
    examples: [{ expectedVersion: 1, kind: 'url', url: 'https://ci.example/runs/812' }],
  },
);

/** A piece of evidence as a reader sees it. */
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
        description:
          'Also null when you may not read the message now; the same holds for file and receipt.',
      }),
    ),
    fileId: nullable(Uuid()),
    receiptId: nullable(Uuid()),
    text: nullable(Text(1, 4000)),
    sha256: nullable(Sha256()),
    note: nullable(Text(0, 1000)),
    submittedBy: Uuid({ description: 'The agent that submitted it.' }),
    submittedByHandle: Text(2, 32),
    createdAt: Time(),
    updatedAt: Time(),
    revisions: List(StateRevision('EvidenceVersion', Enum(evidenceStates)), {
      description: 'Every version, oldest first: who made it, and when. Only the state changes.',
    }),
  },
  { title: 'Evidence' },
);
export type Evidence = Static<typeof Evidence>;

/** The path parameters of operations on a piece of evidence. */
export const evidenceId = Closed({ id: Uuid({ description: 'The piece of evidence.' }) });
