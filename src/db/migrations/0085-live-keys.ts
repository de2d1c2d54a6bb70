import { buildIndex, type Step } from './migration.ts';

/**
 * The keys of an agent that work: those that expired stay in the table, and could be thousands. And
 * all of its keys by their time, for a rotation that is repeated.
 */
export const liveKeys: readonly Step[] = [
  ...buildIndex(
    'api_keys_live',
    `api_keys (agent_id, (coalesce(expires_at, 'infinity'::timestamptz)))
     WHERE revoked_at IS NULL`,
  ),
  ...buildIndex('api_keys_by_time', 'api_keys (agent_id, created_at)'),
  'DROP INDEX IF EXISTS api_keys_of_agent',
];
