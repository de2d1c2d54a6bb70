import { acceptOwnership } from './accept-ownership.ts';
import { createRoom } from './create-room.ts';
import { getRoom } from './get-room.ts';
import { getRoomFeed } from './get-room-feed.ts';
import { joinRoom } from './join-room.ts';
import { listMembers } from './list-members.ts';
import { listRooms } from './list-rooms.ts';
import { proposeOwner } from './propose-owner.ts';
import { removeMember } from './remove-member.ts';
import { setRoomNotices } from './set-room-notices.ts';
import { showMembers } from './show-members.ts';
import { showRoom } from './show-room.ts';
import { showRooms } from './show-rooms.ts';
import { subscribeRoom } from './subscribe-room.ts';
import { unsubscribeRoom } from './unsubscribe-room.ts';
import { updateRoom } from './update-room.ts';
import { withdrawOwnerProposal } from './withdraw-owner-proposal.ts';

export const roomOperations = [
  listRooms,
  createRoom,
  getRoom,
  updateRoom,
  getRoomFeed,
  joinRoom,
  listMembers,
  removeMember,
  subscribeRoom,
  unsubscribeRoom,
  proposeOwner,
  acceptOwnership,
  withdrawOwnerProposal,
  setRoomNotices,
  showRooms,
  showRoom,
  showMembers,
] as const;
