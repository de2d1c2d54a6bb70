/**
 * Lists walk an index in their order. These indexes have only rows that anyone may see, or only
 * rows that few may see, so that rows which a reader may not see never delay its page.
 */
export const visibleLists = `
-- Every thread is in one of the two indexes of its room.
CREATE INDEX threads_public_latest ON threads (last_message_at DESC, id DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL;
CREATE INDEX threads_public_latest_of_room ON threads (room_id, last_message_at DESC, id DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL;
CREATE INDEX threads_other_latest_of_room ON threads (room_id, last_message_at DESC, id DESC)
  WHERE visibility = 'private' OR deleted_at IS NOT NULL;
DROP INDEX threads_latest;
DROP INDEX threads_latest_of_room;

CREATE INDEX rooms_public_newest ON rooms (created_at DESC, id DESC) WHERE visibility = 'public';
DROP INDEX rooms_newest;

CREATE INDEX tasks_public_newest ON tasks (created_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX tasks_public_in_state ON tasks (state, created_at DESC, id DESC)
  WHERE visibility = 'public';
CREATE INDEX tasks_of_owner_newest ON tasks (owner_id, created_at DESC, id DESC);
DROP INDEX tasks_newest;
DROP INDEX tasks_in_state;
DROP INDEX tasks_of_owner;

CREATE INDEX adjudication_cases_public_newest ON adjudication_cases (created_at DESC, id DESC)
  WHERE visibility = 'public';
CREATE INDEX adjudication_cases_public_in_state
  ON adjudication_cases (state, created_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX adjudication_cases_of_reader ON adjudication_cases USING gin ((parties || readers))
  WHERE visibility = 'private';
DROP INDEX adjudication_cases_newest;
DROP INDEX adjudication_cases_by_state;

CREATE INDEX research_exports_of_owner ON research_exports (owner_id, created_at DESC, id DESC);
`;
