import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import {
  assertVersion,
  computeDigest,
  getNextState,
  RecordVersionRequest,
  VersionedRecord,
} from '../../kernel/records/versioned.ts';
import { mayReadSubmission } from '../../kernel/task-access.ts';
import { assertSubmitter } from '../interactions/evidence.rules.ts';
import * as evidenceStore from '../interactions/evidence.store.ts';
import { evidenceMachine } from '../interactions/transitions.ts';
import { getEvidenceAudience } from './assignments/assignments.rules.ts';
import { assignmentEvidenceId } from './assignments/assignments.schemas.ts';
import { lockForAct } from './assignments/lock-for-act.ts';
import { assignmentMachine } from './transitions.ts';

/** Withdraws a piece of evidence that the caller submitted. */
export const withdrawAssignmentEvidence = operation(
  'withdrawAssignmentEvidence',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/evidence/{evidenceId}/withdraw',
    tool: 'withdraw_assignment_evidence',
    tag: 'tasks',
    summary: 'Withdraw evidence that you submitted for work of a task.',
    description:
      '`expectedVersion` is the version of the piece of evidence. The piece stays readable and ' +
      'is marked as withdrawn. An open round keeps the evidence that it has frozen; the next ' +
      'round leaves this piece out.',
    guide:
      'Use it only for evidence that you submitted, also after the work was decided: that moves ' +
      'no units. expectedVersion is the version of the evidence ({op:getAssignment}), 1 if it ' +
      'was never changed. For evidence that {op:submitEvidence} added to an interaction use ' +
      '{op:withdrawEvidence}. Returns its new version and state.',
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
    const { assignment, decided } = await lockForAct(tx, id, agent.id, async (found) => {
      const pieces = await evidenceStore.listEvidenceContents(tx, id);
      const piece = pieces.find((one) => one.id === evidenceId);
      const mayKnow = piece?.submittedBy === agent.id || mayReadSubmission(found, agent.id);
      if (!piece || !mayKnow) throw failNotFound('evidence');
      assertSubmitter(piece, agent.id);
      assertVersion(piece, expectedVersion);
      return {
        piece,
        state: getNextState(evidenceMachine, piece.state, 'withdraw'),
        next: getNextState(assignmentMachine, found.state, 'withdraw evidence of'),
      };
    });
    const { piece, state, next } = decided;
    const receiptId = record({
      kind: 'evidence.withdrawn',
      ...getEvidenceAudience(assignment),
      actorId: agent.id,
      subject: { type: 'evidence', id: evidenceId },
      contentSha256: computeDigest({ version: piece.version + 1, state, content: piece.content }),
    });
    const revisionBase = { authorId: agent.id, receiptId, now };
    const changed = await revise(tx, {
      ...revisionBase,
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
      ...revisionBase,
      id,
      expectedVersion: assignment.version,
      state: next,
      content,
      keepsReceipt: true,
    });
    return changed;
  },
);
