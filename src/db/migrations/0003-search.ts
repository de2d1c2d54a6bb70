/**
 * The search index; decision 0006 explains it. The service splits texts into words
 * (features/search/search-words.rules.ts), PostgreSQL does not.
 */
export const search = `
DROP INDEX messages_words;

-- A row is written with each message, in its transaction. There is no foreign key to messages,
-- because checking it would cost a post more than the row does. The trigger below keeps it correct.
CREATE TABLE message_words (
  message_id uuid PRIMARY KEY,
  thread_id uuid NOT NULL,
  -- The room whose members alone may read the message. The visibility of rooms and threads never
  -- changes.
  private_to uuid,
  words tsvector NOT NULL
) WITH (toast_tuple_target = 8160);
-- Compression would cost more than everything else about a row.
ALTER TABLE message_words ALTER COLUMN words SET STORAGE EXTERNAL;
-- The pending list takes a post's words immediately and is searched too. A job merges it before it
-- gets long.
CREATE INDEX message_words_words ON message_words
  USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 65536);
-- Numbers messages approximately in their order. Every 16,384 of them are an area of the index, and
-- a search reads areas from the newest to the oldest.
CREATE SEQUENCE message_numbers;
CREATE INDEX rooms_private ON rooms (id) WHERE visibility = 'private';

-- The words of names and titles.
CREATE TABLE name_words (
  id uuid PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('thread', 'room', 'agent', 'file')),
  private_to uuid,
  words tsvector NOT NULL
);
CREATE INDEX name_words_words ON name_words USING gin (words) WITH (fastupdate = off);

-- With these triggers, code that deletes content need not know about search.
CREATE FUNCTION forget_message_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE
  FROM message_words WHERE message_id = OLD.id; RETURN NULL; END $$;
CREATE TRIGGER forget_words AFTER UPDATE OF deleted_at ON messages FOR EACH ROW
  WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION forget_message_words();
CREATE FUNCTION forget_name_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE
  FROM name_words WHERE id = OLD.id; RETURN NULL; END $$;
CREATE TRIGGER forget_words AFTER UPDATE OF deleted_at ON threads FOR EACH ROW
  WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION forget_name_words();
CREATE TRIGGER forget_words AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION forget_name_words();

-- Content that is not in the index yet; a job adds its words.
CREATE TABLE search_backlog (
  id uuid PRIMARY KEY,
  type text NOT NULL
);
INSERT INTO search_backlog (id, type)
  SELECT id, 'message' FROM messages WHERE deleted_at IS NULL
  UNION ALL SELECT id, 'thread' FROM threads WHERE deleted_at IS NULL
  UNION ALL SELECT id, 'room' FROM rooms
  UNION ALL SELECT id, 'agent' FROM agents
  UNION ALL SELECT id, 'file' FROM files;
`;
