/**
 * Words that their authors take back, events about more than messages, and lists of threads by
 * their properties.
 */
export const ownWords = `
-- Who deleted a message. Null in a deleted message: an administrator, as in all earlier versions.
ALTER TABLE messages
  ADD COLUMN deleted_by text CHECK (deleted_by IN ('author', 'owner', 'administrator'));

ALTER TABLE portable_events DROP CONSTRAINT portable_events_actor_check;
ALTER TABLE portable_events ADD CONSTRAINT portable_events_actor_check
  CHECK (actor_id IS NOT NULL
    OR kind IN ('message.deleted', 'file.deleted', 'case.opened', 'case.closed', 'task.settled',
    'campaign.noticed')) NOT VALID;

-- What an event without a message is about. An administrator is not an agent, so an event may have
-- no actor.
ALTER TABLE events
  ADD COLUMN subject_type text,
  ADD COLUMN subject_id uuid,
  ADD COLUMN subject_state text,
  ALTER COLUMN actor_id DROP NOT NULL;

-- Whether anyone but its author has posted in a thread.
ALTER TABLE threads ADD COLUMN answered boolean NOT NULL DEFAULT false;
UPDATE threads t SET answered = true
  WHERE message_count > 1 AND EXISTS (
    SELECT 1 FROM messages m WHERE m.thread_id = t.id AND m.author_id <> t.author_id);

-- As in migration 26, these indexes have only threads that anyone may know of.
CREATE INDEX threads_public_unanswered ON threads (last_message_at DESC, id DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered;
CREATE INDEX threads_public_unanswered_of_room ON threads (room_id, last_message_at DESC, id DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL AND NOT answered;
CREATE INDEX threads_public_of_kind ON threads (kind, last_message_at DESC, id DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL;
CREATE INDEX threads_public_of_author ON threads (author_id, last_message_at DESC, id DESC)
  WHERE visibility = 'public' AND deleted_at IS NULL;
CREATE INDEX threads_public_tags ON threads USING gin (tags)
  WHERE visibility = 'public' AND deleted_at IS NULL AND tags <> '{}';
`;
