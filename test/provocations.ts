import { sql } from '../src/db/sql.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { adjudicationProvocations } from './adjudication-provocations.ts';
import type { TestApp } from './support/app.ts';
import { campaignProvocations } from './campaign-provocations.ts';
import { creditProvocations } from './credit-provocations.ts';
import { contextKey, type factories, type RequestOptions, type TestAgent } from './support/factories.ts';
import { pageProvocations, unfitForPages } from './page-provocations.ts';
import { CLOSED, HOOK } from './features/webhooks/receiver.ts';
import { recordProvocations } from './record-provocations.ts';
import { reputationProvocations } from './reputation.ts';
import { researchProvocations } from './research-calls.ts';
import { taskProvocations } from './task-provocations.ts';
import type { Input, World } from './operations/fixture.ts';

/** A situation in which an operation must answer with a code that it declares, and the call that shows it. */
export interface Provocation {
  readonly input: Input;
  readonly as: RequestOptions;
  /** Of another node, where it takes other settings. */
  readonly url?: string;
}

export interface Scene {
  readonly app: TestApp;
  readonly f: ReturnType<typeof factories>;
  /** Only refused calls are made in it, beside what a provocation prepares with agents of its own. */
  readonly world: World;
}

export type Provoke = (scene: Scene) => Provocation | Promise<Provocation>;

const by = ({ key }: { readonly key: string }): RequestOptions => ({ key });
const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const admin = { admin: true };
const start = { title: 'T', body: 'B' };
const activate = (...capabilities: string[]) => ({
  body: { capabilities, consent: 'service-upgrade/1' },
});

/** An agent with a further key: of its scopes, `credentials` is active, and revoked again at will. */
async function withKey(
  { f }: Scene,
  scopes: readonly string[],
  revoke = false,
): Promise<TestAgent & { further: string }> {
  const agent = await f.agent();
  if (scopes.includes('credentials')) await f.grant(agent, 'credentials');
  const { apiKey } = await f.scopedKey(agent, scopes);
  if (revoke) await f.grant(agent, 'credentials', 'revoked');
  return { ...agent, further: apiKey };
}

const onRoom =
  (
    who: 'owner' | 'member' | 'outsider' | 'removed',
    room: (world: World) => string,
    body?: object,
  ): Provoke =>
  ({ world }) => ({
    input: { params: { id: room(world) }, ...(body && { body }) },
    as: by(world[who]),
  });
const missing = () => nowhere;
const publicRoom = (world: World) => world.publicRoom;

/** The three ways in which a thread may refuse, and the one in which its room may. */
const onThread = (body?: object): Partial<Record<ErrorCode, Provoke>> => {
  const at = (id: (world: World) => string) => onRoom('outsider', id, body);
  return {
    not_found: at(({ threads }) => threads.hidden),
    forbidden: at(({ threads }) => threads.listed),
    gone: async ({ f, world }) => {
      const id = await f.thread(world.owner, world.publicRoom);
      await f.ok('DELETE', `/api/v1/admin/threads/${id}`, admin);
      return { input: { params: { id }, ...(body && { body }) }, as: by(world.member) };
    },
    membership_required: at(({ threads }) => threads.open),
  };
};

/** A message of the owner in one of the threads, with as many files. */
async function messageIn(
  { f, world }: Scene,
  which: keyof World['threads'],
  files = 0,
): Promise<string> {
  const { id } = await f.post(world.owner, world.threads[which], 'See the files');
  for (let file = 0; file < files; file++) await f.attach(world.owner, id);
  return id;
}

const note = { name: 'notes.txt', bytes: 'Some notes.' };

/** A call about a message, by default as its author. */
const attaching =
  (
    which: keyof World['threads'],
    as: (world: World) => TestAgent = ({ owner }) => owner,
    prepare?: (scene: Scene, id: string) => Promise<unknown>,
  ): Provoke =>
  async (scene) => {
    const id = await messageIn(scene, which);
    await prepare?.(scene, id);
    return { input: { params: { id }, file: note }, as: by(as(scene.world)) };
  };

/** A read of a file, as somebody who is no member. */
const reading =
  (
    which: keyof World['threads'],
    prepare?: (scene: Scene, messageId: string) => Promise<unknown>,
    headers = {},
  ): Provoke =>
  async (scene) => {
    const messageId = await messageIn(scene, which);
    const { id } = await scene.f.attach(scene.world.owner, messageId);
    await prepare?.(scene, messageId);
    return { input: { params: { id } }, as: { ...by(scene.world.outsider), headers } };
  };
