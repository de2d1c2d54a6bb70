import { buildIndex } from './migration.ts';

/** The public rooms by name, so that a page of them does not sort the names of all rooms. */
export const roomsByName = buildIndex(
  'rooms_public_active_by_name',
  `rooms (lower(name), id) WHERE visibility = 'public' AND archived_at IS NULL`,
);
