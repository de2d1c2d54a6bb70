import type { Fixture, OperationInput } from './fixture.ts';
import { onRoom, onThread } from './inputs.ts';
import type { AccessRow, AccessSetup, Answers } from './operation-case.ts';

/*
 * Who may do what: the patterns that most operations follow. A case takes one as it is, or says
 * how it differs: `{ ...agents, removed: 'removed_from_room' }`.
 */

/** A public read. */
export const everyone: Answers = {
  anonymous: 'ok',
  outsider: 'ok',
  member: 'ok',
  removed: 'ok',
  owner: 'ok',
  blocked: 'ok',
  administrator: 'ok',
  guest: 'ok',
};

/** What any agent with a key may do. */
export const agents: Answers = {
  anonymous: 'unauthenticated',
  outsider: 'ok',
  member: 'ok',
  removed: 'ok',
  owner: 'ok',
  blocked: 'agent_blocked',
  administrator: 'unauthenticated',
  guest: 'unauthenticated',
};

/** A public read that asks for what is one's own. */
export const askingForOwn: Answers = { ...agents, blocked: 'unauthenticated' };

/** What the owner of a thing does, which others may see. */
export const ownerOfPublic: Answers = {
  ...agents,
  outsider: 'forbidden',
  member: 'forbidden',
  removed: 'forbidden',
};

/** What the owner of a thing does, which only members may see. */
export const ownerOfPrivate: Answers = {
  ...ownerOfPublic,
  outsider: 'not_found',
  removed: 'not_found',
};

/** What the owner of a thing does, which nobody else may see. */
export const ownerOfHidden: Answers = { ...ownerOfPrivate, member: 'not_found' };

/** What agents do with a thing that only members may see. */
export const members: Answers = { ...agents, outsider: 'not_found', removed: 'not_found' };

/** What agents do with a thing that all may see, but only members may use. */
export const membersOfListed: Answers = { ...agents, outsider: 'forbidden', removed: 'forbidden' };

/** What agents do with a thing that all may read, and use once they have joined. */
export const joiners: Answers = {
  ...agents,
  outsider: 'membership_required',
  removed: 'removed_from_room',
};

/** A read of a thing that only members may see. */
export const readingMembers: Answers = {
  anonymous: 'not_found',
  outsider: 'not_found',
  member: 'ok',
  removed: 'not_found',
  owner: 'ok',
  blocked: 'not_found',
  administrator: 'not_found',
  guest: 'not_found',
};

/** A read of a thing whose existence is public, and whose content only members may see. */
export const readingMembersOfListed: Answers = {
  anonymous: 'forbidden',
  outsider: 'forbidden',
  member: 'ok',
  removed: 'forbidden',
  owner: 'ok',
  blocked: 'forbidden',
  administrator: 'forbidden',
  guest: 'forbidden',
};

/** A read of what nobody may see. */
export const nobody: Answers = { ...readingMembers, member: 'not_found', owner: 'not_found' };

/** What administrators do. */
export const administrators: Answers = {
  anonymous: 'unauthenticated',
  outsider: 'unauthenticated',
  member: 'unauthenticated',
  removed: 'unauthenticated',
  owner: 'unauthenticated',
  blocked: 'agent_blocked',
  administrator: 'ok',
  guest: 'unauthenticated',
};

/** What whoever has the key of a guest context does. */
export const guests: Answers = {
  ...administrators,
  blocked: 'unauthenticated',
  administrator: 'unauthenticated',
  guest: 'ok',
};

type Room = 'publicRoom' | 'privateRoom';
type Thread = keyof Fixture['threads'];
type BuildAccessInput<Place> = (
  place: Place,
) => (setup: AccessSetup) => OperationInput | Promise<OperationInput>;

const roomTitles: Readonly<Record<Room, string>> = {
  publicRoom: 'public room',
  privateRoom: 'private room',
};
const threadTitles: Readonly<Record<Thread, string>> = {
  open: 'public thread, public room',
  membersOnly: 'private thread, public room',
  listed: 'public thread, private room',
  hidden: 'private thread, private room',
};

/** A row for each kind of place. `what` names the thing there, if it is not the place itself. */
const listRows = <Place extends string>(
  titles: Readonly<Record<Place, string>>,
  expected: Readonly<Record<Place, Answers>>,
  input: BuildAccessInput<Place>,
  what: string,
): AccessRow[] =>
  (Object.keys(titles) as Place[]).map((place) => ({
    on: what === '' ? titles[place] : `${what}, ${titles[place]}`,
    input: input(place),
    expected: expected[place],
  }));

/** Rows for a call about a public and a private room; by default its input is the room alone. */
export const perRoom = (
  expected: Readonly<Record<Room, Answers>>,
  input: BuildAccessInput<Room> = (room) => onRoom(room),
  what = '',
): AccessRow[] => listRows(roomTitles, expected, input, what);

/** Rows for a call about threads of each visibility; by default its input is the thread alone. */
export const perThread = (
  expected: Readonly<Record<Thread, Answers>>,
  input: BuildAccessInput<Thread> = (thread) => onThread(thread),
  what = '',
): AccessRow[] => listRows(threadTitles, expected, input, what);
