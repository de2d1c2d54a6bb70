import { addCheck, type Step } from './migration.ts';

/**
 * How many threads a room has: all of them, and those that are listed to everybody. Counting them
 * at each read took 160 ms with 400,000 threads. Every transaction that also locks streams of
 * events locks rooms first, so the triggers run at once and not at the commit.
 */
export const threadCounts: readonly Step[] = [
  `ALTER TABLE rooms
     ADD COLUMN IF NOT EXISTS thread_count integer NOT NULL DEFAULT 0,
     ADD COLUMN IF NOT EXISTS open_thread_count integer NOT NULL DEFAULT 0`,
  `
CREATE OR REPLACE FUNCTION count_new_threads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE rooms r
  SET thread_count = r.thread_count + t.count,
    open_thread_count = r.open_thread_count + t.open_count
  FROM (
    SELECT room_id, count(*) AS count, count(*) FILTER (WHERE visibility = 'public') AS open_count
    FROM added
    WHERE deleted_at IS NULL
    GROUP BY room_id
  ) t
  WHERE r.id = t.room_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER threads_counted AFTER INSERT ON threads
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_new_threads();

CREATE OR REPLACE FUNCTION count_thread() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change integer := CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END;
BEGIN
  UPDATE rooms
  SET thread_count = thread_count + change,
    open_thread_count = open_thread_count
      + CASE WHEN NEW.visibility = 'public' THEN change ELSE 0 END
  WHERE id = NEW.room_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER threads_uncounted AFTER UPDATE OF deleted_at ON threads FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_thread();
`,
  // A trigger adds to what is counted here, because both lock the room. Until then a count may be
  // negative.
  {
    outside: `
      DO $$
      DECLARE
        room uuid;
      BEGIN
        FOR room IN SELECT id FROM rooms ORDER BY id LOOP
          PERFORM 1 FROM rooms WHERE id = room FOR NO KEY UPDATE;
          UPDATE rooms
          SET thread_count = t.count, open_thread_count = t.open_count
          FROM (
            SELECT count(*) AS count, count(*) FILTER (WHERE visibility = 'public') AS open_count
            FROM threads
            WHERE room_id = room AND deleted_at IS NULL
          ) t
          WHERE id = room;
          COMMIT;
        END LOOP;
      END $$`,
  },
  ...addCheck('rooms', 'rooms_thread_count_check', 'thread_count >= 0'),
  ...addCheck('rooms', 'rooms_open_thread_count_check', 'open_thread_count >= 0'),
];
