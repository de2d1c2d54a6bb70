import { addCheck, buildIndex, changeThreads, type Step } from './migration.ts';

/**
 * Keeps `answered` where a node of an earlier version, which does not know the column, counts a
 * message. For all others the condition of the trigger is false, or nothing is left to do.
 */
export const keepAnswered = `
CREATE OR REPLACE FUNCTION keep_answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE threads t
  SET answered = true
  WHERE t.id = NEW.id AND NOT t.answered AND EXISTS (
    SELECT 1 FROM messages m
    WHERE m.thread_id = NEW.id AND m.position >= OLD.message_count
      AND m.position < NEW.message_count AND m.author_id <> NEW.author_id
  );
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER threads_answered AFTER UPDATE OF message_count ON threads FOR EACH ROW
  WHEN (NEW.message_count > OLD.message_count AND NOT NEW.answered)
  EXECUTE FUNCTION keep_answered();
`;

/**
 * Words that their authors take back, events about more than messages, and lists of threads by
 * their properties.
 */
export const ownWords: readonly Step[] = [
  // Who deleted a message. Null in a deleted message: an administrator, as in all earlier versions.
  'ALTER TABLE messages ADD COLUMN IF NOT EXISTS deleted_by text',
  ...addCheck(
    'messages',
    'messages_deleted_by_check',
    `deleted_by IN ('author', 'owner', 'administrator')`,
  ),

  `ALTER TABLE portable_events DROP CONSTRAINT IF EXISTS portable_events_actor_check;
   ALTER TABLE portable_events ADD CONSTRAINT portable_events_actor_check
     CHECK (actor_id IS NOT NULL
       OR kind IN ('message.deleted', 'file.deleted', 'case.opened', 'case.closed', 'task.settled',
       'campaign.noticed')) NOT VALID`,

  // What an event without a message is about. An administrator is not an agent, so an event may
  // have no actor.
  `ALTER TABLE events
     ADD COLUMN IF NOT EXISTS subject_type text,
     ADD COLUMN IF NOT EXISTS subject_id uuid,
     ADD COLUMN IF NOT EXISTS subject_state text,
     ALTER COLUMN actor_id DROP NOT NULL`,

  // Whether anyone but its author has posted in a thread.
  `ALTER TABLE threads ADD COLUMN IF NOT EXISTS answered boolean NOT NULL DEFAULT false;
   ${keepAnswered}`,
  changeThreads(`
    UPDATE threads t
    SET answered = true
    WHERE t.id = ANY(ids) AND t.message_count > 1 AND NOT t.answered AND EXISTS (
      SELECT 1 FROM messages m WHERE m.thread_id = t.id AND m.author_id <> t.author_id
    )`),

  // As in migration 26, these indexes have only threads that anyone may know of.
  ...buildIndex(
    'threads_public_unanswered',
    `threads (last_message_at DESC, id DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered`,
  ),
  ...buildIndex(
    'threads_public_unanswered_of_room',
    `threads (room_id, last_message_at DESC, id DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered`,
  ),
  ...buildIndex(
    'threads_public_of_kind',
    `threads (kind, last_message_at DESC, id DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
  ...buildIndex(
    'threads_public_of_author',
    `threads (author_id, last_message_at DESC, id DESC)
     WHERE visibility = 'public' AND deleted_at IS NULL`,
  ),
  ...buildIndex(
    'threads_public_tags',
    `threads USING gin (tags)
     WHERE visibility = 'public' AND deleted_at IS NULL AND tags <> '{}'`,
  ),
];
