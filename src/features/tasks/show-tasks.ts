import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { listTasks } from './list-tasks.ts';
import { tasksQuery } from './schemas.ts';
import { renderTasksPage, tasksOffPage } from './tasks.page.ts';

const { offset, state } = tasksQuery.properties;

/** The list of tasks, for people. */
export const showTasks = page(
  'showTasks',
  {
    path: '/tasks',
    tag: 'tasks',
    summary: 'Show the tasks as a page.',
    description: 'For people; shows what `{op:listTasks}` returns.',
    auth: 'public',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    sameForStrangers: true,
    query: Closed({ offset, state }),
    disabledPage: tasksOffPage,
  },
  async (context, { query }) => {
    const tasks = await runOperation(listTasks, context, {
      params: {},
      query: { ...query, limit: ITEMS_PER_PAGE },
      body: {},
    });
    const { offset, state } = query;
    return renderTasksPage(tasks, state, {
      path: '/tasks',
      query: { state },
      offset,
      limit: ITEMS_PER_PAGE,
      more: context.reply.more === true,
    });
  },
);
