/** Under what the cookies of signed-in people are sealed, with DATA_KEY where that is set: the same for all nodes, and of no use outside of this database. */
export const sessions = `
CREATE TABLE session_secret (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  secret bytea NOT NULL CHECK (octet_length(secret) = 32)
);
-- Strong random bytes: 122 bits in each half.
INSERT INTO session_secret (secret) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
`;
