import { buildIndex } from './migration.ts';

/** Access tokens by their end, so that those which ended long ago are found and deleted. */
export const spentTokens = buildIndex(
  'api_keys_spent_tokens',
  'api_keys ((coalesce(revoked_at, expires_at))) WHERE grant_id IS NOT NULL',
);
