import { buildModel, type Told, type Way } from './told.ts';

/** What is done with the members of a public room. */
export interface MembershipOperation extends Told {
  readonly kind: 'join' | 'leave' | 'remove' | 'archive' | 'reopen' | 'list' | 'look';
  readonly room: string;
  /** The handle of the agent that joins, leaves or is removed. */
  readonly agent?: string;
}

/** A public room with its members besides the owner, in alphabetical order. */
interface Room {
  readonly members: readonly string[];
  readonly removed: readonly string[];
  readonly isArchived: boolean;
}

function apply(room: Room, { kind, agent = '' }: MembershipOperation): Way<Room>[] {
  const { members, removed, isArchived } = room;
  const isMember = members.includes(agent);
  const others = members.filter((one) => one !== agent);
  switch (kind) {
    case 'list':
      return [[room, tellMembers(members, members.length)]];
    case 'look':
      return [[room, tellRoom(members.length, isArchived)]];
    case 'archive':
    case 'reopen':
      return [[{ ...room, isArchived: kind === 'archive' }, 'done']];
    case 'join':
      if (isMember) return [[room, 'done']];
      if (removed.includes(agent)) return [[room, 'removed_from_room']];
      if (isArchived) return [[room, 'state_conflict archived']];
      return [[{ ...room, members: [...others, agent].sort() }, 'done']];
    case 'leave':
      return [isMember ? [{ ...room, members: others }, 'done'] : [room, 'not_found']];
    case 'remove':
      if (!isMember) return [[room, 'not_found']];
      if (isArchived) return [[room, 'state_conflict archived']];
      return [[{ ...room, members: others, removed: [...removed, agent].sort() }, 'done']];
  }
}

/** Tells a list of members without the owner, and how many the answer says there are. */
export const tellMembers = (handles: readonly string[], count: number): string =>
  `${count}: ${[...handles].sort()}`;

/** Tells what a room shows of itself: how many members it has besides the owner. */
export const tellRoom = (count: number, isArchived: boolean): string =>
  `${count} ${isArchived ? 'archived' : 'open'}`;

/** Memberships of public rooms (contract, section 5), without invitations. */
export const membershipModel = buildModel<Room, MembershipOperation>({
  initial: { members: [], removed: [], isArchived: false },
  apply,
  reads: ['list', 'look'],
  partition: ({ room }) => room,
});
