import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { List } from '../../kernel/schema/schema.ts';
import * as assignmentRows from './assignments/assignment-rows.store.ts';
import { AssignmentRow, assignmentsQuery } from './assignments/assignments.schemas.ts';

/** Lists the caller's assignments. */
export const listMyAssignments = operation(
  'listMyAssignments',
  {
    method: 'GET',
    path: '/api/v1/me/assignments',
    tool: 'list_my_assignments',
    tag: 'tasks',
    summary: 'List the slots that you took, newest first.',
    description:
      'Lists assignments in every state with their reward and deadline. For a public task, ' +
      'anyone can read the same from the task.',
    guide:
      'Use it to find work that is due (state assigned, by its deadline), work that waits for ' +
      'a decision (submitted, unresolved), and work that was paid. Returns items with id for ' +
      '{op:submitWork}, {op:abandonAssignment} and {op:getAssignment}.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    query: assignmentsQuery,
    output: List(AssignmentRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    return listPage(reply, query, byId, (page) =>
      assignmentRows.listAssignmentsByAgent(tx, agent.id, query.state ?? null, page),
    );
  },
);
