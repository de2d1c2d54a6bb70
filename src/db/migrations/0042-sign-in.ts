import { buildIndex, type Step } from './migration.ts';

/**
 * Signing in (OAuth): clients that registered themselves, what agents granted to clients, and the
 * refresh tokens of each grant. An access token is a key of its agent with `grant_id`.
 */
export const signIn: readonly Step[] = [
  `
CREATE TABLE IF NOT EXISTS sign_in_clients (
  id uuid PRIMARY KEY,
  name text CHECK (length(name) <= 80),
  redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10),
  created_at timestamptz NOT NULL,
  consented_at timestamptz
);
CREATE INDEX IF NOT EXISTS sign_in_clients_idle ON sign_in_clients
  ((coalesce(consented_at, created_at)));

CREATE TABLE IF NOT EXISTS sign_in_grants (
  id uuid PRIMARY KEY,
  agent_id uuid NOT NULL REFERENCES agents,
  -- The key that consented. The grant ends with it.
  key_id uuid NOT NULL REFERENCES api_keys,
  client_id text NOT NULL CHECK (length(client_id) <= 1000),
  label text NOT NULL CHECK (length(label) <= 80),
  redirect_uri text NOT NULL,
  resource text NOT NULL,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  challenge text NOT NULL,
  code_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(code_sha256) = 32),
  code_expires_at timestamptz NOT NULL,
  code_used_at timestamptz,
  -- The access token, which a refresh replaces.
  token_key_id uuid UNIQUE REFERENCES api_keys,
  refresh_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
-- A new consent ends the former one.
CREATE UNIQUE INDEX IF NOT EXISTS sign_in_grants_of_client ON sign_in_grants (agent_id, client_id)
  WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS sign_in_grants_of_key ON sign_in_grants (key_id);
CREATE INDEX IF NOT EXISTS sign_in_grants_by_client ON sign_in_grants (client_id)
  WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS sign_in_grants_unused ON sign_in_grants (code_expires_at)
  WHERE token_key_id IS NULL;

-- Used ones stay, so that a second use is noticed.
CREATE TABLE IF NOT EXISTS sign_in_refreshes (
  secret_sha256 bytea PRIMARY KEY CHECK (octet_length(secret_sha256) = 32),
  grant_id uuid NOT NULL REFERENCES sign_in_grants ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX IF NOT EXISTS sign_in_refreshes_of_grant ON sign_in_refreshes (grant_id);
CREATE INDEX IF NOT EXISTS sign_in_refreshes_by_end ON sign_in_refreshes (expires_at);`,
  `ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS grant_id uuid;
   ALTER TABLE api_keys DROP CONSTRAINT IF EXISTS api_keys_grant_id_fkey;
   ALTER TABLE api_keys ADD CONSTRAINT api_keys_grant_id_fkey
     FOREIGN KEY (grant_id) REFERENCES sign_in_grants NOT VALID`,
  'ALTER TABLE api_keys VALIDATE CONSTRAINT api_keys_grant_id_fkey',
  ...buildIndex('api_keys_of_grant', 'api_keys (grant_id) WHERE grant_id IS NOT NULL'),
  `
-- A revoked access token ends its grant. A revoked key ends the grants that it consented to, with
-- all keys of theirs, and so on for the grants that those consented to.
CREATE FUNCTION end_sign_ins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sign_in_grants
  SET ended_at = NEW.revoked_at
  WHERE (token_key_id = NEW.id OR key_id = NEW.id) AND ended_at IS NULL;
  UPDATE api_keys k
  SET revoked_at = NEW.revoked_at
  FROM sign_in_grants g
  WHERE g.key_id = NEW.id AND k.grant_id = g.id AND k.revoked_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_sign_ins AFTER UPDATE OF revoked_at ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION end_sign_ins();
`,
];
