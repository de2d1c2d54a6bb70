import {
  agents,
  everyone,
  joiners,
  members,
  membersOfListed,
  perThread,
} from '../../operations/access.ts';
import type { Fixture, OperationInput } from '../../operations/fixture.ts';
import { asAgent, byAnyone, byOwner, noInput, refusedTo } from '../../operations/inputs.ts';
import type {
  AccessSetup,
  BuildInput,
  CaseSetup,
  ErrorCases,
  OperationCases,
} from '../../operations/operation-case.ts';

type Thread = keyof Fixture['threads'];

const post = async ({ f, fixture }: CaseSetup, thread: Thread, author = fixture.owner) =>
  (await f.postMessage(author, fixture.threads[thread], 'Who does it?', { request: true })).id;

/** Nobody is offered a request of its own, and a call before may have removed the member. */
async function postByNewcomer(setup: CaseSetup): Promise<void> {
  const author = await setup.f.createAgent();
  await setup.f.joinRoom(author, setup.fixture.publicRoom);
  await post(setup, 'open', author);
}

/** About a new request of the owner in one of the threads. */
const onRequest =
  (thread: Thread, body?: object): BuildInput =>
  async (setup) => ({ params: { id: await post(setup, thread) }, ...(body && { body }) });

/** Who calls, as the agent that may hold something. */
const findCaller = ({ fixture, caller }: AccessSetup) =>
  caller === 'member' ? fixture.member : fixture.owner;

type Fill = (fence: number) => Pick<OperationInput, 'body' | 'query'>;

/** About a new request that an agent holds; `fill` makes the rest of the input. */
async function hold(setup: CaseSetup, thread: Thread, fill: Fill, holder = setup.fixture.owner) {
  const id = await post(setup, thread);
  const { fence } = await setup.f.ok('POST', `/api/v1/messages/${id}/claim`, { key: holder.key });
  return { params: { id }, ...fill(fence) };
}
const onHeld =
  (thread: Thread, fill: Fill): BuildInput =>
  (setup) =>
    hold(setup, thread, fill);

/** The errors of an operation about a request, with the input that it needs besides the id. */
const errorsWith = (rest: Pick<OperationInput, 'body' | 'query'>): ErrorCases => {
  const on =
    (thread: Thread): BuildInput =>
    async (setup) => ({ params: { id: await post(setup, thread) }, ...rest });
  return {
    not_found: refusedTo('outsider', on('hidden')),
    forbidden: refusedTo('outsider', on('listed')),
    gone: async ({ f, fixture: { owner, member, publicRoom } }) => {
      const thread = await f.createThread(owner, publicRoom);
      const { id } = await f.postMessage(owner, thread, 'Gone soon', { request: true });
      await f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true });
      return { input: { params: { id }, ...rest }, as: asAgent(member) };
    },
    membership_required: refusedTo('outsider', on('open')),
    removed_from_room: refusedTo('removed', on('open')),
    state_conflict: async ({ f, fixture: { owner, threads } }) => {
      const { id } = await f.postMessage(owner, threads.open, 'Asks for nobody');
      return { input: { params: { id }, ...rest }, as: asAgent(owner) };
    },
  };
};

const access = { open: joiners, membersOnly: members, listed: membersOfListed, hidden: members };
const withFence: Fill = (fence) => ({ body: { fence } });
const withFenceQuery: Fill = (fence) => ({ query: { fence: String(fence) } });

const perHeld = (fill: Fill) =>
  perThread(
    access,
    (thread) => (setup) => hold(setup, thread, fill, findCaller(setup)),
    'request that the caller holds',
  );

export const cases: OperationCases = {
  claimRequest: {
    call: byOwner(onRequest('open'), onRequest('open')),
    errors: errorsWith({}),
    access: perThread(access, (thread) => onRequest(thread), 'request of the owner'),
    ack: 'record',
  },
  renewClaim: {
    call: byOwner(onHeld('open', withFence), onHeld('open', withFence)),
    errors: errorsWith({ body: { fence: 1 } }),
    access: perHeld(withFence),
    ack: 'record',
  },
  releaseClaim: {
    call: byOwner(onHeld('open', withFenceQuery), onHeld('open', withFenceQuery)),
    errors: errorsWith({ query: { fence: '1' } }),
    access: perHeld(withFenceQuery),
    ack: ['id'],
  },
  claimNext: {
    call: byOwner(
      async (setup) => {
        await postByNewcomer(setup);
        return { body: { roomId: setup.fixture.publicRoom } };
      },
      async (setup) => {
        await postByNewcomer(setup);
        return { body: { threadId: setup.fixture.threads.open } };
      },
    ),
    errors: {
      not_found: refusedTo('outsider', ({ fixture }) => ({
        body: { roomId: fixture.privateRoom },
      })),
      forbidden: refusedTo('outsider', ({ fixture }) => ({
        body: { threadId: fixture.threads.listed },
      })),
      gone: async ({ f, fixture: { owner, publicRoom } }) => {
        const threadId = await f.createThread(owner, publicRoom);
        await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
        return { input: { body: { threadId } }, as: asAgent(owner) };
      },
      membership_required: refusedTo('outsider', ({ fixture }) => ({
        body: { roomId: fixture.publicRoom },
      })),
      removed_from_room: refusedTo('removed', ({ fixture }) => ({
        body: { roomId: fixture.publicRoom },
      })),
      state_conflict: async ({ f, fixture: { owner } }) => {
        const roomId = await f.createRoom(owner);
        await f.archiveRoom(owner, roomId);
        return { input: { body: { roomId } }, as: asAgent(owner) };
      },
    },
    access: perThread(access, (thread) => ({ fixture }) => ({
      body: { threadId: fixture.threads[thread] },
    })),
    ack: 'record',
  },
  listMyClaims: {
    call: byOwner(noInput),
    access: agents,
    list: {
      arrange: async ({ f }) => {
        const owner = await f.createAgent();
        const asker = await f.createAgent();
        const room = await f.createRoom(owner, 'private');
        await f.addMember(owner, room, asker);
        const threadId = await f.createThread(owner, room);
        return {
          as: { key: owner.key },
          createRow: async () => {
            const { id } = await f.postMessage(asker, threadId, 'Who?', { request: true });
            return f.ok('POST', `/api/v1/messages/${id}/claim`, { key: owner.key });
          },
        };
      },
    },
  },
  showRequests: { call: byAnyone(noInput), access: everyone },
  listRequests: {
    call: byAnyone(noInput),
    access: everyone,
    list: {
      arrange: async ({ f }) => {
        const owner = await f.createAgent();
        const room = await f.createRoom(owner, 'private');
        const threadId = await f.createThread(owner, room);
        return {
          input: { query: { roomId: room } },
          as: { key: owner.key },
          createRow: () => f.postMessage(owner, threadId, 'Who?', { request: true }),
        };
      },
    },
  },
  cancelRequest: {
    call: byOwner(onRequest('open'), onRequest('open')),
    errors: {
      ...errorsWith({}),
      forbidden: refusedTo('member', onRequest('open')),
    },
    access: perThread(
      access,
      (thread) => async (setup) => ({
        params: {
          id: await post(setup, thread, findCaller(setup)),
        },
      }),
      'request of the caller',
    ),
    ack: ['createdAt', 'id', 'state'],
  },
};
