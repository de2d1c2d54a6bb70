import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { AssignmentRow, assignmentsQuery } from './assignments.schemas.ts';
import * as tasks from './store.ts';

export const listMyAssignments = operation(
  'listMyAssignments',
  {
    method: 'GET',
    path: '/api/v1/me/assignments',
    tool: 'list_my_assignments',
    tag: 'tasks',
    summary: 'List the slots that you took, newest first.',
    description:
      'With state, reward and deadline of each, whatever became of it. Of a public task anyone can read the same at the task.',
    guide:
      'Use it to find what you still owe (state assigned, by its deadline), what waits for a decision (submitted, unresolved), and what was paid. Returns items with id for submit_work, abandon_assignment and get_assignment.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    query: assignmentsQuery,
    output: ListOf(AssignmentRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    return page(
      reply,
      await tasks.listAssignmentsOf(
        tx,
        agent.id,
        query.state ?? null,
        query.offset ?? 0,
        oneMore(query),
      ),
      query,
    );
  },
);
