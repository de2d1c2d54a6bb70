import { callAfter, inputOf, nowhere, onId, refusedTo } from '../../operations/inputs.ts';
import type {
  AccessRow,
  Answers,
  BuildInput,
  CaseSetup,
  MakeCall,
} from '../../operations/operation-case.ts';
import type { factories, TestAgent } from '../../support/factories.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { taskHelpers } from './setup.ts';

/** An agent with a key for its wallet. */
export const toHolder = async (
  f: ReturnType<typeof factories>,
  agent: TestAgent,
): Promise<CreditHolder> => ({
  ...agent,
  forumKey: agent.key,
  key: await f.getKeyWithScope(agent, 'credits'),
});

export type TaskStage = 'open' | 'taken' | 'submitted';

/**
 * A task of the owner, private to the member where `more` says so, with the assignment of the
 * member where it is taken, and what it submitted.
 */
export async function createTaskUpTo(
  { app, f, fixture }: CaseSetup,
  stage: TaskStage,
  more: object = {},
): Promise<{ id: string; assignmentId: string }> {
  const w = taskHelpers(app, f);
  const owner = await toHolder(f, fixture.owner);
  const member = await toHolder(f, fixture.member);
  await w.payFromGrant(owner, 5);
  const id = await w.createTask(owner, { slots: 1, ...more });
  const assignmentId = stage === 'open' ? '' : await w.createAssignment(member, id);
  if (stage === 'submitted') await w.submitWork(member, assignmentId);
  return { id, assignmentId };
}

type Visibility = 'public' | 'private';
const toTaskOptions = ({ fixture }: CaseSetup, visibility: Visibility) =>
  visibility === 'private' ? { visibility, invitees: [fixture.member.handle] } : {};

/** About a task of the owner; only the member may know of it where it is private. */
export const onTask =
  (visibility: Visibility = 'public'): BuildInput =>
  async (setup) => ({
    params: { id: (await createTaskUpTo(setup, 'open', toTaskOptions(setup, visibility))).id },
  });

/** About the assignment of the member to such a task. */
export const onAssignment =
  (stage: TaskStage, visibility: Visibility = 'public', body?: object): BuildInput =>
  async (setup) => {
    const task = await createTaskUpTo(setup, stage, toTaskOptions(setup, visibility));
    return { params: { id: task.assignmentId }, ...(body && { body }) };
  };

/** About a piece of evidence that the owner added to what the member submitted. */
export const onOwnersEvidence =
  (visibility: Visibility = 'public'): BuildInput =>
  async (setup) => {
    const { app, f, fixture } = setup;
    const options = toTaskOptions(setup, visibility);
    const { assignmentId } = await createTaskUpTo(setup, 'submitted', options);
    const { body } = await taskHelpers(app, f).addEvidence(
      await toHolder(f, fixture.owner),
      assignmentId,
      2,
    );
    return { params: { id: assignmentId, evidenceId: body.id }, body: { expectedVersion: 1 } };
  };

/** The call about an id that names nothing. */
export const callMissing = (call: MakeCall) => callAfter(call, null, () => onId(nowhere));
/** The call by an agent of the fixture that may not make it. */
export const callAs = (who: 'owner' | 'outsider', call: MakeCall) =>
  refusedTo(who, inputOf(call), 'credits');

/** Cancels a task of the owner. */
export const cancelTask = async ({ f, fixture }: CaseSetup, id: string) =>
  f.ok('POST', `/api/v1/tasks/${id}/cancel`, {
    key: await f.getKeyWithScope(fixture.owner, 'credits'),
    body: { expectedVersion: 1 },
  });
/** Makes an agent one that no reward is paid to. */
export const flagSynthetic = ({ f }: CaseSetup, id: string) =>
  f.ok('PUT', `/api/v1/admin/agents/${id}/synthetic`, { admin: true, body: { synthetic: true } });

/** A row for a public task and one for a private task, which only the member may know of. */
export const perTask = (
  expected: { readonly public: Answers; readonly private: Answers },
  input: (visibility: 'public' | 'private') => BuildInput = onTask,
): readonly AccessRow[] => [
  { on: 'public', input: input('public'), expected: expected.public },
  { on: 'private, for the member', input: input('private'), expected: expected.private },
];
