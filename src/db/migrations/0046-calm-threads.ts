import { changeThreads, replaceIndex, type Step } from './migration.ts';

/** Keeps the second, which nobody else writes. The condition is false within one second. */
export const keepSecond = `
CREATE OR REPLACE FUNCTION keep_second() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.last_message_second := date_bin('1 second', NEW.last_message_at, '2000-01-01 00:00:00+00');
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER threads_second BEFORE INSERT OR UPDATE OF last_message_at ON threads
  FOR EACH ROW
  WHEN (NEW.last_message_second
    <> date_bin('1 second', NEW.last_message_at, '2000-01-01 00:00:00+00'))
  EXECUTE FUNCTION keep_second();
`;

/** Writes the seconds of all threads that have another one. */
export const fillSeconds = changeThreads(`
  UPDATE threads
  SET last_message_second = date_bin('1 second', last_message_at, '2000-01-01 00:00:00+00')
  WHERE id = ANY(ids) AND last_message_second
    <> date_bin('1 second', last_message_at, '2000-01-01 00:00:00+00')`);

/**
 * A post changes the time of its thread's last message. While an index has that time, each post
 * adds an entry to every index of `threads`, and a reader of the thread walks the old ones for as
 * long as any transaction could need them, such as that of a backup. So the indexes have the second
 * instead: posts within one second leave them alone. Lists sort the threads of a second themselves.
 */
export const calmThreads: readonly Step[] = [
  // A generated column would rewrite the table, and keep everybody out meanwhile.
  `ALTER TABLE threads ADD COLUMN IF NOT EXISTS last_message_second timestamptz NOT NULL
     DEFAULT '2000-01-01 00:00:00+00';
   ${keepSecond}`,
  fillSeconds,

  ...replaceIndex(
    'threads_public_latest',
    `threads (last_message_second DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
  // As before, every thread is in one of the two indexes of its room. They have the ids, so that
  // all ids of a room are found without its threads.
  ...replaceIndex(
    'threads_public_latest_of_room',
    `threads (room_id, last_message_second DESC)
     INCLUDE (id)
     WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
  ...replaceIndex(
    'threads_other_latest_of_room',
    `threads (room_id, last_message_second DESC)
     INCLUDE (id)
     WHERE visibility = 'private' OR deleted_at IS NOT NULL`,
  ),
  ...replaceIndex(
    'threads_public_unanswered',
    `threads (last_message_second DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered`,
  ),
  ...replaceIndex(
    'threads_public_unanswered_of_room',
    `threads (room_id, last_message_second DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered`,
  ),
  ...replaceIndex(
    'threads_public_of_kind',
    `threads (kind, last_message_second DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
  ...replaceIndex(
    'threads_public_of_author',
    `threads (author_id, last_message_second DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
];
