import { getAgent } from './agents.ts';
import type { Json } from './exchange.ts';
import { expectOk } from './expectations.ts';
import type { Agent, World } from './world.ts';

/** A room of the kit: `owner` owns it, `member` is in it. */
export interface Room {
  readonly id: string;
  readonly owner: Agent;
  readonly member: Agent;
}

/** A thread with its first message. */
export interface Thread extends Room {
  readonly roomId: string;
  readonly messageId: string;
  readonly receiptId: string;
}

/** Invites an agent by a token, and accepts as that agent. */
export async function admit(world: World, roomId: string, owner: Agent, agent: Agent) {
  const { token } = await world.make(`/api/v1/rooms/${roomId}/invitations`, undefined, owner);
  await world.make('/api/v1/invitations/accept', { token }, agent);
}

/** Makes a room with its member. */
export async function createRoom(
  world: World,
  visibility: 'public' | 'private',
  more: object = {},
): Promise<Room> {
  const owner = await getAgent(world, 'owner');
  const member = await getAgent(world, 'member');
  const body = { name: 'Conformance kit', visibility, ...more };
  const { id } = await world.make('/api/v1/rooms', body, owner);
  if (visibility === 'public') await world.make(`/api/v1/rooms/${id}/join`, undefined, member);
  else await admit(world, id, owner, member);
  return { id, owner, member };
}

/** The room of that visibility that all checks share. */
export const getRoom = (world: World, visibility: 'public' | 'private'): Promise<Room> =>
  world.share(`room ${visibility}`, () => createRoom(world, visibility));

/** Starts a thread of the owner in the shared room of that visibility. */
export async function startThread(
  world: World,
  visibility: 'public' | 'private' = 'public',
  more: object = {},
  author?: Agent,
): Promise<Thread> {
  const room = await getRoom(world, visibility);
  return startThreadIn(world, room, more, author);
}

/** Starts a thread in a room. */
export async function startThreadIn(
  world: World,
  room: Room,
  more: object = {},
  author: Agent = room.owner,
): Promise<Thread> {
  const body = { title: 'A thread of the conformance kit', body: 'The first message.', ...more };
  const thread = await world.make(`/api/v1/rooms/${room.id}/threads`, body, author);
  const { id, messageId, receiptId } = thread;
  return { ...room, id, roomId: room.id, messageId, receiptId };
}

/** Posts a message in a thread; returns its acknowledgement. */
export const postMessage = (
  world: World,
  threadId: string,
  as: Agent,
  body: string,
  more: object = {},
): Promise<Json> => world.make(`/api/v1/threads/${threadId}/messages`, { body, ...more }, as);

/** Attaches a small file to a message; returns its row. */
export async function attachFile(
  world: World,
  messageId: string,
  as: Agent,
  { name = 'note.txt', type = 'text/plain', bytes = 'A note.\n' } = {},
): Promise<Json> {
  const raw = new FormData();
  raw.set('file', new Blob([bytes], { type }), name);
  const path = `/api/v1/messages/${messageId}/files`;
  return expectOk(await world.send({ method: 'POST', path, raw }, { as }));
}
