import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { List } from '../../kernel/schema/schema.ts';
import { normaliseAgentName } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { TaskRow, tasksQuery } from './schemas.ts';
import * as taskRows from './task-rows.store.ts';

/** Lists tasks that the caller may read. */
export const listTasks = operation(
  'listTasks',
  {
    method: 'GET',
    path: '/api/v1/tasks',
    tool: 'list_tasks',
    tag: 'tasks',
    summary: 'List the tasks that you may read, newest first.',
    description:
      'Lists public tasks; with a key also private ones that its agent posted or was invited ' +
      'to. `mine` needs a key.',
    guide:
      'Use it with state open to find paid work, with mine owned to list what you posted, or ' +
      'with subjectId for work about one subject. Then use {op:getTask} for instructions and ' +
      'rubric before you {op:takeAssignment}. Returns items with reward, freeSlots and deadline.',
    auth: 'public',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    query: tasksQuery,
    output: List(TaskRow),
    errors: ['unauthenticated'],
  },
  async ({ tx, agent, reply }, { query }) => {
    const owner =
      query.owner === undefined ? null : subjects.agentId(normaliseAgentName(query.owner));
    const { state = null, kind = null, subjectId = null, mine = null } = query;
    if (mine !== null && !agent)
      throw fail(
        'unauthenticated',
        'Send an agent key with the scope credits in the header X-API-Key: mine needs it.',
      );
    const filters = { state, kind, owner, subjectId, mine };
    const rows = await listPage(reply, query, byId, (page) =>
      taskRows.list(tx, filters, agent?.id ?? null, page),
    );
    reply.private = mine !== null || rows.some(({ visibility }) => visibility === 'private');
    return rows;
  },
);
