/** Keys that sign receipts, and the signatures that were made: each once. */
export const signing = `
CREATE TABLE signing_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- RFC 7638 thumbprint of the public key.
  kid text NOT NULL UNIQUE,
  public_jwk json NOT NULL,
  -- PKCS #8, sealed under DATA_KEY where that is set. A retired key verifies for ever and signs never: its private half is gone.
  private_key bytea,
  sealed boolean NOT NULL,
  created_at timestamptz NOT NULL,
  retired_at timestamptz,
  CHECK ((retired_at IS NULL) = (private_key IS NOT NULL))
);
-- Of nodes that make the first key at once, or rotate at once, one does.
CREATE UNIQUE INDEX signing_keys_one_current ON signing_keys ((true)) WHERE retired_at IS NULL;

-- An ECDSA signature is another one each time it is made: the first one stays.
CREATE TABLE portable_signatures (
  event_id uuid PRIMARY KEY REFERENCES portable_events,
  key_id integer NOT NULL REFERENCES signing_keys,
  signature bytea NOT NULL CHECK (octet_length(signature) = 64)
);
`;
