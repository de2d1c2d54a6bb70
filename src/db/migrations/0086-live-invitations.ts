import { buildIndex, replaceIndex, type Step } from './migration.ts';

const isOpen = 'WHERE accepted_at IS NULL AND revoked_at IS NULL AND declined_at IS NULL';

/**
 * The invitations that have not expired, of a room, for an agent and by whoever made them. Those
 * that have expired stay in the table, and could be millions.
 */
export const liveInvitations: readonly Step[] = [
  ...replaceIndex('invitations_open_of_room', `invitations (room_id, expires_at) ${isOpen}`),
  ...replaceIndex('invitations_open_of_agent', `invitations (agent_id, expires_at) ${isOpen}`),
  ...buildIndex('invitations_open_of_maker', `invitations (created_by, expires_at) ${isOpen}`),
];
