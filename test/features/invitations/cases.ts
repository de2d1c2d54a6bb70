import { MAX_OPEN } from '../../../src/features/invitations/rules.ts';
import {
  agents,
  ownerOfHidden,
  ownerOfPrivate,
  ownerOfPublic,
  perRoom,
} from '../../operations/access.ts';
import {
  asAgent,
  byOwner,
  inArchivedRoom,
  nowhere,
  onId,
  onRoom,
  refusedTo,
} from '../../operations/inputs.ts';
import type {
  BuildInput,
  CaseSetup,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';

import type { TestAgent } from '../../support/factories.ts';
import { insertInvitations } from './setup.ts';

type Room = 'publicRoom' | 'privateRoom';

const invite = ({ f, fixture }: CaseSetup, room: Room = 'publicRoom') =>
  f.ok('POST', `/api/v1/rooms/${fixture[room]}/invitations`, asAgent(fixture.owner));

/** About an invitation that the owner has just made. */
const onInvitation =
  (room: Room): BuildInput =>
  async (setup) => ({
    params: { id: setup.fixture[room], invitationId: (await invite(setup, room)).id },
  });
const withToken =
  (room: Room): BuildInput =>
  async (setup) => ({ body: { token: (await invite(setup, room)).token } });
const onMissingInvitation: BuildInput = ({ fixture }) => ({
  params: { id: fixture.publicRoom, invitationId: nowhere },
});

/** About an invitation that names the outsider. */
const onNamed: BuildInput = async ({ f, fixture: { owner, outsider } }) => {
  const room = await f.createRoom(owner, 'private');
  return onId((await f.inviteByName(owner, room, outsider)).id);
};
/** The outsider is the only agent that such an invitation is for. */
const onlyOutsider = { ...ownerOfHidden, outsider: 'ok', owner: 'not_found' } as const;
/** A call of an agent about an invitation that names it, after something has happened. */
const afterNamed =
  (
    prepare: (setup: CaseSetup, room: string, id: string, guest: TestAgent) => Promise<unknown>,
  ): MakeErrorCase =>
  async (setup) => {
    const { f, fixture } = setup;
    const guest = await f.createAgent();
    const room = await f.createRoom(fixture.owner);
    const { id } = await f.inviteByName(fixture.owner, room, guest);
    await prepare(setup, room, id, guest);
    return { input: onId(id), as: asAgent(guest) };
  };
const acceptNamed = ({ f }: CaseSetup, _: string, id: string, guest: TestAgent) =>
  f.ok('POST', `/api/v1/invitations/${id}/accept`, asAgent(guest));
const enterAndBeRemoved = async (
  { f, fixture: { owner } }: CaseSetup,
  room: string,
  guest: TestAgent,
) => {
  await f.joinRoom(guest, room);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${guest.id}`, asAgent(owner));
};

export const cases: OperationCases = {
  createInvitation: {
    call: byOwner(
      onRoom('publicRoom', { expiresInSeconds: 60 }),
      onRoom('publicRoom', { expiresInSeconds: 61 }),
    ),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere)),
      forbidden: refusedTo('member', onRoom('publicRoom')),
      state_conflict: inArchivedRoom(),
      already_exists: async ({ f, fixture: { owner } }) => {
        const guest = await f.createAgent();
        const room = await f.createRoom(owner);
        await f.inviteByName(owner, room, guest);
        return { input: onId(room, { agent: guest.id }), as: asAgent(owner) };
      },
      limit_exceeded: async ({ app, f }) => {
        const owner = await f.createAgent();
        const room = await f.createRoom(owner);
        await insertInvitations(app, { owner, room, count: MAX_OPEN, expiresInSeconds: 3_600 });
        return { input: onId(room), as: asAgent(owner) };
      },
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }),
    ack: 'record',
  },
  listInvitations: {
    call: byOwner(onRoom('publicRoom')),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere)),
      forbidden: refusedTo('member', onRoom('publicRoom')),
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }),
    list: {
      order: ['createdAt', 'id'],
      arrange: ({ f, owner, room }) => ({
        input: onId(room),
        createRow: () => f.ok('POST', `/api/v1/rooms/${room}/invitations`, asAgent(owner)),
      }),
    },
  },
  listMyInvitations: {
    call: byOwner(),
    access: agents,
    list: {
      order: ['createdAt', 'id'],
      arrange: async ({ f }) => {
        const guest = await f.createAgent();
        // Rooms that nobody else lists.
        const host = await f.createAgent();
        return {
          as: asAgent(guest),
          createRow: async () => f.inviteByName(host, await f.createRoom(host, 'private'), guest),
        };
      },
    },
  },
  acceptNamedInvitation: {
    call: async (setup) => ({
      input: await onNamed(setup),
      as: asAgent(setup.fixture.outsider),
      other: await onNamed(setup),
    }),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere)),
      gone: afterNamed(({ f }, _, id, guest) =>
        f.ok('POST', `/api/v1/invitations/${id}/decline`, asAgent(guest)),
      ),
      removed_from_room: afterNamed((setup, room, _, guest) =>
        enterAndBeRemoved(setup, room, guest),
      ),
      state_conflict: afterNamed(({ f, fixture }, room) => f.archiveRoom(fixture.owner, room)),
    },
    access: [{ on: 'private room', input: onNamed, expected: onlyOutsider }],
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  declineInvitation: {
    call: async (setup) => ({
      input: await onNamed(setup),
      as: asAgent(setup.fixture.outsider),
      other: await onNamed(setup),
    }),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere)),
      state_conflict: afterNamed(acceptNamed),
    },
    access: [{ on: 'private room', input: onNamed, expected: onlyOutsider }],
    ack: ['id'],
  },
  revokeInvitation: {
    call: byOwner(onInvitation('publicRoom'), onInvitation('publicRoom')),
    errors: {
      not_found: refusedTo('owner', onMissingInvitation),
      forbidden: refusedTo('member', onMissingInvitation),
      state_conflict: async (setup) => {
        const { f, fixture } = setup;
        const { id, token } = await invite(setup);
        await f.ok('POST', '/api/v1/invitations/accept', {
          ...asAgent(await f.createAgent()),
          body: { token },
        });
        return {
          input: { params: { id: fixture.publicRoom, invitationId: id } },
          as: asAgent(fixture.owner),
        };
      },
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }, onInvitation),
    ack: ['id'],
  },
  acceptInvitation: {
    call: async (setup) => ({
      input: await withToken('publicRoom')(setup),
      as: asAgent(setup.fixture.outsider),
      other: await withToken('publicRoom')(setup),
    }),
    errors: {
      not_found: refusedTo('outsider', () => ({ body: { token: 'stoa_inv_nothing' } })),
      gone: async (setup) => {
        const { f, fixture } = setup;
        const { id, token } = await invite(setup);
        await f.ok(
          'DELETE',
          `/api/v1/rooms/${fixture.publicRoom}/invitations/${id}`,
          asAgent(fixture.owner),
        );
        return { input: { body: { token } }, as: asAgent(fixture.outsider) };
      },
      removed_from_room: async (setup) => {
        const { f, fixture } = setup;
        const guest = await f.createAgent();
        const { token } = await invite(setup);
        await enterAndBeRemoved(setup, fixture.publicRoom, guest);
        return { input: { body: { token } }, as: asAgent(guest) };
      },
      state_conflict: async ({ f, fixture: { owner, outsider } }) => {
        const room = await f.createRoom(owner);
        const { token } = await f.ok('POST', `/api/v1/rooms/${room}/invitations`, asAgent(owner));
        await f.archiveRoom(owner, room);
        return { input: { body: { token } }, as: asAgent(outsider) };
      },
    },
    access: [{ on: 'private room', input: withToken('privateRoom'), expected: agents }],
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
};
