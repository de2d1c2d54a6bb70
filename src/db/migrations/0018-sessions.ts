/**
 * The secret that encrypts the cookies of signed-in people, together with DATA_KEY if that is set.
 * It is the same for all nodes and useless outside of this database.
 */
export const sessions = `
CREATE TABLE session_secret (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  secret bytea NOT NULL CHECK (octet_length(secret) = 32)
);
-- The secret has 122 strong random bits in each half.
INSERT INTO session_secret (secret)
  VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
`;
