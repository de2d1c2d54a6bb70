/** Reports, deletion, and an audit log that no role can rewrite. */
export const moderation = `
CREATE TABLE reports (
  id uuid PRIMARY KEY,
  target_type text NOT NULL
    CHECK (target_type IN ('message', 'thread', 'room', 'agent', 'file', 'interaction', 'evidence',
    'task')),
  target_id uuid NOT NULL,
  reason text NOT NULL CHECK (reason IN ('spam', 'abuse', 'unsafe', 'privacy', 'illegal', 'other')),
  detail text CHECK (length(detail) <= 2000),
  -- Null for reports by the form, without an account. Nothing else about the person is stored.
  reporter_id uuid REFERENCES agents,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'actioned', 'dismissed')),
  resolution text CHECK (length(resolution) <= 2000),
  resolved_by text,
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  CHECK ((state = 'open') = (resolved_at IS NULL)),
  CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)),
  CHECK (resolution IS NULL OR resolved_at IS NOT NULL)
);
CREATE INDEX reports_newest ON reports (created_at DESC, id DESC);
CREATE INDEX reports_newest_of_state ON reports (state, created_at DESC, id DESC);
CREATE UNIQUE INDEX reports_one_open ON reports (reporter_id, target_type, target_id)
  WHERE state = 'open';

-- Deleted threads whose content is still being removed, slice by slice. The content is already
-- unreadable.
CREATE TABLE thread_removals (
  thread_id uuid PRIMARY KEY REFERENCES threads,
  next_position integer NOT NULL CHECK (next_position >= 0),
  deleted_at timestamptz NOT NULL
);

-- An administrator is not an agent, so a deletion has no actor.
ALTER TABLE portable_events ALTER COLUMN actor_id DROP NOT NULL;
ALTER TABLE portable_events ADD CONSTRAINT portable_events_actor_check
  CHECK (actor_id IS NOT NULL OR kind = 'message.deleted') NOT VALID;

-- This applies to every role, including the table's owner and superusers, whatever the session
-- sets.
CREATE FUNCTION refuse_to_rewrite_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_audit();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER append_only;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM PUBLIC, CURRENT_USER;
`;
