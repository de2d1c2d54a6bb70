import { sql } from '../../../src/db/sql.ts';
import { administrators } from '../../operations/access.ts';
import {
  administrator,
  byAdministrator,
  formErrors,
  nowhere,
  onAgent,
  onId,
  onMissing,
  onThread,
} from '../../operations/inputs.ts';
import type { BuildInput, OperationCases } from '../../operations/operation-case.ts';

/** About a new message of the owner. */
const onNewMessage =
  (body?: object): BuildInput =>
  async ({ f, fixture: { owner, threads } }) =>
    onId((await f.postMessage(owner, threads.open, 'To be deleted')).id, body);

/** About a new file of the owner. */
const onNewFile: BuildInput = async ({ f, fixture: { owner, threads } }) => {
  const { id } = await f.postMessage(owner, threads.open, 'With a file');
  return onId((await f.attachFile(owner, id)).id);
};

/** About a new thread of the owner. */
const onNewThread =
  (body?: object): BuildInput =>
  async ({ f, fixture: { owner, publicRoom } }) =>
    onId(await f.createThread(owner, publicRoom), body);

/** About an agent that nobody else uses, because its keys end. */
const onNewAgent =
  (body: object): BuildInput =>
  async ({ f }) =>
    onId((await f.createAgent()).id, body);

const reason = { reason: 'It names a person.' };

/** A new room of the owner, which goes to the member: the rooms of the fixture keep theirs. */
const onNewRoom: BuildInput = async ({ f, fixture: { owner, member } }) =>
  onId(await f.createRoom(owner), { agentId: member.id, ...reason });

export const cases: OperationCases = {
  blockAgent: {
    call: byAdministrator(
      onAgent('member', { blocked: true }),
      onAgent('member', { blocked: false }),
    ),
    errors: { not_found: onMissing(administrator, { blocked: true }) },
    // Nobody is blocked, so that the callers after the administrator are who they were.
    access: [{ input: onAgent('outsider', { blocked: false }), expected: administrators }],
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  flagSynthetic: {
    call: byAdministrator(
      onAgent('member', { synthetic: true }),
      onAgent('member', { synthetic: false }),
    ),
    errors: { not_found: onMissing(administrator, { synthetic: true }) },
    access: [{ input: onAgent('outsider', { synthetic: false }), expected: administrators }],
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  recoverAgent: {
    call: byAdministrator(onNewAgent(reason), onNewAgent(reason)),
    errors: { not_found: onMissing(administrator, reason) },
    access: [{ input: onNewAgent(reason), expected: administrators }],
    ack: ['agent', 'apiKey', 'createdAt', 'keyId', 'scopes'],
  },
  handOverRoom: {
    call: byAdministrator(onNewRoom, onNewRoom),
    errors: {
      not_found: ({ fixture: { member } }) => ({
        input: onId(nowhere, { agentId: member.id, ...reason }),
        as: administrator,
      }),
      state_conflict: ({ fixture: { blocked, publicRoom } }) => ({
        input: onId(publicRoom, { agentId: blocked.id, ...reason }),
        as: administrator,
      }),
    },
    access: [
      {
        input: onNewRoom,
        expected: administrators,
      },
    ],
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  blankRoom: {
    call: byAdministrator(
      ({ fixture }) => onId(fixture.publicRoom),
      ({ fixture }) => onId(fixture.privateRoom),
    ),
    errors: { not_found: onMissing(administrator) },
    access: [{ on: 'public room', expected: administrators }],
    ack: ['id'],
    spoilsFixture: true,
  },
  blankProfile: {
    call: byAdministrator(onAgent('member'), onAgent('outsider')),
    errors: { not_found: onMissing(administrator) },
    access: administrators,
    ack: ['id'],
    spoilsFixture: true,
  },
  deleteMessage: {
    call: byAdministrator(onNewMessage(), onNewMessage()),
    errors: { not_found: onMissing(administrator) },
    access: [{ on: 'public thread', expected: administrators }],
    ack: ['id'],
  },
  deleteThread: {
    call: byAdministrator(onNewThread(), onNewThread()),
    errors: { not_found: onMissing(administrator) },
    access: [
      { on: 'public thread', input: onThread('open'), expected: administrators },
      {
        on: 'private thread, private room',
        input: onThread('hidden'),
        expected: administrators,
      },
    ],
    ack: ['id'],
    spoilsFixture: true,
  },
  deleteSummary: {
    call: byAdministrator(onNewThread(), onNewThread()),
    errors: { not_found: onMissing(administrator) },
    access: administrators,
    ack: ['id'],
  },
  deleteFile: {
    call: byAdministrator(onNewFile, onNewFile),
    errors: { not_found: onMissing(administrator) },
    access: administrators,
    ack: ['id'],
  },
  listAudit: {
    call: byAdministrator(),
    access: administrators,
    list: {
      order: ['createdAt', 'id'],
      arrange: ({ app, f }) => ({
        createRow: ({ guest }) =>
          f.ok('PUT', `/api/v1/admin/agents/${guest.id}/block`, {
            ...administrator,
            body: { blocked: false },
          }),
        // Other lists have administrators act too.
        count: async () =>
          (await app.app.env.db.first<{ n: number }>(sql`SELECT count(*) AS n FROM audit_log`))
            ?.n ?? 0,
      }),
    },
  },
  showAudit: { call: byAdministrator(), access: administrators },
  showBlocking: {
    call: byAdministrator(onAgent('member')),
    errors: { not_found: onMissing(administrator) },
    access: administrators,
  },
  blockAgentByForm: {
    call: byAdministrator(
      onAgent('member', { blocked: 'true', reason: 'It floods.' }),
      onAgent('member', { blocked: 'false', reason: 'It stopped.' }),
    ),
    errors: formErrors({ blocked: 'true', reason: 'So.' }),
    access: [
      { input: onAgent('outsider', { blocked: 'false', reason: 'R' }), expected: administrators },
    ],
    spoilsFixture: true,
  },
  showMessageDeletion: {
    call: byAdministrator(onNewMessage()),
    errors: { not_found: onMissing(administrator) },
    access: administrators,
  },
  deleteMessageByForm: {
    call: byAdministrator(onNewMessage(reason), onNewMessage(reason)),
    errors: formErrors(reason),
    access: administrators,
  },
  showThreadDeletion: {
    call: byAdministrator(onThread('open')),
    errors: { not_found: onMissing(administrator) },
    access: administrators,
  },
  deleteThreadByForm: {
    call: byAdministrator(onNewThread(reason), onNewThread(reason)),
    errors: formErrors(reason),
    access: administrators,
    spoilsFixture: true,
  },
};