const deleteMessage = ({ f }: Scene, id: string) =>
  f.ok('DELETE', `/api/v1/admin/messages/${id}`, admin);

const noAgent = (body: object, more = {}): Partial<Record<ErrorCode, Provoke>> => ({
  not_found: () => ({ input: { params: { id: nowhere, ...more }, body }, as: admin }),
});

const onContext = (key: string, body: object, context = contextKey()): Provocation => ({
  input: { params: { key }, body },
  as: { context },
});

/** The receipt of a private post, read with a key that has the scope for it, but of a capability that is in this state. */
const privateReceipt =
  (state: 'revoked' | 'inactive'): Provoke =>
  async (scene) => {
    const { app, f, world } = scene;
    const reader = await withKey(scene, ['credentials'], state === 'revoked');
    await f.invite(world.owner, world.privateRoom, reader);
    if (state === 'inactive')
      await app.app.env.db.run(sql`DELETE FROM capability_states WHERE agent_id = ${reader.id}`);
    return {
      input: {
        params: { id: (await f.post(world.owner, world.threads.hidden, 'Hello')).receiptId },
      },
      as: { key: reader.further },
    };
  };

const ofReceipts: Partial<Record<ErrorCode, Provoke>> = {
  not_found: ({ world }) => ({ input: { params: { id: nowhere } }, as: by(world.owner) }),
  insufficient_scope: async ({ f, world }) => ({
    input: { params: { id: (await f.post(world.owner, world.threads.hidden, 'Hello')).receiptId } },
    as: by(world.member),
  }),
  capability_not_active: privateReceipt('inactive'),
  capability_revoked: privateReceipt('revoked'),
};

/** The same installation, without a capability. */
const withoutResearch = async ({ app }: Pick<Scene, 'app'>): Promise<string> =>
  (await app.another({ RESEARCH_ENABLED: 'off' })).url;

type Provocations = Readonly<Record<string, Partial<Record<ErrorCode, Provoke>>>>;

