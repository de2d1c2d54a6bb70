import { sql } from '../../../src/db/sql.ts';
import * as fixtures from '../../../src/features/tasks/fixtures/fixtures.store.ts';
import {
  administrators,
  agents,
  askingForOwn,
  everyone,
  ownerOfPrivate,
  ownerOfPublic,
  readingMembers,
} from '../../operations/access.ts';
import {
  anyone,
  byAdministrator,
  byAnyone,
  byOwner,
  callAfter,
  onMissing,
  readFromAudit,
  readFromFirst,
  refusedTo,
} from '../../operations/inputs.ts';
import type { BuildInput, MakeErrorCase, OperationCases } from '../../operations/operation-case.ts';
import { creditHelpers } from '../credits/setup.ts';
import { assignmentCases } from './assignment-cases.ts';
import { taskHelpers } from './setup.ts';
import {
  callAs,
  callMissing,
  cancelTask,
  flagSynthetic,
  onTask,
  perTask,
} from './task-situations.ts';

/** About the first version of a task. */
const onFirstVersion =
  (visibility?: 'public' | 'private'): BuildInput =>
  async (setup) => ({ ...(await onTask(visibility)(setup)), body: { expectedVersion: 1 } });
const callCancelTask = byOwner(onFirstVersion(), onFirstVersion(), 'credits');

/** A task that cannot be created as it is asked for. */
const refusedTask = (more: object): MakeErrorCase =>
  refusedTo('owner', ({ app, f }) => ({ body: taskHelpers(app, f).request(more) }), 'credits');

/** A fixture of the owner. */
const onFixture =
  (name: string): BuildInput =>
  ({ fixture: { owner } }) => ({
    body: { name, owners: [owner.handle], answers: { tests: 'yes' } },
  });

export const cases: OperationCases = {
  ...assignmentCases,
  createTask: {
    call: async ({ app, f, fixture: { owner } }) => {
      const w = taskHelpers(app, f);
      await w.payFromGrant(owner, 20);
      const buildInput = (title: string) => ({ body: w.request({ title, reward: 1 }) });
      return {
        input: buildInput('One'),
        as: { key: await f.getKeyWithScope(owner, 'credits') },
        other: buildInput('Another'),
      };
    },
    errors: {
      not_found: refusedTask({ subject: { agent: 'nobody-at-all' } }),
      insufficient_funds: refusedTask({ reward: 1_000_000 }),
      not_eligible: async (setup) => {
        const w = taskHelpers(setup.app, setup.f);
        const { id, key } = await w.createHolder();
        await flagSynthetic(setup, id);
        return { input: { body: w.request() }, as: { key } };
      },
      limit_exceeded: async ({ app, f }) => {
        const w = taskHelpers(app, f);
        await app.app.env.db.run(sql`UPDATE subsidies SET expires_at = created_at`);
        await w.subsidy(50, { perTask: 4 });
        return {
          input: { body: w.request({ fundingUnit: 'trial' }) },
          as: { key: (await w.createEnrolled()).key },
        };
      },
    },
    access: [
      {
        // Each caller can pay for a task of its own.
        input: async ({ app, f, fixture, caller }) => {
          if (caller in fixture && caller !== 'blocked')
            await creditHelpers(app, f).payFromGrant(fixture[caller as 'owner'], 10);
          return { body: taskHelpers(app, f).request() };
        },
        expected: agents,
      },
    ],
    ack: ['createdAt', 'id', 'receiptId', 'state'],
    idempotency: 'required',
    names: { title: readFromFirst('title', '/api/v1/tasks') },
  },
  listTasks: {
    call: byAnyone(),
    errors: { unauthenticated: () => ({ input: { query: { mine: 'owned' } }, as: anyone }) },
    access: [
      { input: () => ({}), expected: everyone },
      {
        on: 'of its own',
        input: () => ({ query: { mine: 'owned' } }),
        expected: askingForOwn,
      },
    ],
    list: {
      order: ['createdAt', 'id'],
      // Its rows are those that listMyAssignments takes.
      arrange: () => ({ count: (turns) => turns }),
    },
  },
  getTask: {
    call: byAnyone(onTask()),
    errors: { not_found: onMissing() },
    access: perTask({ public: everyone, private: readingMembers }),
  },
  cancelTask: {
    call: callCancelTask,
    errors: {
      not_found: callMissing(callCancelTask),
      forbidden: callAs('outsider', callCancelTask),
      version_conflict: callAfter(callCancelTask, null, () => ({ body: { expectedVersion: 9 } })),
      state_conflict: callAfter(callCancelTask, cancelTask, () => ({
        body: { expectedVersion: 2 },
      })),
    },
    access: perTask({ public: ownerOfPublic, private: ownerOfPrivate }, onFirstVersion),
    ack: ['createdAt', 'id', 'state'],
    idempotency: 'required',
  },
  createFixture: {
    call: byAdministrator(onFixture('One'), onFixture('Another')),
    errors: {
      not_found: async () => ({
        input: { body: { name: 'F', owners: ['nobody-at-all'], answers: { tests: 'yes' } } },
        as: { admin: true },
      }),
    },
    access: administrators,
    ack: ['answersSha256', 'createdAt', 'id'],
    idempotency: 'required',
    names: { name: readFromAudit('name') },
  },
  listFixtures: {
    call: byAdministrator(),
    access: administrators,
    list: {
      order: ['createdAt', 'id'],
      // Not by the operation, whose entries in the audit would lengthen that list.
      arrange: ({ app }) => ({
        createRow: () =>
          app.app.env.db.transaction(async (tx) =>
            fixtures.insert(tx, {
              id: app.app.env.newId(),
              name: 'F',
              answers: { tests: 'yes' },
              salt: '0'.repeat(64),
              sha256: Buffer.alloc(32),
              ownerIds: [],
              now: new Date(app.clock()).toISOString(),
            }),
          ),
      }),
    },
  },
  showTasks: { call: byAnyone(), access: everyone },
  showTask: {
    call: byAnyone(onTask()),
    errors: { not_found: onMissing() },
    access: perTask({ public: everyone, private: readingMembers }),
  },
};
