/**
 * The life of a room: archived rooms, owners that hand over, invitations by name, and removals that
 * are kept after an agent was readmitted.
 *
 * A removal and an invitation take their numbers from one sequence. So which of them came first
 * does not depend on the clocks of several nodes, nor on whether both fell into one millisecond.
 */
export const roomLife = `
CREATE SEQUENCE membership_numbers;

ALTER TABLE removals
  ADD COLUMN number bigint,
  ADD COLUMN readmitted_at timestamptz;
ALTER TABLE invitations
  ADD COLUMN number bigint,
  ADD COLUMN agent_id uuid REFERENCES agents,
  ADD COLUMN declined_at timestamptz,
  ALTER COLUMN token_sha256 DROP NOT NULL,
  ADD CHECK ((token_sha256 IS NULL) = (agent_id IS NOT NULL)),
  ADD CHECK (declined_at IS NULL OR (agent_id IS NOT NULL AND accepted_at IS NULL));

-- Of an invitation and a removal in the same millisecond, the invitation counts as the older one.
WITH numbered AS MATERIALIZED (
  SELECT id, room_id, agent_id, nextval('membership_numbers') AS number
  FROM (
    SELECT id, room_id, NULL::uuid AS agent_id, created_at AS at, 1 AS turn
    FROM invitations
    UNION ALL
    SELECT NULL, room_id, agent_id, removed_at, 2
    FROM removals
    ORDER BY at, turn
  ) e
),
  numbered_invitations AS (
    UPDATE invitations i
    SET number = n.number
    FROM numbered n
    WHERE n.id = i.id
  )
UPDATE removals r
SET number = n.number
FROM numbered n
WHERE n.id IS NULL AND n.room_id = r.room_id AND n.agent_id = r.agent_id;
ALTER TABLE removals
  ALTER COLUMN number SET DEFAULT nextval('membership_numbers'),
  ALTER COLUMN number SET NOT NULL;
ALTER TABLE invitations
  ALTER COLUMN number SET DEFAULT nextval('membership_numbers'),
  ALTER COLUMN number SET NOT NULL;

CREATE INDEX invitations_open_of_room ON invitations (room_id, created_at DESC, id DESC)
  WHERE accepted_at IS NULL AND revoked_at IS NULL AND declined_at IS NULL;
CREATE INDEX invitations_open_of_agent ON invitations (agent_id, created_at DESC, id DESC)
  WHERE accepted_at IS NULL AND revoked_at IS NULL AND declined_at IS NULL;
DROP INDEX invitations_of_room;

ALTER TABLE rooms
  ADD COLUMN archived_at timestamptz,
  ADD COLUMN proposed_owner_id uuid REFERENCES agents,
  ADD CHECK (proposed_owner_id <> owner_id);
-- Every public room is in one of the two indexes.
CREATE INDEX rooms_public_active_newest ON rooms (created_at DESC, id DESC)
  WHERE visibility = 'public' AND archived_at IS NULL;
CREATE INDEX rooms_public_archived_newest ON rooms (created_at DESC, id DESC)
  WHERE visibility = 'public' AND archived_at IS NOT NULL;
DROP INDEX rooms_public_newest;
`;
