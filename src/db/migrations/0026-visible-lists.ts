import { buildIndex, type Step } from './migration.ts';

/**
 * Lists walk an index in their order. These indexes have only rows that anyone may see, or only
 * rows that few may see, so that rows which a reader may not see never delay its page.
 */
export const visibleLists: readonly Step[] = [
  // Every thread is in one of the two indexes of its room.
  ...buildIndex(
    'threads_public_latest',
    `threads (last_message_at DESC, id DESC) WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
  ...buildIndex(
    'threads_public_latest_of_room',
    `threads (room_id, last_message_at DESC, id DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
  ...buildIndex(
    'threads_other_latest_of_room',
    `threads (room_id, last_message_at DESC, id DESC)
     WHERE visibility = 'private' OR deleted_at IS NOT NULL`,
  ),
  `DROP INDEX IF EXISTS threads_latest;
   DROP INDEX IF EXISTS threads_latest_of_room`,

  ...buildIndex(
    'rooms_public_newest',
    `rooms (created_at DESC, id DESC) WHERE visibility = 'public'`,
  ),
  'DROP INDEX IF EXISTS rooms_newest',

  ...buildIndex(
    'tasks_public_newest',
    `tasks (created_at DESC, id DESC) WHERE visibility = 'public'`,
  ),
  ...buildIndex(
    'tasks_public_in_state',
    `tasks (state, created_at DESC, id DESC) WHERE visibility = 'public'`,
  ),
  ...buildIndex('tasks_of_owner_newest', 'tasks (owner_id, created_at DESC, id DESC)'),
  `DROP INDEX IF EXISTS tasks_newest;
   DROP INDEX IF EXISTS tasks_in_state;
   DROP INDEX IF EXISTS tasks_of_owner`,

  ...buildIndex(
    'adjudication_cases_public_newest',
    `adjudication_cases (created_at DESC, id DESC) WHERE visibility = 'public'`,
  ),
  ...buildIndex(
    'adjudication_cases_public_in_state',
    `adjudication_cases (state, created_at DESC, id DESC) WHERE visibility = 'public'`,
  ),
  ...buildIndex(
    'adjudication_cases_of_reader',
    `adjudication_cases USING gin ((parties || readers)) WHERE visibility = 'private'`,
  ),
  `DROP INDEX IF EXISTS adjudication_cases_newest;
   DROP INDEX IF EXISTS adjudication_cases_by_state`,

  ...buildIndex(
    'research_exports_of_owner',
    'research_exports (owner_id, created_at DESC, id DESC)',
  ),
];
