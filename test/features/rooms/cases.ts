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
  anyone,
  asAgent,
  byAnyone,
  byOwner,
  createAgentWithKey,
  inArchivedRoom,
  nowhere,
  onId,
  onRoom,
  readFromFirst,
  refusedTo,
} from '../../operations/inputs.ts';
import type {
  AccessSetup,
  BuildInput,
  CaseSetup,
  OperationCases,
} from '../../operations/operation-case.ts';

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

const propose = ({ f, fixture: { owner, member } }: CaseSetup, room: string) =>
  f.ok('PUT', `/api/v1/rooms/${room}/owner`, {
    ...asAgent(owner),
    body: { agentId: member.id },
  });
/** About a room after its owner proposed the member. */
const onProposal =
  (room: Room): BuildInput =>
  async (setup) => {
    await propose(setup, setup.fixture[room]);
    return onId(setup.fixture[room]);
  };
/** A new room of the owner, which the member has joined. */
const createJoinedRoom = async ({ f, fixture }: CaseSetup): Promise<string> => {
  const id = await f.createRoom(fixture.owner);
  await f.joinRoom(fixture.member, id);
  return id;
};
/** A new room in which the owner has proposed the member. */
const createProposal = async (setup: CaseSetup): Promise<string> => {
  const id = await createJoinedRoom(setup);
  await propose(setup, id);
  return id;
};
const onNewRoomForMember: BuildInput = async (setup) =>
  onId(await createJoinedRoom(setup), { agentId: setup.fixture.member.id });
const onNewProposal: BuildInput = async (setup) => onId(await createProposal(setup));
const toAgent =
  (room: Room, agent: 'owner' | 'member' | 'outsider'): BuildInput =>
  ({ fixture }) =>
    onId(fixture[room], { agentId: fixture[agent].id });
const rename = { name: 'Another name' };
/** Only the agent that was proposed knows of the proposal. */
const proposedOnly = { ...members, outsider: 'not_found', owner: 'not_found' } as const;
const leaving = { ...members, owner: 'state_conflict' } as const;

export const cases: OperationCases = {
  listRooms: {
    call: byAnyone(),
    errors: {
      unauthenticated: () => ({ input: { query: { mine: 'true' } }, as: anyone }),
      insufficient_scope: async (setup) => ({
        input: { query: { mine: 'true' } },
        as: { key: (await createAgentWithKey(setup, ['credentials'])).further },
      }),
    },
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
      state_conflict: async (setup) => ({
        ...(await inArchivedRoom()(setup)),
        as: asAgent(setup.fixture.outsider),
      }),
    },
    access: perRoom({
      publicRoom: { ...agents, removed: 'removed_from_room' },
      privateRoom: members,
    }),
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  subscribeRoom: {
    call: byOwner(onRoom('publicRoom'), onRoom('privateRoom')),
    errors: { not_found: refusedTo('outsider', onRoom('privateRoom')) },
    access: perRoom({ publicRoom: agents, privateRoom: members }),
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  unsubscribeRoom: {
    call: byOwner(onRoom('publicRoom'), onRoom('privateRoom')),
    errors: { not_found: refusedTo('outsider', onRoom('privateRoom')) },
    access: perRoom({ publicRoom: agents, privateRoom: members }),
    ack: ['id'],
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
      state_conflict: inArchivedRoom({ acceptsNotices: true }),
    },
    access: [
      ...perRoom(
        {
          publicRoom: { ...ownerOfPublic, administrator: 'forbidden' },
          privateRoom: { ...ownerOfPrivate, administrator: 'forbidden' },
        },
        (room) => onRoom(room, { acceptsNotices: true }),
        'notices allowed',
      ),
      ...perRoom(
        {
          publicRoom: { ...ownerOfPublic, administrator: 'ok' },
          privateRoom: { ...ownerOfPrivate, administrator: 'ok' },
        },
        (room) => onRoom(room, { acceptsNotices: false }),
        'notices forbidden',
      ),
    ],
    ack: ['acceptsNotices', 'createdAt', 'id'],
    idempotency: 'required',
    spoilsFixture: true,
  },
  updateRoom: {
    call: byOwner(onRoom('publicRoom', rename), onRoom('privateRoom', rename)),
    errors: {
      not_found: refusedTo('outsider', onRoom('privateRoom', rename)),
      forbidden: refusedTo('member', onRoom('publicRoom', rename)),
      state_conflict: inArchivedRoom(rename),
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }, (room) =>
      onRoom(room, rename),
    ),
    ack: 'record',
    names: { name: readFromFirst('name', '/api/v1/rooms') },
    spoilsFixture: true,
  },
  proposeOwner: {
    call: byOwner(onNewRoomForMember, onNewRoomForMember),
    errors: {
      not_found: refusedTo('owner', toAgent('publicRoom', 'outsider')),
      forbidden: refusedTo('member', toAgent('publicRoom', 'member')),
      state_conflict: refusedTo('owner', toAgent('publicRoom', 'owner')),
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }, (room) =>
      toAgent(room, 'member'),
    ),
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  acceptOwnership: {
    call: async (setup) => ({
      input: onId(await createProposal(setup)),
      as: asAgent(setup.fixture.member),
      other: onId(await createProposal(setup)),
    }),
    errors: { not_found: refusedTo('member', onRoom('publicRoom')) },
    access: [
      {
        on: 'public room',
        input: onNewProposal,
        expected: proposedOnly,
      },
      {
        on: 'private room without a proposal',
        input: onRoom('privateRoom'),
        expected: { ...proposedOnly, member: 'not_found' },
      },
    ],
    ack: ['createdAt', 'id'],
  },
  withdrawOwnerProposal: {
    call: byOwner(onNewProposal, onNewProposal),
    errors: {
      not_found: refusedTo('outsider', onRoom('privateRoom')),
      forbidden: refusedTo('member', onRoom('publicRoom')),
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }, onProposal),
    ack: ['id'],
    spoilsFixture: true,
  },
  showMembers: {
    call: byOwner(onRoom('publicRoom')),
    errors: { not_found: refusedTo('outsider', () => onId(nowhere)) },
    access: perRoom({ publicRoom: agents, privateRoom: members }),
  },
  showRooms: { call: byAnyone(), access: everyone },
  showRoom: {
    call: byAnyone(onRoom('publicRoom')),
    errors: { not_found: refusedTo('outsider', onRoom('privateRoom')) },
    access: perRoom({ publicRoom: everyone, privateRoom: readingMembers }),
  },
};
