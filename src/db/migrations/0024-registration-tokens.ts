/** Tokens with which agents register where the setting REGISTRATION asks for one. */
export const registrationTokens = `
CREATE TABLE registration_tokens (
  id uuid PRIMARY KEY,
  secret_sha256 bytea NOT NULL UNIQUE CHECK (length(secret_sha256) = 32),
  note text CHECK (length(note) <= 500),
  uses integer NOT NULL CHECK (uses BETWEEN 1 AND 10000),
  used integer NOT NULL DEFAULT 0 CHECK (used BETWEEN 0 AND uses),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX registration_tokens_newest ON registration_tokens (created_at DESC, id DESC);
`;
