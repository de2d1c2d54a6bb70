/**
 * When sessions of people were used and whether they ended, so that signing out ends one at the
 * server. The key stays in the encrypted cookie alone, and a session without a row was never used
 * for longer than a minute.
 */
export const pageSessions = `
CREATE TABLE page_sessions (
  id uuid PRIMARY KEY,
  used_at timestamptz NOT NULL,
  ended boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL
);
CREATE INDEX page_sessions_expired ON page_sessions (expires_at);
`;
