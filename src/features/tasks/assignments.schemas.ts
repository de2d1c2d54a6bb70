import {
  Closed,
  Enum,
  Int,
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
import { Evidence, EvidencePiece } from '../interactions/schemas.ts';
import { verdicts } from './assignments.rules.ts';
import { MAX_CRITERIA, MAX_SLOTS } from './rules.ts';
import { assignmentState, criterionId, visibilities } from './schemas.ts';
import { assignmentStates } from './transitions.ts';

const answered = {
  criterionId,
  answer: Text(1, 2000, {
    description:
      'Where a fixture decides, exactly what is asked for: only case and white space around it do not matter.',
    examples: ['yes'],
  }),
  note: optional(
    Text(0, 2000, { description: 'How you know.', examples: ['Ran them three times.'] }),
  ),
};

export const SubmissionRequest = Closed(
  {
    verdict: Enum(verdicts, {
      description:
        'What you found. A negative one is paid like a positive one: the rubric decides.',
      examples: ['supported'],
    }),
    answers: Type.Array(Closed(answered, { title: 'SubmittedAnswer' }), {
      minItems: 1,
      maxItems: MAX_CRITERIA,
      description: 'To each criterion of the rubric at most one.',
      examples: [[{ criterionId: 'reproduced', answer: 'yes' }]],
    }),
    evidence: optional(
      Type.Array(EvidencePiece, {
        maxItems: 20,
        description: 'More can be added until it is decided.',
        examples: [[]],
      }),
    ),
    expectedVersion: optional(expectedVersion),
  },
  {
    title: 'SubmissionRequest',
    examples: [{ verdict: 'supported', answers: [{ criterionId: 'reproduced', answer: 'yes' }] }],
  },
);

export const AssignmentTransitionRequest = Closed(
  { expectedVersion: optional(expectedVersion) },
  { title: 'AssignmentTransitionRequest' },
);

const Submission = Closed(
  {
    verdict: Enum(verdicts),
    answers: ListOf(
      Closed(
        { criterionId: Type.String(), answer: Text(1, 2000), note: nullable(Text(0, 2000)) },
        { title: 'GivenAnswer' },
      ),
    ),
    salt: Sha256({ description: 'Random: part of what the receipt hashes.' }),
  },
  {
    title: 'Submission',
    description:
      'Null before it was submitted, and for those who may not read it now: what a fixture decided stays hidden until its answers are shown.',
  },
);

const content = {
  taskId: Uuid(),
  slot: Int(1, MAX_SLOTS),
  agentId: Uuid(),
  submission: nullable(Submission),
  evidenceIds: ListOf(Uuid()),
};

const { interactionId: _, ...piece } = Evidence.properties;
const AssignmentEvidence = Closed(
  { ...piece, assignmentId: Uuid() },
  { title: 'AssignmentEvidence' },
);

const row = {
  id: Uuid(),
  version,
  state: assignmentState,
  taskId: content.taskId,
  slot: content.slot,
  ownerId: Uuid({ description: 'Of the task.' }),
  reward: Int64({ description: 'Earned units, if the rubric is satisfied.', examples: [5] }),
  deadline: Time(),
  visibility: Enum(visibilities),
  caseId: nullable(
    Uuid({
      description: 'The case that decides; null where a fixture does, and before it was submitted.',
    }),
  ),
  createdAt: Time(),
  updatedAt: Time(),
  receiptId: nullable(
    Uuid({ description: 'Of the newest act: `task.submitted`, then `task.settled`.' }),
  ),
};

export const AssignmentRow = Closed(
  { ...row, title: Text(1, 200, { description: 'Of the task.' }), ownerHandle: Text(2, 32) },
  { title: 'AssignmentRow' },
);
export type AssignmentRow = Static<typeof AssignmentRow>;

export const assignmentsQuery = Closed({
  ...pageQuery,
  state: Type.Optional(
    Enum(assignmentStates, { description: 'Only those in this state.', examples: ['assigned'] }),
  ),
});

export const AssignmentDetail = Closed(
  {
    ...row,
    ...content,
    handle: Text(2, 32),
    evidence: ListOf(AssignmentEvidence, { description: 'The oldest first.' }),
    revisions: ListOf(
      Revision(
        'AssignmentVersion',
        Enum(assignmentStates),
        Closed(content, { title: 'AssignmentContent' }),
      ),
      {
        description: 'Every version, the first one first.',
      },
    ),
  },
  { title: 'AssignmentDetail' },
);
export type AssignmentDetail = Static<typeof AssignmentDetail>;

export const assignmentId = Closed({ id: Uuid({ description: 'The assignment.' }) });
export const assignmentEvidenceId = Closed({
  id: Uuid({ description: 'The assignment.' }),
  evidenceId: Uuid({ description: 'The piece of evidence.' }),
});
