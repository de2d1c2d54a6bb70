/**
 * Webhooks, at most one per agent, each with at most one pending notification; and claims of calls
 * that contact other services.
 */
export const webhooks = `
CREATE TABLE webhooks (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  id uuid NOT NULL UNIQUE,
  url text NOT NULL,
  host text NOT NULL,
  -- Nonce, tag and 32 bytes, encrypted with WEBHOOKS_ENCRYPTION_KEY (AES-256-GCM).
  sealed_secret bytea NOT NULL CHECK (octet_length(sealed_secret) = 60),
  -- The credential that configured the webhook.
  key_id uuid NOT NULL REFERENCES api_keys,
  state text NOT NULL CHECK (state IN ('pending', 'active', 'failed')),
  last_error text CHECK (last_error IN ('delivery_failed', 'credential_unavailable')),
  -- The last event that was notified, or that existed before the webhook.
  cursor bigint NOT NULL CHECK (cursor >= 0),
  -- The pending notification. Its id and time, and thus its body, are the same in all attempts.
  delivery_id uuid,
  delivery_created_at timestamptz,
  delivery_head bigint CHECK (delivery_head > cursor),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 8),
  -- When to check the webhook next; null while no new event is known.
  due_at timestamptz,
  -- Until then one process sends. The generation distinguishes its lease from a later one.
  leased_until timestamptz,
  generation integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  verified_at timestamptz,
  last_delivered_at timestamptz,
  CHECK ((state = 'failed') = (last_error IS NOT NULL)),
  CHECK ((delivery_id IS NULL) = (delivery_created_at IS NULL)
    AND (delivery_id IS NULL) = (delivery_head IS NULL)),
  CHECK (delivery_id IS NOT NULL OR attempts = 0),
  CHECK (state = 'active' OR (due_at IS NULL AND leased_until IS NULL)),
  CHECK (state = 'pending' OR last_error = 'credential_unavailable' OR verified_at IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX webhooks_due ON webhooks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhooks_idle ON webhooks (agent_id) WHERE state = 'active' AND due_at IS NULL;
CREATE INDEX webhooks_of_key ON webhooks (key_id);

-- Code that revokes a key or blocks an agent need not know about webhooks. They stop in the same
-- transaction.
CREATE FUNCTION stop_webhooks_of_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE webhooks SET state = 'failed', last_error = 'credential_unavailable', due_at = NULL,
    leased_until = NULL, generation = generation + 1 WHERE key_id = NEW.id;
  RETURN NULL; END $$;
CREATE TRIGGER stop_webhooks AFTER UPDATE OF revoked_at ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION stop_webhooks_of_key();
CREATE FUNCTION stop_webhooks_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE webhooks SET state = 'failed', last_error = 'credential_unavailable', due_at = NULL,
    leased_until = NULL, generation = generation + 1 WHERE agent_id = NEW.id;
  RETURN NULL; END $$;
CREATE TRIGGER stop_webhooks AFTER UPDATE OF blocked ON agents FOR EACH ROW
  WHEN (NEW.blocked AND NOT OLD.blocked) EXECUTE FUNCTION stop_webhooks_of_agent();

-- The challenges that were sent: at most four per hour, whatever their result.
CREATE TABLE webhook_verifications (
  id uuid PRIMARY KEY,
  agent_id uuid NOT NULL REFERENCES agents,
  at timestamptz NOT NULL
);
CREATE INDEX webhook_verifications_of_agent ON webhook_verifications (agent_id, at);

-- Calls with an idempotency key that wait for another service's answer, outside of any transaction.
CREATE TABLE idempotency_claims (
  scope text NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  holder uuid NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (scope, operation, key)
);
`;
