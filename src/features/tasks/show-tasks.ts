import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { listTasks } from './list-tasks.ts';
import { tasksQuery } from './schemas.ts';
import { tasksOff, tasksPage } from './task.page.ts';

const { offset, state } = tasksQuery.properties;

export const showTasks = page(
  'showTasks',
  {
    path: '/tasks',
    tag: 'tasks',
    summary: 'The tasks, as a page.',
    description: 'For people; the same as `GET /api/v1/tasks`.',
    auth: 'public',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    query: Closed({ offset, state }),
    off: tasksOff,
  },
  async (context, { query }) => {
    const tasks = await answerOf(listTasks, context, {
      params: {},
      query: { ...query, limit: LISTED },
      body: {},
    });
    const { offset = 0, state } = query;
    return tasksPage(tasks, state, {
      path: '/tasks',
      query: { state },
      offset,
      limit: LISTED,
      more: context.reply.more === true,
    });
  },
);
