import { randomUUID } from 'node:crypto';
import { MAX_HELD } from '../../../src/features/requests/rules.ts';
import {
  agents,
  everyone,
  joiners,
  members,
  membersOfListed,
  perThread,
} from '../../operations/access.ts';
import type { Fixture, OperationInput } from '../../operations/fixture.ts';
import {
  asAgent,
  byAnyone,
  byOwner,
  noInput,
  nowhere,
  refusedTo,
} from '../../operations/inputs.ts';
import type {
  AccessSetup,
  BuildInput,
  CaseSetup,
  ErrorCases,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import { runConcurrently } from '../../support/factories.ts';

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

/** By an agent that holds as many requests as it can, about one more in the same thread. */
const byFullHolder =
  (toInput: (place: { threadId: string; messageId: string }) => OperationInput): MakeErrorCase =>
  async ({ f }) => {
    const asker = await f.createAgent();
    const holder = await f.createAgent();
    const room = await f.createRoom(asker);
    await f.joinRoom(holder, room);
    const threadId = await f.createThread(asker, room);
    await runConcurrently(MAX_HELD + 1, () =>
      f.postMessage(asker, threadId, 'Who?', { request: true }),
    );
    for (let left = MAX_HELD; left > 0; left -= 20) {
      const body = { threadId, limit: 20 };
      await f.ok('POST', '/api/v1/claims/next', { key: holder.key, body });
    }
    const [open] = await f.ok('GET', `/api/v1/requests?roomId=${room}`);
    return { input: toInput({ threadId, messageId: open.messageId }), as: asAgent(holder) };
  };

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

/** What the buttons of pages send. */
const claimForm = { threadId: nowhere, step: 'claim' };
const releaseForm: Fill = (fence) => ({
  body: { threadId: nowhere, fence: String(fence), once: randomUUID() },
});

export const cases: OperationCases = {
  claimRequest: {
    call: byOwner(onRequest('open'), onRequest('open')),
    errors: {
      ...errorsWith({}),
      limit_exceeded: byFullHolder(({ messageId }) => ({ params: { id: messageId } })),
    },
    access: perThread(access, (thread) => onRequest(thread), 'request of the owner'),
    ack: 'record',
  },
  claimRequestByForm: {
    call: byOwner(onRequest('open', claimForm), onRequest('open', claimForm)),
    errors: {
      ...errorsWith({ body: claimForm }),
      limit_exceeded: byFullHolder(({ messageId }) => ({
        params: { id: messageId },
        body: claimForm,
      })),
    },
    access: perThread(access, (thread) => onRequest(thread, claimForm), 'request of the owner'),
  },
  releaseClaimByForm: {
    call: byOwner(onHeld('open', releaseForm), onHeld('open', releaseForm)),
    errors: errorsWith(releaseForm(1)),
    access: perHeld(releaseForm),
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
      limit_exceeded: byFullHolder(({ threadId }) => ({ body: { threadId } })),
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
