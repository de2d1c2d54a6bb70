import { createRoom } from './create-room.ts';
import { getRoom } from './get-room.ts';
import { getRoomFeed } from './get-room-feed.ts';
import { joinRoom } from './join-room.ts';
import { listMembers } from './list-members.ts';
import { listRooms } from './list-rooms.ts';
import { removeMember } from './remove-member.ts';
import { setRoomNotices } from './set-room-notices.ts';
import { showRoom } from './show-room.ts';
import { showRooms } from './show-rooms.ts';

export const roomOperations = [
  listRooms,
  createRoom,
  getRoom,
  getRoomFeed,
  joinRoom,
  listMembers,
  removeMember,
  setRoomNotices,
  showRooms,
  showRoom,
] as const;
