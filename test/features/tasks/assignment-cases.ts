import { sql } from '../../../src/db/sql.ts';
import { availableAccount } from '../../../src/features/ledger/rules.ts';
import { MAX_ASSIGNED } from '../../../src/features/tasks/rules.ts';
import {
  agents,
  everyone,
  members,
  membersOfListed,
  ownerOfPrivate,
  ownerOfPublic,
  readingMembers,
} from '../../operations/access.ts';
import {
  byAnyone,
  byOwner,
  callAfter,
  nowhere,
  onId,
  onMissing,
  refusedTo,
  versionedAck,
} from '../../operations/inputs.ts';
import type {
  Answers,
  BuildInput,
  CaseSetup,
  ErrorCases,
  MakeCall,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import { issueEarned } from '../credits/setup.ts';
import { rightWork, taskHelpers } from './setup.ts';
import {
  callAs,
  callMissing,
  cancelTask,
  flagSynthetic,
  onAssignment,
  onOwnersEvidence,
  onTask,
  perTask,
} from './task-situations.ts';

const byMember =
  (input: BuildInput): MakeCall =>
  async (setup) => ({
    input: await input(setup),
    as: { key: await setup.f.getKeyWithScope(setup.fixture.member, 'credits') },
    other: await input(setup),
  });
const byHolder = (input: BuildInput) => byOwner(input, input, 'credits');

const firstVersion = { expectedVersion: 1 };
const work = { ...rightWork, ...firstVersion };
const evidence = { expectedVersion: 2, kind: 'statement', text: 'So.' };
const calls = {
  takeAssignment: byMember(onTask()),
  submitWork: byMember(onAssignment('taken', 'public', work)),
  abandonAssignment: byMember(onAssignment('taken', 'public', firstVersion)),
  addAssignmentEvidence: byHolder(onAssignment('submitted', 'public', evidence)),
  withdrawAssignmentEvidence: byHolder(onOwnersEvidence()),
};

const callOtherVersion = (call: MakeCall) =>
  callAfter(call, null, ({ body = {} }) => ({
    body: { ...(body as object), expectedVersion: 9 },
  }));
const post = ({ f }: CaseSetup, path: string, key: string, body?: object) =>
  f.ok('POST', `/api/v1/${path}`, { key, ...(body && { body }) });
const abandonAssignment = (setup: CaseSetup, id: string, key: string) =>
  post(setup, `assignments/${id}/abandon`, key, firstVersion);
/** Adds as much evidence as the owner may submit. */
const fillEvidence = ({ app, fixture }: CaseSetup, id: string) =>
  app.app.env.db.run(sql`
    WITH made AS (
      INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
      SELECT gen_random_uuid(), 'evidence', 1, 'submitted', ${fixture.owner.id}, now(), now()
      FROM generate_series(1, 50)
      RETURNING id
    )
    INSERT INTO evidence (id, about_id, submitted_by, created_at)
    SELECT id, ${id}, ${fixture.owner.id}, now()
    FROM made
  `);

/** How a step of an assignment is refused. */
const stepErrors = (call: MakeCall): ErrorCases => ({
  not_found: callMissing(call),
  forbidden: callAs('outsider', call),
  version_conflict: callOtherVersion(call),
  state_conflict: callAfter(call, abandonAssignment, ({ params, body }) => ({
    params,
    body: { ...(body as object), expectedVersion: 2 },
  })),
});

/** What only the member does who took the task. */
const workerOfPublic: Answers = { ...ownerOfPublic, member: 'ok', owner: 'forbidden' };
const workerOfPrivate: Answers = { ...members, owner: 'forbidden' };

/** By an agent that holds as many slots without a submission as it can, about one more task. */
const callByFullHolder: MakeErrorCase = async ({ app, f }) => {
  const w = taskHelpers(app, f);
  const owner = await w.createHolder(5 * (MAX_ASSIGNED + 1));
  const holder = await w.createHolder();
  for (let nr = 0; nr < MAX_ASSIGNED; nr++)
    await w.createAssignment(holder, await w.createTask(owner, { slots: 1 }));
  const id = await w.createTask(owner, { slots: 1 });
  return { input: onId(id), as: { key: holder.key } };
};

export const assignmentCases: OperationCases = {
  takeAssignment: {
    call: calls.takeAssignment,
    errors: {
      not_found: callMissing(calls.takeAssignment),
      not_eligible: callAs('owner', calls.takeAssignment),
      already_exists: callAfter(calls.takeAssignment, (setup, id, key) =>
        post(setup, `tasks/${id}/assignments`, key),
      ),
      state_conflict: callAfter(calls.takeAssignment, cancelTask),
      limit_exceeded: callByFullHolder,
    },
    access: perTask({
      public: { ...agents, owner: 'not_eligible' },
      private: { ...members, owner: 'not_eligible' },
    }),
    ack: versionedAck,
    idempotency: 'required',
  },
  listMyAssignments: {
    call: async ({ f, fixture }) => ({
      input: {},
      as: { key: await f.getKeyWithScope(fixture.member, 'credits') },
    }),
    access: agents,
    list: {
      order: ['createdAt', 'id'],
      arrange: async ({ app, f }) => {
        const w = taskHelpers(app, f);
        const owner = await f.createAgent();
        const ownerKey = await f.getKeyWithScope(owner, 'credits');
        const as = { key: await f.getKeyWithScope(await f.createAgent(), 'credits') };
        return {
          as,
          createRow: async () => {
            await issueEarned(app, availableAccount('earned', owner.id), 1);
            const task = await f.ok('POST', '/api/v1/tasks', {
              key: ownerKey,
              body: w.request({ reward: 1, slots: 1 }),
            });
            await f.ok('POST', `/api/v1/tasks/${task.id}/assignments`, as);
          },
        };
      },
    },
  },
  getAssignment: {
    call: byAnyone(onAssignment('submitted')),
    errors: { not_found: onMissing() },
    access: perTask({ public: everyone, private: readingMembers }, (visibility) =>
      onAssignment('submitted', visibility),
    ),
  },
  submitWork: {
    call: calls.submitWork,
    errors: {
      ...stepErrors(calls.submitWork),
      not_eligible: async (setup) => {
        const w = taskHelpers(setup.app, setup.f);
        const owner = await w.createHolder(5);
        const worker = await w.createHolder();
        const id = await w.createAssignment(worker, await w.createTask(owner, { slots: 1 }));
        await flagSynthetic(setup, worker.id);
        return { input: onId(id, work), as: { key: worker.key } };
      },
    },
    access: perTask({ public: workerOfPublic, private: workerOfPrivate }, (visibility) =>
      onAssignment('taken', visibility, work),
    ),
    ack: versionedAck,
    idempotency: 'required',
  },
  addAssignmentEvidence: {
    call: calls.addAssignmentEvidence,
    errors: {
      ...stepErrors(calls.addAssignmentEvidence),
      state_conflict: refusedTo(
        'owner',
        onAssignment('taken', 'public', { ...evidence, expectedVersion: 1 }),
        'credits',
      ),
      limit_exceeded: callAfter(calls.addAssignmentEvidence, fillEvidence),
    },
    access: perTask({ public: membersOfListed, private: members }, (visibility) =>
      onAssignment('submitted', visibility, evidence),
    ),
    ack: versionedAck,
    idempotency: 'required',
  },
  withdrawAssignmentEvidence: {
    call: calls.withdrawAssignmentEvidence,
    errors: {
      not_found: callAfter(calls.withdrawAssignmentEvidence, null, ({ params }) => ({
        params: { ...params, evidenceId: nowhere },
      })),
      forbidden: callAs('outsider', calls.withdrawAssignmentEvidence),
      version_conflict: callOtherVersion(calls.withdrawAssignmentEvidence),
      state_conflict: async (setup) => {
        const { input, as } = await calls.withdrawAssignmentEvidence(setup);
        const { id, evidenceId } = input.params ?? {};
        const path = `assignments/${id}/evidence/${evidenceId}/withdraw`;
        await post(setup, path, as.key ?? '', { expectedVersion: 1 });
        return { input: { ...input, body: { expectedVersion: 2 } }, as };
      },
    },
    access: perTask({ public: ownerOfPublic, private: ownerOfPrivate }, onOwnersEvidence),
    ack: versionedAck,
    idempotency: 'required',
  },
  abandonAssignment: {
    call: calls.abandonAssignment,
    errors: stepErrors(calls.abandonAssignment),
    access: perTask({ public: workerOfPublic, private: workerOfPrivate }, (visibility) =>
      onAssignment('taken', visibility, firstVersion),
    ),
    ack: versionedAck,
    idempotency: 'required',
  },
};
