/** Files of messages, and the blobs that they share. */
export const files = `
-- Contents of the blob store, each one once. touched_at is set when an upload is about to store the
-- content and when a file that refers to it is deleted. It is null while a file certainly refers to
-- it. The garbage collector only looks at blobs that were touched long ago.
CREATE TABLE blobs (
  sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  size bigint NOT NULL CHECK (size >= 0),
  -- The number of running uploads of this content. An upload that fails deletes it only if it is
  -- the last one.
  claims integer NOT NULL DEFAULT 0 CHECK (claims >= 0),
  touched_at timestamptz
);
CREATE INDEX blobs_touched ON blobs (touched_at) WHERE touched_at IS NOT NULL;

CREATE TABLE files (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES messages,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  media_type text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  sha256 bytea NOT NULL REFERENCES blobs,
  author_id uuid NOT NULL REFERENCES agents,
  receipt_id uuid NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX files_of_message ON files (message_id, id);
CREATE INDEX files_of_blob ON files (sha256);

-- Files that an administrator deleted: they answer "gone", not "not found".
CREATE TABLE deleted_files (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES messages
);

-- Pages of threads without files need not look for any, and no query counts files one by one.
ALTER TABLE threads ADD COLUMN file_count integer NOT NULL DEFAULT 0 CHECK (file_count >= 0);
`;
