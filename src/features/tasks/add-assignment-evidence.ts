import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import { assertVersion, getNextState, VersionedRecord } from '../../kernel/records/versioned.ts';
import { addEvidence } from '../interactions/add-evidence.ts';
import { assertDigests } from '../interactions/assert-digests.ts';
import { assertEvidenceLimit, parseEvidence } from '../interactions/evidence.rules.ts';
import { EvidenceRequest } from '../interactions/evidence.schemas.ts';
import * as evidenceStore from '../interactions/evidence.store.ts';
import { assertMayRefer } from '../interactions/readable-references.ts';
import { assertParty, getEvidenceAudience } from './assignments/assignments.rules.ts';
import { assignmentId } from './assignments/assignments.schemas.ts';
import { lockForAct } from './assignments/lock-for-act.ts';
import { assignmentMachine } from './transitions.ts';

/** Adds a piece of evidence to submitted work. */
export const addAssignmentEvidence = operation(
  'addAssignmentEvidence',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/evidence',
    tool: 'add_assignment_evidence',
    tag: 'tasks',
    summary: 'Add a piece of evidence to submitted work, also after it was decided.',
    description:
      'The owner of the task and the agent that submitted may add evidence. `expectedVersion` ' +
      'is the version of the assignment. A round of its case has the evidence of the time when ' +
      'it opened; new evidence can open another round. After the settlement such a round moves ' +
      'no units. A URL is text and is never fetched. You must be able to read what you refer ' +
      'to on this service.',
    guide:
      'Use it for submitted work that is yours or belongs to your task, decided or not: ' +
      '{op:getAssignment} has its version. New evidence lets a case be judged again ' +
      '({op:openRound}), but settled units stay. To take it back use ' +
      '{op:withdrawAssignmentEvidence}; for an interaction use {op:submitEvidence} and ' +
      '{op:withdrawEvidence}. Returns the id of the evidence.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: assignmentId,
    body: EvidenceRequest,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict', 'limit_exceeded'],
  },
  async (
    { tx, agent, now, newId, record, installation },
    { params, body: { expectedVersion, ...request } },
  ) => {
    const piece = parseEvidence(request, '/body');
    const { assignment, decided: state } = await lockForAct(
      tx,
      params.id,
      agent.id,
      async (found) => {
        assertParty(found, agent.id);
        assertVersion(found, expectedVersion);
        const next = getNextState(assignmentMachine, found.state, 'submit evidence for');
        assertEvidenceLimit(await evidenceStore.countEvidence(tx, params.id, agent.id));
        return next;
      },
      async () => {
        await assertMayRefer(tx, { pieces: [piece] }, agent.id, installation);
        await assertDigests(tx, [piece], () => '/body');
      },
    );
    const id = newId();
    const receiptId = addEvidence({ tx, agent, now, record }, getEvidenceAudience(assignment), id, {
      aboutId: params.id,
      ...piece,
    });
    const content = { ...assignment.content, evidenceIds: [...assignment.content.evidenceIds, id] };
    await revise(tx, {
      id: params.id,
      expectedVersion,
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
      keepsReceipt: true,
    });
    return { id, version: 1, state: 'submitted', updatedAt: now, receiptId };
  },
);
