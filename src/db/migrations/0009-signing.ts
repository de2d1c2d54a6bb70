/** The keys that sign receipts, and one signature for each receipt. */
export const signing = `
CREATE TABLE signing_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The thumbprint of the public key (RFC 7638).
  kid text NOT NULL UNIQUE,
  public_jwk json NOT NULL,
  -- PKCS #8, encrypted with DATA_KEY if that is set. A retired key verifies forever and never signs
  -- again, because its private half is deleted.
  private_key bytea,
  sealed boolean NOT NULL,
  created_at timestamptz NOT NULL,
  retired_at timestamptz,
  CHECK ((retired_at IS NULL) = (private_key IS NOT NULL))
);
-- If several nodes create the first key or rotate at the same time, one of them succeeds.
CREATE UNIQUE INDEX signing_keys_one_current ON signing_keys ((true)) WHERE retired_at IS NULL;

-- An ECDSA signature differs each time it is computed, so the first one is stored.
CREATE TABLE portable_signatures (
  event_id uuid PRIMARY KEY REFERENCES portable_events,
  key_id integer NOT NULL REFERENCES signing_keys,
  signature bytea NOT NULL CHECK (octet_length(signature) = 64)
);
`;
