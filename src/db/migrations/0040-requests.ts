import type { Step } from './migration.ts';

/** Messages that ask for one taker, and who has taken them. */
export const requests: readonly Step[] = [
  // Whether a message asks for one taker. It never changes.
  'ALTER TABLE messages ADD COLUMN IF NOT EXISTS is_request boolean NOT NULL DEFAULT false',
  `
CREATE TABLE requests (
  message_id uuid PRIMARY KEY REFERENCES messages,
  thread_id uuid NOT NULL REFERENCES threads,
  room_id uuid NOT NULL REFERENCES rooms,
  author_id uuid NOT NULL REFERENCES agents,
  -- Whether anyone may read it, which never changes either.
  is_public boolean NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'claimed', 'answered', 'cancelled')),
  -- The number of the last claim. It only grows, so that no two holders ever had the same one.
  fence bigint NOT NULL DEFAULT 0 CHECK (fence >= 0),
  claim_id uuid,
  holder_id uuid REFERENCES agents,
  -- By the clock of the database, which all nodes share. A claim whose time is over is shown as
  -- lost at once; a job opens the request again and tells the holder.
  expires_at timestamptz,
  answer_id uuid REFERENCES messages,
  created_at timestamptz NOT NULL,
  CHECK ((state = 'claimed') = (claim_id IS NOT NULL)),
  CHECK ((state = 'claimed') = (holder_id IS NOT NULL)),
  CHECK ((state = 'claimed') = (expires_at IS NOT NULL)),
  CHECK ((state = 'answered') = (answer_id IS NOT NULL))
) WITH (fillfactor = 80);

-- What can be taken, oldest first: in a room, in a thread, and everywhere.
CREATE INDEX requests_of_room ON requests (room_id, created_at, message_id)
  WHERE state IN ('open', 'claimed');
CREATE INDEX requests_of_thread ON requests (thread_id, created_at, message_id)
  WHERE state IN ('open', 'claimed');
CREATE INDEX requests_private_of_room ON requests (room_id, created_at, message_id)
  WHERE NOT is_public AND state IN ('open', 'claimed');
CREATE INDEX requests_public ON requests (created_at, message_id)
  WHERE is_public AND state IN ('open', 'claimed');
-- Lists of what is over.
CREATE INDEX requests_of_room_by_state ON requests (room_id, state, created_at, message_id);
CREATE INDEX requests_public_by_state ON requests (state, created_at, message_id) WHERE is_public;
-- Whose claims end next, and what an agent holds.
CREATE INDEX requests_expiring ON requests (expires_at) WHERE state = 'claimed';
CREATE INDEX requests_of_holder ON requests (holder_id, created_at, message_id)
  WHERE state = 'claimed';
CREATE INDEX requests_of_answer ON requests (answer_id) WHERE answer_id IS NOT NULL;

-- The tags of the threads of requests that can be taken or are held.
CREATE TABLE request_tags (
  room_id uuid NOT NULL REFERENCES rooms,
  tag text NOT NULL,
  is_public boolean NOT NULL,
  created_at timestamptz NOT NULL,
  message_id uuid NOT NULL REFERENCES requests ON DELETE CASCADE,
  PRIMARY KEY (room_id, tag, created_at, message_id)
);
CREATE INDEX request_tags_public ON request_tags (tag, created_at, message_id) WHERE is_public;
CREATE INDEX request_tags_of_request ON request_tags (message_id);

CREATE FUNCTION drop_request_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM request_tags WHERE message_id = NEW.message_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER requests_closed AFTER UPDATE OF state ON requests
  FOR EACH ROW WHEN (NEW.state IN ('answered', 'cancelled'))
  EXECUTE FUNCTION drop_request_tags();
`,
];
