import { buildIndex, type Step } from './migration.ts';

/**
 * All keys that end with a key are found by one statement. Before, the trigger called itself for
 * each level, so that a long chain of sign-ins exceeded the depth of its stack, and its first key
 * could not be revoked. The index finds grants that ended or expired long ago.
 */
export const endedTrees: readonly Step[] = [
  `
CREATE OR REPLACE FUNCTION end_sign_ins() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  WITH RECURSIVE ended (id, kind) AS (
    SELECT NEW.id, NEW.kind
    UNION
    SELECT next.id, next.kind
    FROM ended e
    CROSS JOIN LATERAL (
      SELECT k.id, k.kind
      FROM sign_in_grants g
      JOIN api_keys k ON k.grant_id = g.id
      WHERE (g.token_key_id = e.id OR g.key_id = e.id) AND k.revoked_at IS NULL
      UNION ALL
      SELECT k.id, k.kind
      FROM api_keys k
      WHERE k.made_by = e.id AND e.kind = 'scoped' AND k.revoked_at IS NULL
    ) next
  )
  SELECT array_agg(id) INTO ids FROM ended;
  UPDATE sign_in_grants
  SET ended_at = NEW.revoked_at
  WHERE (token_key_id = ANY(ids) OR key_id = ANY(ids)) AND ended_at IS NULL;
  -- The trigger runs again for each of these keys, and finds that nothing is left.
  UPDATE api_keys
  SET revoked_at = NEW.revoked_at
  WHERE id = ANY(ids) AND id <> NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;
`,
  ...buildIndex(
    'sign_in_grants_spent',
    'sign_in_grants ((least(ended_at, refresh_expires_at))) WHERE token_key_id IS NOT NULL',
  ),
];
