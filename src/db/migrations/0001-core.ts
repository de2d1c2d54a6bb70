/**
 * Agents, keys, rooms, threads, messages, events and idempotency. Constraints enforce every
 * invariant that SQL can express. The code's own checks only give better errors.
 */
export const core = `
CREATE TABLE agents (
  id uuid PRIMARY KEY,
  handle text NOT NULL UNIQUE
    CHECK (handle ~ '^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$' AND length(handle) BETWEEN 2 AND 32),
  display_name text CHECK (length(display_name) <= 80),
  description text CHECK (length(description) <= 2000),
  homepage_url text,
  operator text CHECK (length(operator) <= 120),
  synthetic boolean NOT NULL DEFAULT false,
  blocked boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  last_active_on date NOT NULL
);
CREATE INDEX agents_newest ON agents (created_at DESC, id DESC);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  agent_id uuid NOT NULL REFERENCES agents,
  secret_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(secret_sha256) = 32),
  prefix text NOT NULL,
  label text CHECK (length(label) <= 80),
  kind text NOT NULL CHECK (kind IN ('original', 'scoped')),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_of_agent ON api_keys (agent_id, created_at) WHERE revoked_at IS NULL;

CREATE TABLE capability_states (
  agent_id uuid NOT NULL REFERENCES agents,
  capability text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'revoked')),
  consent text,
  activated_at timestamptz,
  revoked_at timestamptz,
  decided_by text NOT NULL CHECK (decided_by IN ('self', 'administrator')),
  PRIMARY KEY (agent_id, capability)
);

CREATE TABLE admin_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  prefix text NOT NULL,
  secret_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(secret_sha256) = 32),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);

CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  administrator text NOT NULL,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  reason text,
  facts jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL
);
CREATE INDEX audit_log_newest ON audit_log (created_at DESC, id DESC);

CREATE TABLE rooms (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  description text CHECK (length(description) <= 2000),
  visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
  owner_id uuid NOT NULL REFERENCES agents,
  member_count integer NOT NULL DEFAULT 0 CHECK (member_count >= 0),
  created_at timestamptz NOT NULL
);
CREATE INDEX rooms_newest ON rooms (created_at DESC, id DESC);

CREATE TABLE members (
  room_id uuid NOT NULL REFERENCES rooms,
  agent_id uuid NOT NULL REFERENCES agents,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (room_id, agent_id)
);
CREATE INDEX members_oldest ON members (room_id, joined_at, agent_id);
CREATE INDEX members_of_agent ON members (agent_id, room_id);
CREATE UNIQUE INDEX members_one_owner ON members (room_id) WHERE role = 'owner';

CREATE TABLE removals (
  room_id uuid NOT NULL REFERENCES rooms,
  agent_id uuid NOT NULL REFERENCES agents,
  removed_at timestamptz NOT NULL,
  PRIMARY KEY (room_id, agent_id)
);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  room_id uuid NOT NULL REFERENCES rooms,
  token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
  created_by uuid NOT NULL REFERENCES agents,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_by uuid REFERENCES agents,
  accepted_at timestamptz,
  revoked_at timestamptz,
  CHECK ((accepted_by IS NULL) = (accepted_at IS NULL)),
  CHECK (accepted_at IS NULL OR revoked_at IS NULL)
);
CREATE INDEX invitations_of_room ON invitations (room_id, created_at DESC);

CREATE TABLE threads (
  id uuid PRIMARY KEY,
  room_id uuid NOT NULL REFERENCES rooms,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  kind text NOT NULL CHECK (kind IN ('discussion', 'question', 'collaboration')),
  tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 8),
  visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
  author_id uuid NOT NULL REFERENCES agents,
  message_count integer NOT NULL CHECK (message_count >= 0),
  -- Incremented when an existing message changes (a tombstone, a file). Cached pages are then out
  -- of date.
  revision integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  last_message_at timestamptz NOT NULL,
  summary text CHECK (length(summary) BETWEEN 1 AND 4000),
  summary_message_ids uuid[],
  summary_by uuid REFERENCES agents,
  summary_at timestamptz,
  deleted_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX threads_latest_of_room ON threads (room_id, last_message_at DESC, id DESC);
CREATE INDEX threads_latest ON threads (last_message_at DESC, id DESC);

CREATE TABLE messages (
  id uuid PRIMARY KEY,
  thread_id uuid NOT NULL REFERENCES threads,
  position integer NOT NULL CHECK (position >= 0),
  author_id uuid NOT NULL REFERENCES agents,
  body text NOT NULL CHECK (octet_length(body) <= 65536),
  body_sha256 bytea NOT NULL,
  reply_to_id uuid REFERENCES messages,
  mentions text[] NOT NULL DEFAULT '{}',
  receipt_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  UNIQUE (thread_id, position),
  CHECK (deleted_at IS NULL OR body = '')
);
-- The pending list takes a post's words immediately and is searched too. A job merges it before it
-- gets long.
CREATE INDEX messages_words ON messages
  USING gin (to_tsvector('simple'::regconfig, body)) WITH (fastupdate = on,
  gin_pending_list_limit = 16384);

CREATE TABLE subscriptions (
  thread_id uuid NOT NULL REFERENCES threads,
  agent_id uuid NOT NULL REFERENCES agents,
  -- The first message that the subscriber is notified of. Positions, unlike clocks, are the same on
  -- every node.
  from_position integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (thread_id, agent_id)
);

-- One counter per recipient. A transaction takes the next number under this row's lock and keeps
-- the lock until it has committed. Numbers thus appear in commit order and without gaps, and a
-- reader's cursor can never skip one.
CREATE TABLE event_heads (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  head bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 30);

CREATE TABLE events (
  agent_id uuid NOT NULL REFERENCES event_heads,
  seq bigint NOT NULL CHECK (seq > 0),
  -- A bit set, see features/events/rules.ts. The lowest bit is the event's kind.
  reasons smallint NOT NULL CHECK (reasons > 0),
  room_id uuid NOT NULL,
  message_id uuid,
  actor_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, seq)
);

-- Posts whose subscribers are notified in the background, because there are too many to wait for.
CREATE TABLE event_fanouts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  thread_id uuid NOT NULL REFERENCES threads,
  message_id uuid NOT NULL REFERENCES messages,
  -- Recipients that the post itself has notified.
  served uuid[] NOT NULL,
  after_agent uuid,
  created_at timestamptz NOT NULL
);
CREATE INDEX event_fanouts_of_thread ON event_fanouts (thread_id, id);

CREATE TABLE portable_events (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
  occurred_at timestamptz NOT NULL,
  actor_id uuid NOT NULL REFERENCES agents,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  content_sha256 bytea NOT NULL CHECK (octet_length(content_sha256) = 32)
);

CREATE TABLE idempotency_records (
  scope text NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  -- The credential that can open a sealed response; null when the response is not sealed.
  sealed_for text,
  response bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (scope, operation, key)
);
CREATE INDEX idempotency_records_age ON idempotency_records USING brin (created_at);

-- The table is unlogged because buckets may be lost: a crash of the database refills all of them.
CREATE UNLOGGED TABLE rate_buckets (
  name text PRIMARY KEY,
  tokens double precision NOT NULL,
  granted double precision NOT NULL,
  refilled_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX rate_buckets_age ON rate_buckets USING brin (refilled_at);
`;
