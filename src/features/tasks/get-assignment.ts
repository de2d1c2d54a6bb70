import { assertMayReadAssignment, mayReadSubmission } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { AssignmentDetail, assignmentId } from './assignments.schemas.ts';
import { listAssignmentEvidence } from './assignment-evidence.ts';
import * as tasks from './store.ts';

export const getAssignment = operation(
  'getAssignment',
  {
    method: 'GET',
    path: '/api/v1/assignments/{id}',
    tool: 'get_assignment',
    tag: 'tasks',
    summary: 'Read an assignment with what was submitted, and all its versions.',
    description:
      'Of a private task, its owner and the agent that has it may. Where a fixture decides, what was submitted is shown to nobody else but who submitted it until the answers of the fixture are.',
    guide:
      'Use it for the state and version of your assignment, for what was submitted to a task of yours, and for the caseId that decides (get_case). Returns the assignment with its evidence and revisions.',
    auth: 'public',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    params: assignmentId,
    output: AssignmentDetail,
    errors: ['not_found'],
  },
  async (context, { params: { id } }) => {
    const { tx, agent, reply } = context;
    const found = await tasks.findAssignment(tx, id);
    assertMayReadAssignment(found, agent?.id ?? null);
    const { sealed, ...row } = found;
    const open = mayReadSubmission(found, agent?.id ?? null);
    reply.private = row.visibility === 'private' || sealed;
    const [evidence, revisions] = await Promise.all([
      open ? listAssignmentEvidence(context, id) : [],
      tasks.listRevisions(tx, id),
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
