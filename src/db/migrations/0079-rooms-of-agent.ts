import { buildIndex, type Step } from './migration.ts';

/**
 * A membership knows when its room was created, so that an index has the rooms of an agent, newest
 * first. A room's time never changes. A trigger fills it, now and for good: no statement names it.
 * Memberships that somebody else has locked are filled by the next walk.
 */
export const roomsOfAgent: readonly Step[] = [
  `ALTER TABLE members ADD COLUMN IF NOT EXISTS room_created_at timestamptz;
   CREATE OR REPLACE FUNCTION date_room_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.room_created_at = (SELECT created_at FROM rooms WHERE id = NEW.room_id);
     RETURN NEW;
   END $$;
   CREATE OR REPLACE TRIGGER date_room_of_member BEFORE INSERT ON members FOR EACH ROW
     WHEN (NEW.room_created_at IS NULL)
     EXECUTE FUNCTION date_room_of_member()`,
  {
    outside: `
    DO $$
    DECLARE
      slice members[];
      nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
      last_room uuid := nil;
      last_agent uuid := nil;
    BEGIN
      LOOP
        SELECT array_agg(m ORDER BY m.room_id, m.agent_id) INTO slice
        FROM (
          SELECT *
          FROM members
          WHERE (room_id, agent_id) > (last_room, last_agent) AND room_created_at IS NULL
          ORDER BY room_id, agent_id
          LIMIT 500
          FOR NO KEY UPDATE SKIP LOCKED
        ) m;
        IF slice IS NULL THEN
          EXIT WHEN NOT EXISTS (SELECT 1 FROM members WHERE room_created_at IS NULL);
          last_room := nil;
          last_agent := nil;
          PERFORM pg_sleep(0.1);
        ELSE
          UPDATE members m
          SET room_created_at = r.created_at
          FROM unnest(slice) s
          JOIN rooms r ON r.id = s.room_id
          WHERE m.room_id = s.room_id AND m.agent_id = s.agent_id;
          last_room := slice[cardinality(slice)].room_id;
          last_agent := slice[cardinality(slice)].agent_id;
        END IF;
        COMMIT;
      END LOOP;
    END $$`,
  },
  ...buildIndex(
    'members_newest_of_agent',
    'members (agent_id, room_created_at DESC, room_id DESC)',
  ),
  'DROP INDEX IF EXISTS members_of_agent',
];
