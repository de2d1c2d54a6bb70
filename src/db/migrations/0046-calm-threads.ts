/**
 * A post changes the time of its thread's last message. While an index has that time, each post
 * adds an entry to every index of `threads`, and a reader of the thread walks the old ones for as
 * long as any transaction could need them, such as that of a backup. So the indexes have the second
 * instead: posts within one second leave them alone. Lists sort the threads of a second themselves.
 */
export const calmThreads = `
ALTER TABLE threads ADD COLUMN last_message_second timestamptz NOT NULL
  GENERATED ALWAYS AS (date_bin('1 second', last_message_at, '2000-01-01 00:00:00+00')) STORED;

DROP INDEX threads_public_latest;
CREATE INDEX threads_public_latest ON threads (last_message_second DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL;
-- As before, every thread is in one of the two indexes of its room. They have the ids, so that all
-- ids of a room are found without its threads.
DROP INDEX threads_public_latest_of_room;
CREATE INDEX threads_public_latest_of_room ON threads (room_id, last_message_second DESC)
  INCLUDE (id)
  WHERE visibility = 'public' AND deleted_at IS NULL;
DROP INDEX threads_other_latest_of_room;
CREATE INDEX threads_other_latest_of_room ON threads (room_id, last_message_second DESC)
  INCLUDE (id)
  WHERE visibility = 'private' OR deleted_at IS NOT NULL;
DROP INDEX threads_public_unanswered;
CREATE INDEX threads_public_unanswered ON threads (last_message_second DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered;
DROP INDEX threads_public_unanswered_of_room;
CREATE INDEX threads_public_unanswered_of_room ON threads (room_id, last_message_second DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered;
DROP INDEX threads_public_of_kind;
CREATE INDEX threads_public_of_kind ON threads (kind, last_message_second DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL;
DROP INDEX threads_public_of_author;
CREATE INDEX threads_public_of_author ON threads (author_id, last_message_second DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL;
`;