const ofOperations: Provocations = {
  getMcpRegistryAuth: {
    not_found: async ({ app }) => ({
      input: {},
      as: {},
      url: (await app.another({ MCP_REGISTRY_AUTH: '' })).url,
    }),
  },
  getSecurityText: {
    not_found: async ({ app }) => ({
      input: {},
      as: {},
      url: (await app.another({ SECURITY_CONTACT: '' })).url,
    }),
  },
  getDocument: { not_found: () => ({ input: { params: { name: 'nothing' } }, as: {} }) },
  showDocument: { not_found: () => ({ input: { params: { name: 'nothing' } }, as: {} }) },
  showOperation: { not_found: () => ({ input: { params: { operation: 'nothing' } }, as: {} }) },
  getRoomFeed: { not_found: onRoom('outsider', ({ privateRoom }) => privateRoom) },
  getThreadFeed: onThread(),
  registerAgent: {
    handle_taken: ({ world }) => ({ input: { body: { handle: world.owner.handle } }, as: {} }),
  },
  getAgent: { not_found: () => ({ input: { params: { handle: 'nobody-at-all' } }, as: {} }) },
  createKey: {
    insufficient_scope: async (scene) => ({
      input: { body: { scopes: ['forum'] } },
      as: { key: (await withKey(scene, ['forum'])).further },
    }),
    capability_disabled: async (scene) => ({
      input: { body: { scopes: ['research'] } },
      as: by(scene.world.owner),
      url: await withoutResearch(scene),
    }),
    capability_not_active: async ({ f }) => ({
      input: { body: { scopes: ['credentials'] } },
      as: by(await f.agent()),
    }),
    capability_revoked: async (scene) => ({
      input: { body: { scopes: ['credentials'] } },
      as: by(await withKey(scene, ['credentials'], true)),
    }),
    limit_exceeded: async ({ f }) => {
      const agent = await f.agent();
      for (let keys = 1; keys < 20; keys++) await f.scopedKey(agent, ['forum']);
      return { input: { body: { scopes: ['forum'] } }, as: by(agent) };
    },
  },
  revokeKey: {
    insufficient_scope: async (scene) => ({
      input: { params: { id: nowhere } },
      as: { key: (await withKey(scene, ['forum'])).further },
    }),
    capability_revoked: async (scene) => ({
      input: { params: { id: nowhere } },
      as: { key: (await withKey(scene, ['credentials'], true)).further },
    }),
    not_found: ({ world }) => ({ input: { params: { id: nowhere } }, as: by(world.owner) }),
  },
  activateCapabilities: {
    capability_disabled: async (scene) => ({
      input: activate('credentials', 'research'),
      as: by(scene.world.owner),
      url: await withoutResearch(scene),
    }),
    capability_revoked: async (scene) => ({
      input: activate('credentials'),
      as: by(await withKey(scene, ['credentials'], true)),
    }),
    insufficient_scope: async (scene) => ({
      input: activate('credentials'),
      as: { key: (await withKey(scene, ['forum'])).further },
    }),
  },
  grantCapability: noAgent({ state: 'active' }, { capability: 'credentials' }),
  blockAgent: noAgent({ blocked: true }),
  flagSynthetic: noAgent({ synthetic: true }),
  createReport: {
    not_found: ({ world }) => ({
      input: { body: { targetType: 'room', targetId: world.privateRoom, reason: 'spam' } },
      as: by(world.outsider),
    }),
    already_exists: async ({ f, world }) => {
      const [agent, body] = [
        await f.agent(),
        { targetType: 'room', targetId: world.publicRoom, reason: 'spam' },
      ];
      await f.ok('POST', '/api/v1/reports', { ...by(agent), body });
      return { input: { body }, as: by(agent) };
    },
  },
  resolveReport: {
    not_found: () => ({ input: { params: { id: nowhere } }, as: admin }),
    state_conflict: async ({ f, world }) => {
      const body = { targetType: 'room', targetId: world.publicRoom, reason: 'spam' };
      const { id } = await f.ok('POST', '/api/v1/reports', { ...by(await f.agent()), body });
      await f.ok('POST', `/api/v1/admin/reports/${id}/resolve`, admin);
      return { input: { params: { id } }, as: admin };
    },
  },
  fileAnonymousReport: {
    forbidden: ({ world }) => ({
      input: { body: { targetType: 'room', targetId: world.publicRoom, reason: 'spam' } },
      as: { headers: { 'sec-fetch-site': 'cross-site' } },
    }),
  },
  putWebhook: {
    invalid_webhook_url: ({ world }) => ({
      input: { body: { ...HOOK, url: 'https://localhost/' } },
      as: by(world.owner),
    }),
    invalid_webhook_secret: ({ world }) => ({
      input: { body: { ...HOOK, secret: 'short' } },
      as: by(world.owner),
    }),
  },
  verifyWebhook: {
    not_found: async ({ f }) => ({ input: {}, as: by(await f.agent()) }),
    credential_unavailable: async (scene) => {
      const agent = await withKey(scene, ['forum']);
      await scene.f.ok('PUT', '/api/v1/me/webhook', { key: agent.further, body: HOOK });
      await scene.f.ok('DELETE', '/api/v1/me/keys/current', { key: agent.further });
      return { input: {}, as: by(agent) };
    },
    webhook_verification_failed: async ({ f }) => {
      const agent = await f.agent();
      await f.ok('PUT', '/api/v1/me/webhook', { ...by(agent), body: { ...HOOK, url: CLOSED } });
      return { input: {}, as: by(agent) };
    },
  },
  deleteMessage: { not_found: () => ({ input: { params: { id: nowhere } }, as: admin }) },
  deleteThread: { not_found: () => ({ input: { params: { id: nowhere } }, as: admin }) },
  getRoom: { not_found: onRoom('outsider', ({ privateRoom }) => privateRoom) },
  joinRoom: {
    not_found: onRoom('outsider', missing),
    removed_from_room: onRoom('removed', publicRoom),
  },
  listMembers: { not_found: onRoom('outsider', missing) },
  exportRoom: {
    not_found: onRoom('outsider', ({ privateRoom }) => privateRoom),
    membership_required: onRoom('outsider', publicRoom),
  },
  removeMember: {
    not_found: ({ world }) => ({
      input: { params: { id: world.publicRoom, memberId: world.outsider.id } },
      as: by(world.owner),
    }),
    forbidden: ({ world }) => ({
      input: { params: { id: world.publicRoom, memberId: world.owner.id } },
      as: by(world.member),
    }),
    state_conflict: ({ world }) => ({
      input: { params: { id: world.publicRoom, memberId: world.owner.id } },
      as: by(world.owner),
    }),
  },
  createInvitation: {
    not_found: onRoom('outsider', missing),
    forbidden: onRoom('member', publicRoom),
  },
  revokeInvitation: {
    not_found: ({ world }) => ({
      input: { params: { id: world.publicRoom, invitationId: nowhere } },
      as: by(world.owner),
    }),
    forbidden: ({ world }) => ({
      input: { params: { id: world.publicRoom, invitationId: nowhere } },
      as: by(world.member),
    }),
    state_conflict: async ({ f, world }) => {
      const { id, token } = await f.ok(
        'POST',
        `/api/v1/rooms/${world.publicRoom}/invitations`,
        by(world.owner),
      );
      await f.ok('POST', '/api/v1/invitations/accept', { ...by(await f.agent()), body: { token } });
      return { input: { params: { id: world.publicRoom, invitationId: id } }, as: by(world.owner) };
    },
  },
  acceptInvitation: {
    not_found: ({ world }) => ({
      input: { body: { token: 'stoa_inv_nothing' } },
      as: by(world.outsider),
    }),
    gone: async ({ f, world }) => {
      const { id, token } = await f.ok(
        'POST',
        `/api/v1/rooms/${world.publicRoom}/invitations`,
        by(world.owner),
      );
      await f.ok('DELETE', `/api/v1/rooms/${world.publicRoom}/invitations/${id}`, by(world.owner));
      return { input: { body: { token } }, as: by(world.outsider) };
    },
  },
  createThread: {
    not_found: onRoom('outsider', missing, start),
    membership_required: onRoom('outsider', publicRoom, start),
  },
  getThread: onThread(),
  getThreadMarkdown: onThread(),
  setSummary: onThread({ summary: 'S' }),
  subscribeThread: onThread(),
  unsubscribeThread: onThread(),
  listMessages: onThread(),
  postMessage: onThread({ body: 'B' }),
  attachFile: {
    not_found: attaching('hidden', ({ outsider }) => outsider),
    forbidden: attaching('open', ({ member }) => member),
    gone: attaching('open', undefined, deleteMessage),
    membership_required: async ({ f, world }) => {
      const leaver = await f.agent();
      await f.join(leaver, world.publicRoom);
      const { id } = await f.post(leaver, world.threads.open, 'Bye');
      await f.ok('DELETE', `/api/v1/rooms/${world.publicRoom}/members/${leaver.id}`, by(leaver));
      return { input: { params: { id }, file: note }, as: by(leaver) };
    },
    state_conflict: attaching('open', undefined, ({ app }, id) =>
      app.app.env.db.run(
        sql`UPDATE messages SET created_at = created_at - interval '25 hours' WHERE id = ${id}`,
      ),
    ),
    limit_exceeded: async (scene) => ({
      input: { params: { id: await messageIn(scene, 'open', 10) }, file: note },
      as: by(scene.world.owner),
    }),
    payload_too_large: async (scene) => ({
      input: {
        params: { id: await messageIn(scene, 'open') },
        file: { ...note, bytes: new Uint8Array(10 * 1024 * 1024 + 1) },
      },
      as: by(scene.world.owner),
    }),
  },
  getFile: {
    not_found: reading('hidden'),
    forbidden: reading('listed'),
    gone: reading('open', deleteMessage),
    range_not_satisfiable: reading('open', undefined, { range: 'bytes=1000-' }),
  },
  downloadFile: {
    not_found: reading('hidden'),
    forbidden: reading('listed'),
    gone: reading('open', deleteMessage),
    range_not_satisfiable: reading('open', undefined, { range: 'bytes=1000-' }),
  },
  getLogTile: { not_found: () => ({ input: { params: { level: '0', index: '999' } }, as: {} }) },
  getReceipt: ofReceipts,
  getReceiptDocument: ofReceipts,
  showReceipt: ofReceipts,
  readGuestContext: {
    not_found: () => ({ input: { params: { key: 'nothing' } }, as: { context: contextKey() } }),
  },
  writeGuestContext: {
    version_conflict: () => onContext('notes', { value: 1, expectedVersion: 1 }),
    limit_exceeded: () => onContext('notes', { value: 'x'.repeat(65_536) }),
  },
  deleteGuestContext: {
    not_found: () => onContext('nothing', {}),
    version_conflict: async ({ f }) => {
      const context = contextKey();
      await f.ok('PUT', '/api/v1/guest-context/notes', { context, body: { value: 1 } });
      return onContext('notes', { expectedVersion: 2 }, context);
    },
  },
  ...recordProvocations,
  ...pageProvocations,
  showThread: onThread(),
  ...adjudicationProvocations,
  ...reputationProvocations,
  ...creditProvocations,
  ...taskProvocations,
  ...campaignProvocations,
  ...researchProvocations,
};

/** By operation and code: what no rule of the pipeline brings about. */
export const provocations: Provocations = Object.fromEntries(
  [...new Set([...Object.keys(unfitForPages), ...Object.keys(ofOperations)])].map((name) => [
    name,
    { ...unfitForPages[name], ...ofOperations[name] },
  ]),
);
