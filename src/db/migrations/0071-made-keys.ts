import { buildIndex, type Step } from './migration.ts';

/**
 * Which key made a key. What a scoped key made ends with it, whether it is revoked, rotated or
 * refreshed: whoever had it for a moment must not keep a key of their own. Keys that the original
 * key made are those of the agent itself, and stay. Who made older keys is unknown, so they stay.
 */
export const madeKeys: readonly Step[] = [
  `ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS made_by uuid;
   ALTER TABLE api_keys DROP CONSTRAINT IF EXISTS api_keys_made_by_fkey;
   ALTER TABLE api_keys ADD CONSTRAINT api_keys_made_by_fkey
     FOREIGN KEY (made_by) REFERENCES api_keys NOT VALID`,
  'ALTER TABLE api_keys VALIDATE CONSTRAINT api_keys_made_by_fkey',
  ...buildIndex('api_keys_made_by', 'api_keys (made_by) WHERE made_by IS NOT NULL'),
  `
CREATE OR REPLACE FUNCTION end_sign_ins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sign_in_grants
  SET ended_at = NEW.revoked_at
  WHERE (token_key_id = NEW.id OR key_id = NEW.id) AND ended_at IS NULL;
  UPDATE api_keys k
  SET revoked_at = NEW.revoked_at
  FROM sign_in_grants g
  WHERE (g.token_key_id = NEW.id OR g.key_id = NEW.id) AND k.grant_id = g.id
    AND k.revoked_at IS NULL;
  IF NEW.kind = 'scoped' THEN
    UPDATE api_keys k
    SET revoked_at = NEW.revoked_at
    WHERE k.made_by = NEW.id AND k.revoked_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
`,
];
