/**
 * All keys of a grant end with its access token: also those that the token made, or became by a
 * rotation. Before, they worked until they expired, though the consent had ended.
 */
export const endedGrants = `
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
  RETURN NULL;
END $$;
`;
