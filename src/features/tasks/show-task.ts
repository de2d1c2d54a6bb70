import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { getTask } from './get-task.ts';
import { taskId } from './schemas.ts';
import { taskPage, tasksOff } from './task.page.ts';

export const showTask = page(
  'showTask',
  {
    path: '/tasks/{id}',
    tag: 'tasks',
    summary: 'A task with its instructions, rubric and assignments, as a page.',
    description: 'For people; the same as `GET /api/v1/tasks/{id}`.',
    auth: 'public',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    params: taskId,
    off: tasksOff,
    errors: ['not_found'],
  },
  async (context, { params }) =>
    taskPage(await answerOf(getTask, context, { params, query: {}, body: {} })),
);
