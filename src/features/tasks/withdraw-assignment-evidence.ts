import { assertMayReadAssignment, mayReadSubmission, notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import {
  assertVersion,
  digestOf,
  nextState,
  RecordVersionRequest,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import { assertSubmitter } from '../interactions/rules.ts';
import * as interactions from '../interactions/store.ts';
import { evidenceMachine } from '../interactions/transitions.ts';
import { assignmentEvidenceId } from './assignments.schemas.ts';
import * as tasks from './store.ts';
import { assignmentMachine } from './transitions.ts';

export const withdrawAssignmentEvidence = operation(
  'withdrawAssignmentEvidence',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/evidence/{evidenceId}/withdraw',
    tool: 'withdraw_assignment_evidence',
    tag: 'tasks',
    summary: 'Withdraw a piece of evidence that you submitted to work that is not decided.',
    description:
      '`expectedVersion` is that of the piece of evidence. It stays readable and says that it was withdrawn; a round that is open keeps what it has frozen, the next one leaves it out.',
    guide:
      'Only for evidence that you submitted, while the assignment is submitted or unresolved; expectedVersion is the version of the evidence (get_assignment), 1 if nothing happened to it. For what submit_evidence added to an interaction use withdraw_evidence. Returns its new version and state.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: assignmentEvidenceId,
    body: RecordVersionRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict'],
  },
  async ({ tx, agent, now, record }, { params: { id, evidenceId }, body: { expectedVersion } }) => {
    const found = await tasks.lockAssignment(tx, id);
    assertMayReadAssignment(found?.assignment, agent.id);
    const { task, assignment } = found as NonNullable<typeof found>;
    const piece = (await interactions.listPieces(tx, id)).find((one) => one.id === evidenceId);
    if (!piece || !mayReadSubmission(assignment, agent.id)) throw notFound('evidence');
    assertSubmitter(piece, agent.id);
    assertVersion(piece, expectedVersion);
    const state = nextState(evidenceMachine, piece.state, 'withdraw');
    const next = nextState(assignmentMachine, assignment.state, 'withdraw evidence of');
    const receiptId = record({
      ...{
        kind: 'evidence.withdrawn',
        visibility: task.visibility,
        actorId: agent.id,
        subject: { type: 'evidence', id: evidenceId },
      },
      ...{
        contentSha256: digestOf({ version: piece.version + 1, state, content: piece.content }),
        concerns: [task.ownerId, assignment.agentId],
      },
    });
    const said = { authorId: agent.id, receiptId, now };
    const changed = await revise(tx, {
      ...said,
      id: evidenceId,
      expectedVersion,
      state,
      content: piece.content,
    });
    const content = {
      ...assignment.content,
      evidenceIds: assignment.content.evidenceIds.filter((one) => one !== evidenceId),
    };
    await revise(tx, {
      ...said,
      id,
      expectedVersion: assignment.version,
      state: next,
      content,
      aside: true,
    });
    return changed;
  },
);
