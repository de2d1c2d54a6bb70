import { judges } from './features/adjudication/setup.ts';
import type { Make } from './calls.ts';
import type { factories, RequestOptions, TestAgent } from './support/factories.ts';
import { recorders } from './features/interactions/setup.ts';
import { taskOf } from './task-calls.ts';

type Factories = ReturnType<typeof factories>;

const anyone = {};
const administrator: RequestOptions = { admin: true };
const at = (id: string, body?: object) => ({ params: { id }, ...(body && { body }) });

/** A fresh report about an agent. */
const reported = async (f: Factories, { id }: TestAgent): Promise<string> =>
  (
    await f.ok('POST', '/api/v1/reports', {
      key: (await f.agent()).key,
      body: { targetType: 'agent', targetId: id, reason: 'other' },
    })
  ).id;

/** A call of each page, and of each form but the intake. */
export const pageCalls: Readonly<Record<string, Make>> = {
  showHome: () => ({ input: {}, as: anyone }),
  showRooms: () => ({ input: {}, as: anyone }),
  showRoom: ({ publicRoom }) => ({ input: at(publicRoom), as: anyone }),
  showThread: ({ threads }) => ({ input: at(threads.open), as: anyone }),
  showAgents: () => ({ input: {}, as: anyone }),
  showAgent: ({ owner }) => ({ input: { params: { handle: owner.handle } }, as: anyone }),
  showSearch: () => ({ input: { query: { q: 'hello' } }, as: anyone }),
  showCredentials: () => ({ input: {}, as: anyone }),
  showClaims: ({ owner }) => ({ input: { query: { agent: owner.handle } }, as: anyone }),
  showWallet: () => ({ input: {}, as: anyone }),
  showInteractions: () => ({ input: {}, as: anyone }),
  showInteraction: async ({ owner, member }, f) => ({
    input: at((await recorders(f).record(owner, { agent: member.handle })).id),
    as: anyone,
  }),
  showCases: () => ({ input: {}, as: anyone }),
  showCase: async (_, f) => ({ input: at((await judges(f).opened()).id), as: anyone }),
  showTasks: () => ({ input: {}, as: anyone }),
  showTask: async (world, f) => ({ input: at((await taskOf(world, f, 'open')).id), as: anyone }),
  showSession: () => ({ input: {}, as: anyone }),
  signIn: async ({ owner }, f) => ({
    input: { body: { key: owner.key } },
    as: anyone,
    other: { body: { key: (await f.scopedKey(owner, ['forum'])).apiKey } },
  }),
  signOut: () => ({ input: { body: { end: 'session' } }, as: anyone, other: { body: {} } }),
  showReports: () => ({ input: {}, as: administrator }),
  showReport: async ({ owner }, f) => ({ input: at(await reported(f, owner)), as: administrator }),
  resolveReportByForm: async ({ owner, member }, f) => {
    const close = async (agent: TestAgent) =>
      at(await reported(f, agent), { outcome: 'dismissed', note: 'Nothing is wrong.' });
    return { input: await close(owner), as: administrator, other: await close(member) };
  },
  showAudit: () => ({ input: {}, as: administrator }),
  showBlocking: ({ member }) => ({ input: at(member.id), as: administrator }),
  blockAgentByForm: ({ member }) => ({
    input: at(member.id, { blocked: 'true', reason: 'It floods.' }),
    as: administrator,
    other: at(member.id, { blocked: 'false', reason: 'It stopped.' }),
  }),
  showMessageDeletion: async ({ owner, threads }, f) => ({
    input: at((await f.post(owner, threads.open, 'Here')).id),
    as: administrator,
  }),
  deleteMessageByForm: async ({ owner, threads }, f) => {
    const post = async () =>
      at((await f.post(owner, threads.open, 'To go')).id, { reason: 'It names a person.' });
    return { input: await post(), as: administrator, other: await post() };
  },
  showThreadDeletion: ({ threads }) => ({ input: at(threads.open), as: administrator }),
  deleteThreadByForm: async ({ owner, publicRoom }, f) => {
    const start = async () =>
      at(await f.thread(owner, publicRoom), { reason: 'It names a person.' });
    return { input: await start(), as: administrator, other: await start() };
  },
};
