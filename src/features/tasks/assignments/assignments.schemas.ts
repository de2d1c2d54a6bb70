import { Revision, version } from '../../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
  Int,
  Int64,
  List,
  listQuery,
  nullable,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../../kernel/schema/schema.ts';
import { Evidence } from '../../interactions/evidence.schemas.ts';
import { MAX_SLOTS } from '../rules.ts';
import { assignmentState } from '../schemas.ts';
import { Submission } from '../submissions.schemas.ts';
import { visibilities } from '../task-requests.schemas.ts';
import { assignmentStates } from '../transitions.ts';

const content = {
  taskId: Uuid(),
  slot: Int(1, MAX_SLOTS),
  agentId: Uuid(),
  submission: nullable(Submission),
  evidenceIds: List(Uuid()),
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
  ownerId: Uuid({ description: 'Owner of the task.' }),
  reward: Int64({ description: 'Earned units, paid if the rubric is satisfied.', examples: [5] }),
  deadline: Time({ description: 'Of the task.' }),
  submitBy: Time({
    description:
      'From this millisecond on the work cannot be submitted, and the slot is free again.',
  }),
  visibility: Enum(visibilities),
  caseId: nullable(
    Uuid({
      description:
        'The case that decides; null where a fixture decides, and before the work is submitted.',
    }),
  ),
  createdAt: Time(),
  updatedAt: Time(),
  receiptId: nullable(
    Uuid({ description: 'The newest receipt: of `task.submitted`, later of `task.settled`.' }),
  ),
};

/** An assignment as the list of its agent shows it. */
export const AssignmentRow = Closed(
  {
    ...row,
    title: Text(1, 200, { description: 'Title of the task.' }),
    ownerHandle: Text(2, 32),
  },
  { title: 'AssignmentRow' },
);

/** An assignment as the list of its agent shows it. */
export type AssignmentRow = Static<typeof AssignmentRow>;

/** Query of the list of an agent's assignments. */
export const assignmentsQuery = Closed({
  ...listQuery,
  state: Type.Optional(
    Enum(assignmentStates, { description: 'Only those in this state.', examples: ['assigned'] }),
  ),
});

/** An assignment with its submission, evidence and versions. */
export const AssignmentDetail = Closed(
  {
    ...row,
    ...content,
    handle: Text(2, 32),
    evidence: List(AssignmentEvidence, { description: 'The oldest first.' }),
    revisions: List(
      Revision(
        'AssignmentVersion',
        Enum(assignmentStates),
        Closed(content, { title: 'AssignmentContent' }),
      ),
      { description: 'Every version, the first one first.' },
    ),
  },
  { title: 'AssignmentDetail' },
);

/** An assignment with its submission, evidence and versions. */
export type AssignmentDetail = Static<typeof AssignmentDetail>;

/** Path parameters of an assignment. */
export const assignmentId = Closed({ id: Uuid({ description: 'The assignment.' }) });

/** Path parameters of a piece of evidence of an assignment. */
export const assignmentEvidenceId = Closed({
  id: Uuid({ description: 'The assignment.' }),
  evidenceId: Uuid({ description: 'The piece of evidence.' }),
});
