import {
  agents,
  everyone,
  members,
  ownerOfPrivate,
  ownerOfPublic,
  perRoom,
  readingMembers,
} from '../../operations/access.ts';
import type { Fixture } from '../../operations/fixture.ts';
import {
  asAgent,
  byAnyone,
  byOwner,
  nowhere,
  onId,
  onRoom,
  readFromFirst,
  refusedTo,
} from '../../operations/inputs.ts';
import type { AccessSetup, BuildInput, OperationCases } from '../../operations/operation-case.ts';

type Room = 'publicRoom' | 'privateRoom';

const onMember =
  (room: Room, agent: 'owner' | 'member' | 'outsider'): BuildInput =>
  ({ fixture }) => ({ params: { id: fixture[room], memberId: fixture[agent].id } });

/** About a fresh member of the room: the owner may remove it, and nobody else. */
const onNewMember =
  (room: Room): BuildInput =>
  async ({ f, fixture }) => {
    const someone = await f.createAgent();
    await f.addMember(fixture.owner, fixture[room], someone);
    return { params: { id: fixture[room], memberId: someone.id } };
  };

/** About the caller's own membership. */
const onOwnMembership =
  (room: Room) =>
  ({ fixture, caller }: AccessSetup) => {
    const agent = fixture[caller as keyof Fixture] as Fixture['owner'] | undefined;
    return { params: { id: fixture[room], memberId: (agent ?? fixture.owner).id } };
  };
const leaving = { ...members, owner: 'state_conflict' } as const;

export const cases: OperationCases = {
  listRooms: {
    call: byAnyone(),
    access: everyone,
    list: {
      order: ['createdAt', 'id'],
      arrange: ({ f, owner }) => ({
        createRow: ({ index }) => f.createRoom(owner, index % 2 ? 'public' : 'private'),
        // The room of all lists is there already.
        count: (turns) => turns + 1,
      }),
    },
  },
  createRoom: {
    call: byOwner(
      () => ({ body: { name: 'One room' } }),
      () => ({ body: { name: 'Another room' } }),
    ),
    access: agents,
    ack: ['createdAt', 'id'],
    names: { name: readFromFirst('name', '/api/v1/rooms') },
  },
  getRoom: {
    call: byAnyone(onRoom('publicRoom')),
    errors: { not_found: refusedTo('outsider', onRoom('privateRoom')) },
    access: perRoom({ publicRoom: everyone, privateRoom: readingMembers }),
  },
  getRoomFeed: {
    call: byAnyone(onRoom('publicRoom')),
    errors: { not_found: refusedTo('outsider', onRoom('privateRoom')) },
    access: perRoom({ publicRoom: everyone, privateRoom: readingMembers }),
  },
  joinRoom: {
    call: ({ fixture }) => ({
      input: onId(fixture.publicRoom),
      as: asAgent(fixture.outsider),
      other: onId(fixture.privateRoom),
    }),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere)),
      removed_from_room: refusedTo('removed', onRoom('publicRoom')),
    },
    access: perRoom({
      publicRoom: { ...agents, removed: 'removed_from_room' },
      privateRoom: members,
    }),
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  listMembers: {
    call: byOwner(onRoom('publicRoom')),
    errors: { not_found: refusedTo('outsider', () => onId(nowhere)) },
    access: perRoom({ publicRoom: agents, privateRoom: members }),
    list: {
      total: true,
      arrange: ({ f, room }) => ({
        input: onId(room),
        createRow: ({ guest }) => f.joinRoom(guest, room),
        // The owner is one.
        count: (turns) => turns + 1,
      }),
    },
  },
  removeMember: {
    call: byOwner(onMember('publicRoom', 'member'), onMember('privateRoom', 'member')),
    errors: {
      not_found: refusedTo('owner', onMember('publicRoom', 'outsider')),
      forbidden: refusedTo('member', onMember('publicRoom', 'owner')),
      state_conflict: refusedTo('owner', onMember('publicRoom', 'owner')),
    },
    access: [
      ...perRoom(
        { publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate },
        onNewMember,
        'another',
      ),
      ...perRoom({ publicRoom: leaving, privateRoom: leaving }, onOwnMembership, 'itself'),
    ],
    ack: ['id'],
    spoilsFixture: true,
  },
  setRoomNotices: {
    call: byOwner(
      onRoom('publicRoom', { acceptsNotices: true }),
      onRoom('privateRoom', { acceptsNotices: false }),
    ),
    errors: {
      not_found: refusedTo('outsider', onRoom('privateRoom', { acceptsNotices: true })),
      forbidden: refusedTo('member', onRoom('publicRoom', { acceptsNotices: true })),
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }, (room) =>
      onRoom(room, { acceptsNotices: true }),
    ),
    ack: ['acceptsNotices', 'createdAt', 'id'],
    idempotency: 'required',
    spoilsFixture: true,
  },
  showRooms: { call: byAnyone(), access: everyone },
  showRoom: {
    call: byAnyone(onRoom('publicRoom')),
    errors: { not_found: refusedTo('outsider', onRoom('privateRoom')) },
    access: perRoom({ publicRoom: everyone, privateRoom: readingMembers }),
  },
};
