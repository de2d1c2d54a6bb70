import { agents, ownerOfPrivate, ownerOfPublic, perRoom } from '../../operations/access.ts';
import { asAgent, byOwner, nowhere, onId, onRoom, refusedTo } from '../../operations/inputs.ts';
import type { BuildInput, CaseSetup, OperationCases } from '../../operations/operation-case.ts';

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

export const cases: OperationCases = {
  createInvitation: {
    call: byOwner(
      onRoom('publicRoom', { expiresInSeconds: 60 }),
      onRoom('publicRoom', { expiresInSeconds: 61 }),
    ),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere)),
      forbidden: refusedTo('member', onRoom('publicRoom')),
    },
    access: perRoom({ publicRoom: ownerOfPublic, privateRoom: ownerOfPrivate }),
    ack: 'record',
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
    },
    access: [{ on: 'private room', input: withToken('privateRoom'), expected: agents }],
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
};
