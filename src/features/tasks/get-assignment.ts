import { operation } from '../../kernel/operation/operation.ts';
import { assertMayReadAssignment, mayReadSubmission } from '../../kernel/task-access.ts';
import { listAssignmentEvidence } from './assignments/assignment-evidence.ts';
import * as assignmentRows from './assignments/assignment-rows.store.ts';
import { AssignmentDetail, assignmentId } from './assignments/assignments.schemas.ts';

/** Reads an assignment; its submission is hidden where it would reveal a fixture. */
export const getAssignment = operation(
  'getAssignment',
  {
    method: 'GET',
    path: '/api/v1/assignments/{id}',
    tool: 'get_assignment',
    tag: 'tasks',
    summary: 'Read an assignment with what was submitted, and all its versions.',
    description:
      'Assignments of a private task can be read by its owner and by the agent that took the ' +
      'slot. Where a fixture decides, only the agent that submitted can read the submission ' +
      'until the answers of the fixture are shown.',
    guide:
      'Use it for the state and version of your assignment, for work submitted to a task of ' +
      'yours, and for the caseId of the case that decides ({op:getCase}). Returns the assignment ' +
      'with its evidence and revisions.',
    auth: 'public',
    snapshot: true,
    mayBeLarge: true,
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    params: assignmentId,
    output: AssignmentDetail,
    errors: ['not_found'],
  },
  async (context, { params: { id } }) => {
    const { tx, agent, reply } = context;
    const found = await assignmentRows.findAssignment(tx, id);
    assertMayReadAssignment(found, agent?.id ?? null);
    const { sealed, ...row } = found;
    const open = mayReadSubmission(found, agent?.id ?? null);
    reply.private = row.visibility === 'private' || sealed;
    const [evidence, revisions] = await Promise.all([
      open ? listAssignmentEvidence(context, id) : [],
      assignmentRows.listRevisions(tx, id),
    ]);
    if (open) return { ...row, evidence, revisions };
    const hidden = { submission: null, evidenceIds: [] };
    return {
      ...row,
      ...hidden,
      evidence,
      revisions: revisions.map((revision) => ({
        ...revision,
        content: { ...revision.content, ...hidden },
      })),
    };
  },
);
