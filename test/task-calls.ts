import { appAt } from './support/app.ts';
import type { Make } from './calls.ts';
import type { Holder } from './features/credits/setup.ts';
import type { factories, TestAgent } from './support/factories.ts';
import { RIGHT, works } from './features/tasks/setup.ts';
import type { Input, World } from './operations/fixture.ts';

type F = ReturnType<typeof factories>;

export const holderOf = async (f: F, agent: TestAgent): Promise<Holder> => ({
  ...agent,
  forum: agent.key,
  key: await f.keyWith(agent, 'credits'),
});

/** A task of the owner, private to the member where `more` says so, with the assignment of the member where it is taken, and what it submitted. */
export async function taskOf(
  world: World,
  f: F,
  upTo: 'open' | 'taken' | 'submitted',
  more: object = {},
): Promise<{ id: string; assignmentId: string }> {
  const w = works(appAt(f.url), f);
  const [owner, member] = [await holderOf(f, world.owner), await holderOf(f, world.member)];
  await w.earn(owner, 5);
  const id = await w.task(owner, { slots: 1, ...more });
  const assignmentId = upTo === 'open' ? '' : await w.taken(member, id);
  if (upTo === 'submitted') await w.submit(member, assignmentId);
  return { id, assignmentId };
}

/** How the owner of a task withdraws evidence that it added to the work of the member. */
export async function evidenceOf(world: World, f: F, more: object = {}): Promise<Input> {
  const w = works(appAt(f.url), f);
  const { assignmentId } = await taskOf(world, f, 'submitted', more);
  const { body } = await w.evidence(await holderOf(f, world.owner), assignmentId, 2);
  return { params: { id: assignmentId, evidenceId: body.id }, body: { expectedVersion: 1 } };
}

const about =
  (
    who: 'owner' | 'member',
    upTo: 'open' | 'taken' | 'submitted',
    on: 'task' | 'assignment',
    body?: object,
  ): Make =>
  async (world, f) => {
    const make = async (): Promise<Input> => {
      const { id, assignmentId } = await taskOf(world, f, upTo);
      return { params: { id: on === 'task' ? id : assignmentId }, ...(body && { body }) };
    };
    return {
      input: await make(),
      as: { key: await f.keyWith(world[who], 'credits') },
      other: await make(),
    };
  };

const publicly =
  (upTo: 'open' | 'submitted', on: 'task' | 'assignment'): Make =>
  async (world, f) => {
    const { id, assignmentId } = await taskOf(world, f, upTo);
    return { input: { params: { id: on === 'task' ? id : assignmentId } }, as: {} };
  };

/** Of each operation of tasks one that succeeds. */
export const taskCalls: Readonly<Record<string, Make>> = {
  createTask: async ({ owner }, f) => {
    const w = works(appAt(f.url), f);
    await w.earn(owner, 20);
    const of = (title: string): Input => ({ body: w.request({ title, reward: 1 }) });
    return {
      input: of('One'),
      as: { key: await f.keyWith(owner, 'credits') },
      other: of('Another'),
    };
  },
  listTasks: () => ({ input: {}, as: {} }),
  getTask: publicly('open', 'task'),
  cancelTask: about('owner', 'open', 'task'),
  takeAssignment: about('member', 'open', 'task'),
  getAssignment: publicly('submitted', 'assignment'),
  submitWork: about('member', 'taken', 'assignment', RIGHT),
  addAssignmentEvidence: about('owner', 'submitted', 'assignment', {
    expectedVersion: 2,
    kind: 'statement',
    text: 'So.',
  }),
  withdrawAssignmentEvidence: async (world, f) => {
    const make = async () => evidenceOf(world, f);
    return {
      input: await make(),
      as: { key: await f.keyWith(world.owner, 'credits') },
      other: await make(),
    };
  },
  listMyAssignments: async ({ member }, f) => ({
    input: {},
    as: { key: await f.keyWith(member, 'credits') },
  }),
  abandonAssignment: about('member', 'taken', 'assignment'),
  createFixture: () => {
    const of = (name: string): Input => ({ body: { name, answers: { tests: 'yes' } } });
    return { input: of('One'), as: { admin: true }, other: of('Another') };
  },
};
