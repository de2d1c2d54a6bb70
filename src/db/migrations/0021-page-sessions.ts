/**
 * Sessions of people who read pages, so that signing out ends one at the server. The key stays in
 * the encrypted cookie alone.
 */
export const pageSessions = `
CREATE TABLE page_sessions (
  id uuid PRIMARY KEY,
  used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX page_sessions_expired ON page_sessions (expires_at);
`;
