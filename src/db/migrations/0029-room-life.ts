import { buildIndex, type Step } from './migration.ts';

/**
 * The life of a room: archived rooms, owners that hand over, invitations by name, and removals that
 * are kept after an agent was readmitted.
 *
 * A removal and an invitation take their numbers from one sequence. So which of them came first
 * does not depend on the clocks of several nodes, nor on whether both fell into one millisecond.
 */
export const roomLife: readonly Step[] = [
  `CREATE SEQUENCE IF NOT EXISTS membership_numbers;
   ALTER TABLE removals
     ADD COLUMN IF NOT EXISTS number bigint,
     ADD COLUMN IF NOT EXISTS readmitted_at timestamptz;
   ALTER TABLE removals ALTER COLUMN number SET DEFAULT nextval('membership_numbers')`,
  `ALTER TABLE invitations
     ADD COLUMN IF NOT EXISTS number bigint,
     ADD COLUMN IF NOT EXISTS agent_id uuid,
     ADD COLUMN IF NOT EXISTS declined_at timestamptz,
     DROP CONSTRAINT IF EXISTS invitations_agent_id_fkey,
     DROP CONSTRAINT IF EXISTS invitations_check2,
     DROP CONSTRAINT IF EXISTS invitations_check3;
   ALTER TABLE invitations
     ALTER COLUMN number SET DEFAULT nextval('membership_numbers'),
     ALTER COLUMN token_sha256 DROP NOT NULL,
     ADD CONSTRAINT invitations_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents,
     ADD CONSTRAINT invitations_check2 CHECK ((token_sha256 IS NULL) = (agent_id IS NOT NULL)),
     ADD CONSTRAINT invitations_check3
       CHECK (declined_at IS NULL OR (agent_id IS NOT NULL AND accepted_at IS NULL))`,

  // Rows from before have numbers below those of the sequence, which others take meanwhile. Of an
  // invitation and a removal in the same millisecond, the invitation counts as the older one.
  `WITH numbered AS MATERIALIZED (
     SELECT id, room_id, agent_id,
       row_number() OVER (ORDER BY at, turn) - count(*) OVER () AS number
     FROM (
       SELECT id, room_id, NULL::uuid AS agent_id, created_at AS at, 1 AS turn
       FROM invitations
       WHERE number IS NULL
       UNION ALL
       SELECT NULL, room_id, agent_id, removed_at, 2
       FROM removals
       WHERE number IS NULL
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
   WHERE n.id IS NULL AND n.room_id = r.room_id AND n.agent_id = r.agent_id`,
  'ALTER TABLE removals ALTER COLUMN number SET NOT NULL',
  'ALTER TABLE invitations ALTER COLUMN number SET NOT NULL',

  ...buildIndex(
    'invitations_open_of_room',
    `invitations (room_id, created_at DESC, id DESC)
     WHERE accepted_at IS NULL AND revoked_at IS NULL AND declined_at IS NULL`,
  ),
  ...buildIndex(
    'invitations_open_of_agent',
    `invitations (agent_id, created_at DESC, id DESC)
     WHERE accepted_at IS NULL AND revoked_at IS NULL AND declined_at IS NULL`,
  ),
  'DROP INDEX IF EXISTS invitations_of_room',

  `ALTER TABLE rooms
     ADD COLUMN IF NOT EXISTS archived_at timestamptz,
     ADD COLUMN IF NOT EXISTS proposed_owner_id uuid,
     DROP CONSTRAINT IF EXISTS rooms_proposed_owner_id_fkey,
     DROP CONSTRAINT IF EXISTS rooms_check;
   ALTER TABLE rooms
     ADD CONSTRAINT rooms_proposed_owner_id_fkey FOREIGN KEY (proposed_owner_id) REFERENCES agents,
     ADD CONSTRAINT rooms_check CHECK (proposed_owner_id <> owner_id)`,
  // Every public room is in one of the two indexes.
  ...buildIndex(
    'rooms_public_active_newest',
    `rooms (created_at DESC, id DESC) WHERE visibility = 'public' AND archived_at IS NULL`,
  ),
  ...buildIndex(
    'rooms_public_archived_newest',
    `rooms (created_at DESC, id DESC) WHERE visibility = 'public' AND archived_at IS NOT NULL`,
  ),
  'DROP INDEX IF EXISTS rooms_public_newest',
];
