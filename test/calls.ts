import { adjudicationCalls } from './adjudication-calls.ts';
import { campaignCalls } from './campaign-calls.ts';
import { creditCalls } from './credit-calls.ts';
import { contextKey, type factories, type RequestOptions, until } from './support/factories.ts';
import { pageCalls } from './page-calls.ts';
import { HOOK } from './features/webhooks/receiver.ts';
import { recordCalls } from './record-calls.ts';
import { reputationCalls } from './reputation.ts';
import { researchCalls } from './research-calls.ts';
import { taskCalls } from './task-calls.ts';
import type { Input, World } from './operations/fixture.ts';

/** A call that succeeds: its input, who makes it, and another input that the operation would take as well (null: it has none). */
export interface ValidCall {
  readonly input: Input;
  readonly as: RequestOptions;
  readonly other?: Input | null;
}

export type Make = (
  world: World,
  f: ReturnType<typeof factories>,
) => ValidCall | Promise<ValidCall>;

let count = 0;
const fresh = (word: string) => `${word}-${++count}`;

const anyone = {};
const by = ({ key }: { readonly key: string }): RequestOptions => ({ key });
const administrator = { admin: true } as const;
const inRoom = (world: World, body?: object): Input => ({
  params: { id: world.publicRoom },
  ...(body && { body }),
});
const inThread = (world: World, body?: object): Input => ({
  params: { id: world.threads.open },
  ...(body && { body }),
});

const forOwner =
  (input: (world: World) => Input, other: (world: World) => Input | null = () => null): Make =>
  (world) => ({ input: input(world), as: by(world.owner), other: other(world) });
const forAnyone =
  (input: (world: World) => Input = () => ({})): Make =>
  (world) => ({ input: input(world), as: anyone });
const forAdministrator =
  (body: object, otherBody: object, more: Record<string, string> = {}): Make =>
  ({ member }) => ({
    input: { params: { id: member.id, ...more }, body },
    as: administrator,
    other: { params: { id: member.id, ...more }, body: otherBody },
  });

const receipt: Make = async ({ owner, threads }, f) => ({
  input: { params: { id: (await f.post(owner, threads.open, 'Hello')).receiptId } },
  as: anyone,
});

const consent = 'service-upgrade/1';

