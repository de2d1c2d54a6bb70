import {
  assertNotArchived,
  assertNotRemoved,
  assertOwner,
  failNotFound,
  type Role,
  type RoomFacts,
  type WriteFacts,
} from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { RoomUpdateRequest } from './schemas.ts';

/**
 * Asserts that an agent may join a public room. The caller has checked that the agent may see the
 * room. Errors: `removed_from_room`, `state_conflict` for an archived room.
 */
export function assertMayJoin(room: Pick<WriteFacts, 'removed' | 'archived'>): void {
  assertNotRemoved(room);
  assertNotArchived(room);
}

/**
 * Asserts that `agentId` may end the membership of `memberId`, whose role is `role` (null if it is
 * not a member). Errors: `forbidden`, `not_found`, `state_conflict` for the owner, who cannot
 * leave.
 */
export function assertMayRemove(
  room: RoomFacts,
  agentId: string,
  memberId: string,
  role: Role | null,
): void {
  if (agentId !== memberId) assertOwner(room);
  if (role === null) throw failNotFound('member');
  if (role === 'owner')
    throw fail(
      'state_conflict',
      'The owner cannot leave its room. Hand it over first with {op:proposeOwner}, or archive it ' +
        'with {op:updateRoom}.',
      { state: role },
    );
}

/** What the owner of a room may change. */
export interface RoomText {
  readonly name: string;
  readonly description: string | null;
  /** Since when the room is archived; null if it is not. */
  readonly archivedAt: string | null;
}

/**
 * Returns a room after its owner changed it at `now`. A room that stays archived keeps its text.
 * Errors: `state_conflict` when that text would change.
 */
export function applyChanges(
  room: RoomText,
  request: Static<typeof RoomUpdateRequest>,
  now: string,
): RoomText {
  const { name, description, archivedAt } = room;
  const wasArchived = archivedAt !== null;
  const archived = request.archived ?? wasArchived;
  const changed = {
    name: request.name ?? name,
    description: request.description ?? description,
    archivedAt: archived ? (archivedAt ?? now) : null,
  };
  const isSameText = changed.name === name && changed.description === description;
  if (!isSameText) assertNotArchived({ archived: wasArchived && archived });
  return changed;
}

/**
 * Asserts that an administrator, whom the rooms do not belong to, only forbids the notices of a
 * room. Errors: `forbidden`.
 */
export function assertForbidsNotices(acceptsNotices: boolean): void {
  if (acceptsNotices)
    throw fail(
      'forbidden',
      'Only the owner of a room may allow notices in it. Ask the owner, or send acceptsNotices ' +
        'false to forbid them.',
    );
}
