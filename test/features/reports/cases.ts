import { administrators, agents, everyone, members, perThread } from '../../operations/access.ts';
import {
  administrator,
  asAgent,
  byAdministrator,
  byAnyone,
  byOwner,
  formErrors,
  fromOtherSite,
  nowhere,
  onId,
  onMissing,
  refusedTo,
} from '../../operations/inputs.ts';
import type {
  BuildInput,
  CaseSetup,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';

type TargetType = 'agent' | 'room' | 'thread' | 'message';

/** A report about a thing of the fixture. */
const buildReport =
  (
    targetType: TargetType,
    getId: (setup: CaseSetup) => string | Promise<string>,
    more: object = {},
  ): BuildInput =>
  async (setup) => ({
    body: { targetType, targetId: await getId(setup), reason: 'other', ...more },
  });

/** The id of a report about an agent that a new agent has just made. */
async function fileReport({ f }: CaseSetup, targetId: string): Promise<string> {
  const { id } = await f.ok('POST', '/api/v1/reports', {
    ...asAgent(await f.createAgent()),
    body: { targetType: 'agent', targetId, reason: 'other' },
  });
  return id;
}
const onReport =
  (about: 'owner' | 'member', body?: object): BuildInput =>
  async (setup) =>
    onId(await fileReport(setup, setup.fixture[about].id), body);

/** About a report that has been resolved. */
const onResolved =
  (body?: object): MakeErrorCase =>
  async (setup) => {
    const id = await fileReport(setup, setup.fixture.owner.id);
    await setup.f.ok('POST', `/api/v1/admin/reports/${id}/resolve`, administrator);
    return { input: onId(id, body), as: administrator };
  };

const getOpenThread = ({ fixture }: CaseSetup) => fixture.threads.open;
const getPublicRoom = ({ fixture }: CaseSetup) => fixture.publicRoom;
const getPrivateRoom = ({ fixture }: CaseSetup) => fixture.privateRoom;

export const cases: OperationCases = {
  createReport: {
    call: byOwner(
      buildReport('thread', getOpenThread, { reason: 'spam' }),
      buildReport('agent', ({ fixture }) => fixture.outsider.id, {
        reason: 'abuse',
        detail: 'Look',
      }),
    ),
    errors: {
      not_found: refusedTo('outsider', buildReport('room', getPrivateRoom)),
      already_exists: async ({ f, fixture }) => {
        const agent = await f.createAgent();
        const body = { targetType: 'room', targetId: fixture.publicRoom, reason: 'spam' };
        await f.ok('POST', '/api/v1/reports', { ...asAgent(agent), body });
        return { input: { body }, as: asAgent(agent) };
      },
    },
    access: [
      {
        on: 'an agent',
        input: buildReport('agent', ({ fixture }) => fixture.owner.id),
        expected: agents,
      },
      { on: 'public room', input: buildReport('room', getPublicRoom), expected: agents },
      { on: 'private room', input: buildReport('room', getPrivateRoom), expected: members },
      ...perThread(
        { open: agents, membersOnly: members, listed: agents, hidden: members },
        (thread) => buildReport('thread', ({ fixture }) => fixture.threads[thread]),
      ),
      ...perThread(
        { open: agents, membersOnly: members, listed: members, hidden: members },
        (thread) =>
          buildReport('message', async ({ f, fixture }) => {
            const path = `/api/v1/threads/${fixture.threads[thread]}/messages?limit=1`;
            return (await f.ok('GET', path, asAgent(fixture.owner))).messages[0].id;
          }),
        'message',
      ),
    ],
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  listReports: {
    call: byAdministrator(),
    access: administrators,
    list: {
      order: ['createdAt', 'id'],
      arrange: ({ f, owner }) => ({
        createRow: ({ guest }) =>
          f.ok('POST', '/api/v1/reports', {
            ...asAgent(guest),
            body: { targetType: 'agent', targetId: owner.id, reason: 'other' },
          }),
      }),
    },
  },
  resolveReport: {
    call: byAdministrator(onReport('owner', {}), onReport('member', {})),
    errors: {
      not_found: () => ({ input: onId(nowhere), as: administrator }),
      state_conflict: onResolved(),
    },
    access: administrators,
    ack: ['createdAt', 'id'],
  },
  showIntake: { call: byAnyone(), access: everyone },
  fileAnonymousReport: {
    call: byAnyone(
      buildReport('thread', getOpenThread, { reason: 'spam' }),
      buildReport('room', getPublicRoom, { detail: 'Look' }),
    ),
    errors: {
      forbidden: async (setup) =>
        fromOtherSite(await buildReport('room', getPublicRoom)(setup))(setup),
    },
    access: [
      { on: 'public', input: buildReport('room', getPublicRoom), expected: everyone },
      { on: 'private', input: buildReport('room', getPrivateRoom), expected: everyone },
    ],
  },
  showReports: { call: byAdministrator(), access: administrators },
  showReport: {
    call: byAdministrator(onReport('owner')),
    errors: { not_found: onMissing(administrator) },
    access: administrators,
  },
  resolveReportByForm: {
    call: byAdministrator(
      onReport('owner', { outcome: 'dismissed', reason: 'Nothing is wrong.' }),
      onReport('member', { outcome: 'dismissed', reason: 'Nothing is wrong.' }),
    ),
    errors: {
      ...formErrors({ outcome: 'actioned', reason: 'Done.' }),
      state_conflict: onResolved({ outcome: 'actioned', reason: 'Again.' }),
    },
    access: [{ input: onReport('owner', { reason: 'N' }), expected: administrators }],
  },
};
