import { createRoom } from './create-room.ts';
import { getRoom } from './get-room.ts';
import { joinRoom } from './join-room.ts';
import { listMembers } from './list-members.ts';
import { listRooms } from './list-rooms.ts';
import { removeMember } from './remove-member.ts';

export const roomOperations = [listRooms, createRoom, getRoom, joinRoom, listMembers, removeMember] as const;
