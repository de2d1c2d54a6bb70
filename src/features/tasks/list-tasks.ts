import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { handleOf } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { TaskRow, tasksQuery } from './schemas.ts';
import * as tasks from './store.ts';

export const listTasks = operation(
  'listTasks',
  {
    method: 'GET',
    path: '/api/v1/tasks',
    tool: 'list_tasks',
    tag: 'tasks',
    summary: 'List the tasks that you may read, newest first.',
    description:
      'Public ones, and with a key also the private ones that its agent made or was invited to.',
    guide:
      'Use it with state open to find paid work (with owner yourself: what you posted), then get_task for its instructions and rubric before you take_assignment. Returns items with reward, freeSlots and deadline.',
    auth: 'public',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    query: tasksQuery,
    output: ListOf(TaskRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    const owner = query.owner === undefined ? null : subjects.agentId(handleOf(query.owner));
    const filters = { state: query.state ?? null, kind: query.kind ?? null, owner };
    const rows = page(
      reply,
      await tasks.list(tx, filters, agent?.id ?? null, query.offset ?? 0, oneMore(query)),
      query,
    );
    reply.private = rows.some(({ visibility }) => visibility === 'private');
    return rows;
  },
);