/** One for each operation of the registry. */
const calls: Readonly<Record<string, Make>> = {
  getVersion: forAnyone(),
  getCapabilities: forAnyone(),
  getManifest: forAnyone(),
  getMcpRegistryAuth: forAnyone(),
  getStats: forAnyone(),
  getRobots: forAnyone(),
  getSecurityText: forAnyone(),
  getIcon: forAnyone(),
  getSitemap: forAnyone(),
  getLlmsText: forAnyone(),
  getDocument: forAnyone(() => ({ params: { name: 'quickstart' } })),
  getExportSchema: forAnyone(),
  showStart: forAnyone(),
  showDocuments: forAnyone(),
  showDocument: forAnyone(() => ({ params: { name: 'errors' } })),
  showApi: forAnyone(),
  showOperation: forAnyone(() => ({ params: { operation: 'createThread' } })),
  getRoomFeed: forAnyone(inRoom),
  getThreadFeed: forAnyone(inThread),
  search: forAnyone(() => ({ query: { q: 'hello' } })),
  registerAgent: () => ({
    input: { body: { handle: fresh('new') } },
    as: anyone,
    other: { body: { handle: fresh('other') } },
  }),
  listAgents: forAnyone(),
  getAgent: forAnyone(({ owner }) => ({ params: { handle: owner.handle } })),
  getMe: forOwner(() => ({})),
  updateProfile: forOwner(
    () => ({ body: { displayName: 'Somebody' } }),
    () => ({ body: { displayName: 'Somebody else' } }),
  ),
  rotateKey: forOwner(() => ({})),
  revokeCurrentKey: forOwner(() => ({})),
  listKeys: forOwner(() => ({})),
  createKey: forOwner(
    () => ({ body: { scopes: ['forum'], label: 'one' } }),
    () => ({ body: { scopes: ['forum'], label: 'another' } }),
  ),
  revokeKey: async (_, f) => {
    const agent = await f.agent();
    const [{ id }, { id: another }] = [
      await f.scopedKey(agent, ['forum']),
      await f.scopedKey(agent, ['forum']),
    ];
    return { input: { params: { id } }, as: by(agent), other: { params: { id: another } } };
  },
  listMyCapabilities: forOwner(() => ({})),
  activateCapabilities: forOwner(
    () => ({ body: { capabilities: ['credentials'], consent } }),
    () => ({ body: { capabilities: ['research'], consent } }),
  ),
  grantCapability: forAdministrator(
    { state: 'active' },
    { state: 'revoked' },
    { capability: 'credentials' },
  ),
  blockAgent: forAdministrator({ blocked: true }, { blocked: false }),
  flagSynthetic: forAdministrator({ synthetic: true }, { synthetic: false }),
  listRooms: forAnyone(),
  createRoom: forOwner(
    () => ({ body: { name: 'One room' } }),
    () => ({ body: { name: 'Another room' } }),
  ),
  getRoom: forAnyone(inRoom),
  joinRoom: (world) => ({
    input: inRoom(world),
    as: by(world.outsider),
    other: { params: { id: world.privateRoom } },
  }),
  listMembers: forOwner(inRoom),
  exportRoom: forOwner(inRoom),
  removeMember: ({ publicRoom, privateRoom, owner, member }) => {
    const at = (id: string): Input => ({ params: { id, memberId: member.id } });
    return { input: at(publicRoom), as: by(owner), other: at(privateRoom) };
  },
  createInvitation: forOwner(
    (world) => inRoom(world, { expiresInSeconds: 60 }),
    (world) => inRoom(world, { expiresInSeconds: 61 }),
  ),
  revokeInvitation: async ({ owner, publicRoom }, f) => {
    const invite = async (): Promise<Input> => {
      const { id } = await f.ok('POST', `/api/v1/rooms/${publicRoom}/invitations`, by(owner));
      return { params: { id: publicRoom, invitationId: id } };
    };
    return { input: await invite(), as: by(owner), other: await invite() };
  },
  acceptInvitation: async ({ owner, outsider, publicRoom }, f) => {
    const invite = async (): Promise<Input> => ({
      body: {
        token: (await f.ok('POST', `/api/v1/rooms/${publicRoom}/invitations`, by(owner))).token,
      },
    });
    return { input: await invite(), as: by(outsider), other: await invite() };
  },
  listThreads: forAnyone(),
  createThread: forOwner(
    (world) => inRoom(world, { title: 'T', body: 'B' }),
    (world) => inRoom(world, { title: 'U', body: 'B' }),
  ),
  getThread: forAnyone(inThread),
  getThreadMarkdown: forAnyone(inThread),
  setSummary: forOwner(
    (world) => inThread(world, { summary: 'So' }),
    (world) => inThread(world, { summary: 'Or so' }),
  ),
  subscribeThread: forOwner(inThread, ({ threads }) => ({ params: { id: threads.hidden } })),
  unsubscribeThread: forOwner(inThread, ({ threads }) => ({ params: { id: threads.hidden } })),
  listMessages: forAnyone(inThread),
  postMessage: forOwner(
    (world) => inThread(world, { body: `Hello @${world.member.handle}` }),
    (world) => inThread(world, { body: 'Hello, everybody' }),
  ),
  attachFile: async ({ owner, threads }, f) => {
    const { id } = await f.post(owner, threads.open, 'See the file');
    const named = (name: string): Input => ({
      params: { id },
      file: { name, bytes: 'Some notes.', type: 'text/plain' },
    });
    return { input: named('notes.txt'), as: by(owner), other: named('other.txt') };
  },
  getFile: async ({ owner, threads }, f) => {
    const { id } = await f.post(owner, threads.open, 'See the file');
    return { input: { params: { id: (await f.attach(owner, id)).id } }, as: anyone };
  },
  downloadFile: async ({ owner, threads }, f) => {
    const { id } = await f.post(owner, threads.open, 'See the file');
    return { input: { params: { id: (await f.attach(owner, id)).id } }, as: anyone };
  },
  getCheckpoint: forAnyone(),
  getLogKey: forAnyone(),
  showLog: forAnyone(),
  getLogTile: async (_, f) => {
    await until(
      'an act has its place in the log',
      async () => (await f.send('GET', '/log/tile/0/000.p/1')).status === 200,
    );
    return { input: { params: { level: '0', index: '000.p/1' } }, as: anyone };
  },
  getReceipt: receipt,
  getReceiptDocument: receipt,
  showReceipt: receipt,
  listMyReceipts: forOwner(() => ({})),
  getSigningKeys: forAnyone(),
  getVerifier: forAnyone(),
  ...creditCalls,
  ...taskCalls,
  ...campaignCalls,
  ...researchCalls,
  explainGuestContext: forAnyone(),
  readGuestContext: async (_, f) => {
    const context = contextKey();
    await f.ok('PUT', '/api/v1/guest-context/notes', { context, body: { value: 1 } });
    return { input: { params: { key: 'notes' } }, as: { context } };
  },
  writeGuestContext: () => {
    const at = (value: unknown): Input => ({ params: { key: 'notes' }, body: { value } });
    return { input: at(1), as: { context: contextKey() }, other: at(2) };
  },
  deleteGuestContext: async (_, f) => {
    const context = contextKey();
    for (const key of ['one', 'two'])
      await f.ok('PUT', `/api/v1/guest-context/${key}`, { context, body: { value: key } });
    return {
      input: { params: { key: 'one' }, body: {} },
      as: { context },
      other: { params: { key: 'two' }, body: {} },
    };
  },
  summarizeGuestContexts: () => ({ input: {}, as: administrator }),
  listEvents: forOwner(() => ({})),
  streamEvents: forOwner(() => ({})),
  getWebhook: forOwner(() => ({})),
  putWebhook: forOwner(
    () => ({ body: HOOK }),
    () => ({ body: { ...HOOK, url: `${HOOK.url}/other` } }),
  ),
  deleteWebhook: forOwner(() => ({})),
  verifyWebhook: async ({ owner }, f) => {
    await f.ok('PUT', '/api/v1/me/webhook', { ...by(owner), body: HOOK });
    return { input: {}, as: by(owner), other: null };
  },
  createReport: forOwner(
    ({ threads }) => ({ body: { targetType: 'thread', targetId: threads.open, reason: 'spam' } }),
    ({ outsider }) => ({
      body: { targetType: 'agent', targetId: outsider.id, reason: 'abuse', detail: 'Look' },
    }),
  ),
  listReports: () => ({ input: {}, as: administrator }),
  resolveReport: async ({ owner, member }, f) => {
    const report = async (targetId: string): Promise<Input> => {
      const { id } = await f.ok('POST', '/api/v1/reports', {
        ...by(await f.agent()),
        body: { targetType: 'agent', targetId, reason: 'other' },
      });
      return { params: { id }, body: {} };
    };
    return { input: await report(owner.id), as: administrator, other: await report(member.id) };
  },
  ...recordCalls,
  ...pageCalls,
  ...adjudicationCalls,
  ...reputationCalls,
  showIntake: forAnyone(),
  fileAnonymousReport: ({ threads, publicRoom }) => ({
    input: { body: { targetType: 'thread', targetId: threads.open, reason: 'spam' } },
    as: anyone,
    other: { body: { targetType: 'room', targetId: publicRoom, reason: 'other', detail: 'Look' } },
  }),
  deleteMessage: async ({ owner, threads }, f) => {
    const post = async (): Promise<Input> => ({
      params: { id: (await f.post(owner, threads.open, 'To be deleted')).id },
    });
    return { input: await post(), as: administrator, other: await post() };
  },
  deleteThread: async ({ owner, publicRoom }, f) => {
    const start = async (): Promise<Input> => ({
      params: { id: await f.thread(owner, publicRoom) },
    });
    return { input: await start(), as: administrator, other: await start() };
  },
  listAudit: () => ({ input: {}, as: administrator }),
};

/** A call of this operation that succeeds in this world. Fails for an operation that nobody gave one: add it above. */
export async function validCall(
  name: string,
  world: World,
  f: ReturnType<typeof factories>,
): Promise<ValidCall> {
  const make = calls[name];
  if (!make) throw new Error(`test/calls.ts has no call of ${name}.`);
  return make(world, f);
}
