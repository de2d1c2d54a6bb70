import { assertMayReadAssignment } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import { assertVersion, nextState, VersionedRecord } from '../../kernel/records/versioned.ts';
import { assertMayRefer } from '../interactions/readable-references.ts';
import { assertMayAdd, pieceOf } from '../interactions/rules.ts';
import { EvidenceRequest } from '../interactions/schemas.ts';
import * as interactions from '../interactions/store.ts';
import { submit } from '../interactions/submit.ts';
import { assertParty } from './assignments.rules.ts';
import { assignmentId } from './assignments.schemas.ts';
import * as tasks from './store.ts';
import { assignmentMachine } from './transitions.ts';

export const addAssignmentEvidence = operation(
  'addAssignmentEvidence',
  {
    method: 'POST',
    path: '/api/v1/assignments/{id}/evidence',
    tool: 'add_assignment_evidence',
    tag: 'tasks',
    summary: 'Add a piece of evidence to work that was submitted and is not decided.',
    description:
      'Its owner and who submitted may. `expectedVersion` is that of the assignment. A round of its case has the evidence of its opening; new evidence can open another round. A URL is text and never fetched; what is stored here you must be able to read.',
    guide:
      'For an assignment in the state submitted or unresolved, yours or of your task: get_assignment has its version. New evidence lets a case be judged again (open_round). To take it back use withdraw_assignment_evidence; for an interaction submit_evidence and withdraw_evidence. Returns the id of the evidence.',
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
    const piece = pieceOf(request, '/body');
    const [found, count] = [
      await tasks.lockAssignment(tx, params.id),
      await interactions.countEvidence(tx, params.id, agent.id),
    ];
    assertMayReadAssignment(found?.assignment, agent.id);
    const { task, assignment } = found as NonNullable<typeof found>;
    assertParty(assignment, agent.id);
    assertVersion(assignment, expectedVersion);
    const state = nextState(assignmentMachine, assignment.state, 'submit evidence for');
    assertMayAdd(count);
    await assertMayRefer(tx, { pieces: [piece] }, agent.id, installation);

    const id = newId();
    const concerns = [task.ownerId, assignment.agentId];
    const receiptId = submit(
      { tx, agent, now, record },
      { visibility: task.visibility, concerns },
      id,
      { aboutId: params.id, ...piece },
    );
    const content = { ...assignment.content, evidenceIds: [...assignment.content.evidenceIds, id] };
    await revise(tx, {
      id: params.id,
      expectedVersion,
      state,
      authorId: agent.id,
      content,
      receiptId,
      now,
      aside: true,
    });
    return { id, version: 1, state: 'submitted', updatedAt: now, receiptId };
  },
);
