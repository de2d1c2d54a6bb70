/**
 * Open invitations of agents that no longer own the room are revoked. Since then they end with the
 * ownership. Without this, those that were made before would count again if their makers became
 * owners again.
 */
export const lostInvitations = `
UPDATE invitations i
SET revoked_at = date_trunc('milliseconds', now())
FROM rooms r
WHERE r.id = i.room_id AND r.owner_id <> i.created_by
  AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.declined_at IS NULL;
`;
