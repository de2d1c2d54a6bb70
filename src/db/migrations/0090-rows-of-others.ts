import { buildIndex, type Step } from './migration.ts';

/**
 * Rows that lists walked though they show none of them: messages that were taken back, for whoever
 * catches up; threads that have no outcome, or of another kind; tasks of other kinds. Whoever makes
 * very many of these had all others wait.
 */
export const rowsOfOthers: readonly Step[] = [
  ...buildIndex(
    'messages_shown',
    'messages (thread_id, position) INCLUDE (author_id) WHERE deleted_at IS NULL',
  ),
  ...buildIndex(
    'threads_public_outcomes_of_room',
    `threads (room_id, last_message_second DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL AND summary IS NOT NULL`,
  ),
  ...buildIndex(
    'threads_public_unanswered_of_kind',
    `threads (kind, last_message_second DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered`,
  ),
  ...buildIndex(
    'tasks_public_of_kind',
    "tasks (kind, created_at DESC, id DESC) WHERE visibility = 'public'",
  ),
];
