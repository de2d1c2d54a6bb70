import { describe, expect, it } from 'vitest';
import { type AnyOperation, isMutation } from '../../src/kernel/operation/any-operation.ts';
import { asked, judges } from '../features/adjudication/setup.ts';
import { startApp } from '../support/app.ts';
import { validCall } from '../calls.ts';
import { purses } from '../features/credits/setup.ts';
import { everythingOn } from '../everything.ts';
import { contextKey, factories, type RequestOptions, until } from '../support/factories.ts';
import { HOOK } from '../features/webhooks/receiver.ts';
import { happened, outside, recorders } from '../features/interactions/setup.ts';
import { evidenceOf, taskOf } from '../task-calls.ts';
import { RIGHT, works } from '../features/tasks/setup.ts';
import {
  ask,
  codeOf,
  createWorld,
  type Input,
  operationOf,
  registry,
  type World,
  worldsOf,
} from './fixture.ts';

const app = await startApp({ ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);

const callers = [
  'anonymous',
  'outsider',
  'member',
  'removed',
  'owner',
  'blocked',
  'administrator',
  'guest',
] as const;
type Caller = (typeof callers)[number];

/** What stands in the table, and the answer that it means. */
const words: Readonly<Record<string, string>> = {
  ok: 'ok',
  key: 'unauthenticated',
  block: 'agent_blocked',
  none: 'not_found',
  join: 'membership_required',
  no: 'forbidden',
  out: 'removed_from_room',
  state: 'state_conflict',
  scope: 'insufficient_scope',
  elig: 'not_eligible',
};

/** The key of the guest's context. */
const GUEST = contextKey();

/** Input of one call; made for each caller anew, because some calls use up what they act on. */
type Make = (world: World, caller: Caller) => Input | Promise<Input>;

const nothing: Make = () => ({});
const room = (place: 'publicRoom' | 'privateRoom', body?: object): Make => {
  return (world) => ({ params: { id: world[place] }, ...(body && { body }) });
};
const thread = (which: keyof World['threads'], body?: object): Make => {
  return ({ threads }) => ({ params: { id: threads[which] }, ...(body && { body }) });
};
const agent = (body: object, more: Record<string, string> = {}): Make => {
  return ({ outsider }) => ({ params: { id: outsider.id, ...more }, body });
};
const invitationOf = (world: World, id: string) =>
  f.ok('POST', `/api/v1/rooms/${id}/invitations`, { key: world.owner.key });
const token: Make = async (world) => ({
  body: { token: (await invitationOf(world, world.privateRoom)).token },
});
const invitation = (place: 'publicRoom' | 'privateRoom'): Make => {
  return async (world) => ({
    params: { id: world[place], invitationId: (await invitationOf(world, world[place])).id },
  });
};
/** A fresh member of the room: whom the owner may remove, and nobody else. */
const guest = (place: 'publicRoom' | 'privateRoom'): Make => {
  return async (world) => {
    const someone = await f.agent();
    await f.invite(world.owner, world[place], someone);
    return { params: { id: world[place], memberId: someone.id } };
  };
};
const oneself = (place: 'publicRoom' | 'privateRoom'): Make => {
  return (world, caller) => ({
    params: { id: world[place], memberId: (world[caller as 'owner'] ?? world.owner).id },
  });
};
/** An entry of the guest's context. */
const entry = (body?: object): Make => {
  return async () => {
    await f.ok('PUT', '/api/v1/guest-context/notes', { context: GUEST, body: { value: 1 } });
    return { params: { key: 'notes' }, ...(body && { body }) };
  };
};
const keyOfOwner: Make = async ({ owner }) => ({
  params: { id: (await f.scopedKey(owner, ['forum'])).id },
});

/** A report about something of this world. */
const report = (targetType: string, idOf: (world: World) => string | Promise<string>): Make => {
  return async (world) => ({ body: { targetType, targetId: await idOf(world), reason: 'other' } });
};
const firstMessageOf = (which: keyof World['threads']) => {
  return async ({ owner, threads }: World): Promise<string> =>
    (await f.ok('GET', `/api/v1/threads/${threads[which]}/messages?limit=1`, { key: owner.key }))
      .messages[0].id;
};
const filed: Make = async (world) => {
  const body = { targetType: 'room', targetId: world.publicRoom, reason: 'other' };
  return {
    params: {
      id: (await f.ok('POST', '/api/v1/reports', { key: (await f.agent()).key, body })).id,
    },
    body: {},
  };
};
const postOfOwner = async (
  { owner, threads }: World,
  which: keyof World['threads'],
): Promise<string> => (await f.post(owner, threads[which], 'See the file')).id;
const receipt = (which: keyof World['threads']): Make => {
  return async ({ owner, threads }) => ({
    params: { id: (await f.post(owner, threads[which], 'Hello')).receiptId },
  });
};
const tile: Make = async () => {
  await until(
    'an act has its place in the log',
    async () => (await f.send('GET', '/log/tile/entries/000.p/1')).status === 200,
  );
  return { params: { level: 'entries', index: '000.p/1' } };
};
const attach = (which: keyof World['threads']): Make => {
  return async (world) => ({
    params: { id: await postOfOwner(world, which) },
    file: { name: 'a.txt', bytes: 'A' },
  });
};
const file = (which: keyof World['threads']): Make => {
  return async (world) => ({
    params: { id: (await f.attach(world.owner, await postOfOwner(world, which))).id },
  });
};
const message: Make = async (world) => ({ params: { id: await firstMessageOf('open')(world) } });

/** An interaction that the owner recorded about the member, with a piece of evidence; and a claim of the owner. */
const interaction = (visibility: 'public' | 'private', body?: object): Make => {
  return async ({ owner, member }) => ({
    params: { id: (await recorders(f).record(owner, { agent: member.handle }, { visibility })).id },
    ...(body && { body }),
  });
};
const evidence = (visibility: 'public' | 'private'): Make => {
  return async ({ owner, member }) => {
    const made = await recorders(f).record(
      owner,
      { agent: member.handle },
      { visibility, evidence: [{ kind: 'statement', text: 'So.' }] },
    );
    return { params: { id: made.evidenceIds[0] }, body: { expectedVersion: 1 } };
  };
};
/** A case about an interaction that the owner recorded about the member; everybody registered long ago. */
const judged: Make = async (world) => {
  const { owner, member, outsider, removed } = world;
  const [j, { id }] = [judges(f), await recorders(f).record(owner, { agent: member.handle })];
  await j.age([owner, member, outsider, removed]);
  return {
    params: { id: (await j.open(await f.agent(), id)).id },
    body: { verdict: 'upheld', rationale: 'So.' },
  };
};
const disputed = (visibility: 'public' | 'private'): Make => {
  return async ({ owner, member }) => ({
    body: asked((await recorders(f).record(owner, { agent: member.handle }, { visibility })).id),
  });
};
/** The case of work that the member did for a private task of the owner. */
const judgedPrivately: Make = async (world) => {
  const { assignmentId } = await taskOf(world, f, 'submitted', {
    visibility: 'private',
    invitees: [world.member.handle],
  });
  const { caseId } = await f.ok('GET', `/api/v1/assignments/${assignmentId}`, {
    key: await f.keyWith(world.member, 'credits'),
  });
  return { params: { id: caseId } };
};
const privately: Make = async ({ owner }) => {
  const { subjectId } = await recorders(f).record(owner, outside(`${count++}.example`, 'domain'), {
    visibility: 'private',
  });
  return { params: { id: subjectId } };
};
const claimed = (body?: object): Make => {
  return async ({ owner }) => ({
    params: { id: (await recorders(f).claim(owner, owner.id)).body.id },
    ...(body && { body }),
  });
};
const statement = { expectedVersion: 1, kind: 'statement', text: 'So.' };

const put: Make = () => ({ body: HOOK });
/** The caller's own webhook, ready to be verified. */
const hook: Make = async (world, caller) => {
  if (caller in world && caller !== 'blocked')
    await f.ok('PUT', '/api/v1/me/webhook', { key: world[caller as 'owner'].key, body: HOOK });
  return {};
};

/** What the valid call of an operation acts on. */
const made = (name: string): Make => {
  return async (world) => (await validCall(name, world, f)).input;
};
/** A task of the owner that the member alone may know of where it is private, and has where it is taken. */
const task = (
  upTo: 'open' | 'taken' | 'submitted',
  on: 'task' | 'assignment',
  isPrivate = false,
  body?: object,
): Make => {
  return async (world) => {
    const { id, assignmentId } = await taskOf(
      world,
      f,
      upTo,
      isPrivate ? { visibility: 'private', invitees: [world.member.handle] } : {},
    );
    return { params: { id: on === 'task' ? id : assignmentId }, ...(body && { body }) };
  };
};
/** Evidence of the owner to what the member did. */
const ownEvidence =
  (isPrivate = false): Make =>
  (world) =>
    evidenceOf(
      world,
      f,
      isPrivate ? { visibility: 'private', invitees: [world.member.handle] } : {},
    );
/** A task of somebody who can pay for it. */
const paying: Make = async (world, caller) => {
  const agent = world[caller as 'owner'];
  if (agent && caller !== 'blocked') await purses(app, f).earn(agent, 10);
  return { body: works(app, f).request() };
};
/** A gift of somebody who has units. */
const richly: Make = async (world, caller) => {
  const agent = world[caller as 'owner'];
  if (agent && caller !== 'blocked') await purses(app, f).earn(agent, 1);
  return { body: { kind: 'gift', amount: 1 } };
};

const post = { body: 'Hello' };
const start = { title: 'T', body: 'B' };
const summary = { summary: 'S' };

/**
 * Who may do what, to which thing. An operation of the registry that is not here fails the test; so does a row that does not
 * cover all callers. A guest is the eighth; where its column is
 * left out, it is anyone. Public room: anyone reads; private room: members; in a private room a public thread is listed only.
 */
const table: readonly (readonly [operation: string, on: string, make: Make, expected: string])[] = [
  //                                                                          anonymous outsider member removed owner blocked administrator
  [
    'getVersion',
    '',
    nothing,
    '                                               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getCapabilities',
    '',
    nothing,
    '                                          ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getManifest',
    '',
    nothing,
    '                                              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getMcpRegistryAuth',
    '',
    nothing,
    '                                       ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getStats',
    '',
    nothing,
    '                                                 ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getRobots',
    '',
    nothing,
    '                                                           ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getSecurityText',
    '',
    nothing,
    '                                                     ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getIcon',
    '',
    nothing,
    '                                                             ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getSitemap',
    '',
    nothing,
    '                                                          ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getLlmsText',
    '',
    nothing,
    '                                                         ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getExportSchema',
    '',
    nothing,
    '                                                     ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showStart',
    '',
    nothing,
    '                                                           ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showDocuments',
    '',
    nothing,
    '                                                       ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showApi',
    '',
    nothing,
    '                                                             ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getDocument',
    '',
    made('getDocument'),
    '                                             ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showDocument',
    '',
    made('showDocument'),
    '                                           ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showOperation',
    '',
    made('showOperation'),
    '                                         ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getRoomFeed',
    'public room',
    room('publicRoom'),
    '                                   ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getRoomFeed',
    'private room',
    room('privateRoom'),
    '                                 none none ok  none ok    none  none',
  ],
  [
    'getThreadFeed',
    'public thread, public room',
    thread('open'),
    '                      ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getThreadFeed',
    'private thread, public room',
    thread('membersOnly'),
    '              none none ok  none ok    none  none',
  ],
  [
    'getThreadFeed',
    'public thread, private room',
    thread('listed'),
    '                   no  no   ok   no   ok    no    no ',
  ],
  [
    'getThreadFeed',
    'private thread, private room',
    thread('hidden'),
    '                  none none ok  none ok    none  none',
  ],
  [
    'search',
    '',
    () => ({ query: { q: 'hello' } }),
    '                         ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'registerAgent',
    '',
    () => ({ body: { handle: `x${++count}` } }),
    '        ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'listAgents',
    '',
    nothing,
    '                                               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getAgent',
    '',
    ({ owner }) => ({ params: { handle: owner.handle } }),
    '   ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getMe',
    '',
    nothing,
    '                                                    key ok   ok   ok   ok    block key',
  ],
  [
    'updateProfile',
    '',
    () => ({ body: {} }),
    '                               key ok   ok   ok   ok    block key',
  ],
  [
    'rotateKey',
    '',
    nothing,
    '                                                key ok   ok   ok   ok    block key',
  ],
  [
    'revokeCurrentKey',
    '',
    nothing,
    '                                         key ok   ok   ok   ok    block key',
  ],
  [
    'listKeys',
    '',
    nothing,
    '                                                 key ok   ok   ok   ok    block key',
  ],
  [
    'createKey',
    '',
    () => ({ body: { scopes: ['forum'] } }),
    '                key ok   ok   ok   ok    block key',
  ],
  [
    'revokeKey',
    'of the owner',
    keyOfOwner,
    '                                 key none none none ok    block key',
  ],
  [
    'listMyCapabilities',
    '',
    nothing,
    '                                       key ok   ok   ok   ok    block key',
  ],
  [
    'activateCapabilities',
    '',
    () => ({ body: consent }),
    '                   key ok   ok   ok   ok    block key',
  ],
  [
    'grantCapability',
    '',
    agent({ state: 'active' }, { capability: 'credentials' }),
    'key key key key key  block ok',
  ],
  [
    'blockAgent',
    '',
    agent({ blocked: false }),
    '                             key key  key  key  key   block ok ',
  ],
  [
    'flagSynthetic',
    '',
    agent({ synthetic: false }),
    '                        key key  key  key  key   block ok ',
  ],
  [
    'listRooms',
    '',
    nothing,
    '                                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'createRoom',
    '',
    () => ({ body: { name: 'R' } }),
    '                       key ok   ok   ok   ok    block key',
  ],
  [
    'getRoom',
    'public room',
    room('publicRoom'),
    '                            ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getRoom',
    'private room',
    room('privateRoom'),
    '                          none none ok  none ok    none  none',
  ],
  [
    'joinRoom',
    'public room',
    room('publicRoom'),
    '                           key ok   ok   out  ok    block key',
  ],
  [
    'joinRoom',
    'private room',
    room('privateRoom'),
    '                         key none ok   none ok    block key',
  ],
  [
    'listMembers',
    'public room',
    room('publicRoom'),
    '                        key ok   ok   ok   ok    block key',
  ],
  [
    'listMembers',
    'private room',
    room('privateRoom'),
    '                      key none ok   none ok    block key',
  ],
  [
    'removeMember',
    'another, public room',
    guest('publicRoom'),
    '             key no   no   no   ok    block key',
  ],
  [
    'removeMember',
    'another, private room',
    guest('privateRoom'),
    '           key none no   none ok    block key',
  ],
  [
    'removeMember',
    'itself, public room',
    oneself('publicRoom'),
    '            key none ok   none state block key',
  ],
  [
    'removeMember',
    'itself, private room',
    oneself('privateRoom'),
    '          key none ok   none state block key',
  ],
  [
    'createInvitation',
    'public room',
    room('publicRoom'),
    '                   key no   no   no   ok    block key',
  ],
  [
    'createInvitation',
    'private room',
    room('privateRoom'),
    '                 key none no   none ok    block key',
  ],
  [
    'revokeInvitation',
    'public room',
    invitation('publicRoom'),
    '             key no   no   no   ok    block key',
  ],
  [
    'revokeInvitation',
    'private room',
    invitation('privateRoom'),
    '           key none no   none ok    block key',
  ],
  [
    'acceptInvitation',
    'private room',
    token,
    '                               key ok   ok   ok   ok    block key',
  ],
  [
    'exportRoom',
    'public room',
    room('publicRoom'),
    '                         key join ok   join ok    block key',
  ],
  [
    'exportRoom',
    'private room',
    room('privateRoom'),
    '                       key none ok   none ok    block key',
  ],
  [
    'listThreads',
    '',
    nothing,
    '                                              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'createThread',
    'public room',
    room('publicRoom', start),
    '                key join ok   join ok    block key',
  ],
  [
    'createThread',
    'private room',
    room('privateRoom', start),
    '              key none ok   none ok    block key',
  ],
  [
    'getThread',
    'public thread, public room',
    thread('open'),
    '               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getThread',
    'private thread, public room',
    thread('membersOnly'),
    '       none none ok  none ok    none  none',
  ],
  [
    'getThread',
    'public thread, private room',
    thread('listed'),
    '            ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getThread',
    'private thread, private room',
    thread('hidden'),
    '           none none ok  none ok    none  none',
  ],
  [
    'getThreadMarkdown',
    'public thread, public room',
    thread('open'),
    '       ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getThreadMarkdown',
    'private thread, public room',
    thread('membersOnly'),
    'none none ok none ok    none  none',
  ],
  [
    'getThreadMarkdown',
    'public thread, private room',
    thread('listed'),
    '    no  no   ok   no   ok    no    no ',
  ],
  [
    'getThreadMarkdown',
    'private thread, private room',
    thread('hidden'),
    '   none none ok  none ok    none  none',
  ],
  [
    'listMessages',
    'public thread, public room',
    thread('open'),
    '            ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'listMessages',
    'private thread, public room',
    thread('membersOnly'),
    '    none none ok  none ok    none  none',
  ],
  [
    'listMessages',
    'public thread, private room',
    thread('listed'),
    '         no  no   ok   no   ok    no    no ',
  ],
  [
    'listMessages',
    'private thread, private room',
    thread('hidden'),
    '        none none ok  none ok    none  none',
  ],
  [
    'postMessage',
    'public thread, public room',
    thread('open', post),
    '       key join ok   join ok    block key',
  ],
  [
    'postMessage',
    'private thread, public room',
    thread('membersOnly', post),
    'key none ok  none ok    block key',
  ],
  [
    'postMessage',
    'public thread, private room',
    thread('listed', post),
    '    key no   ok   no   ok    block key',
  ],
  [
    'postMessage',
    'private thread, private room',
    thread('hidden', post),
    '   key none ok   none ok    block key',
  ],
  [
    'setSummary',
    'public thread, public room',
    thread('open', summary),
    '     key no   no   no   ok    block key',
  ],
  [
    'setSummary',
    'private thread, public room',
    thread('membersOnly', summary),
    'key none no none ok   block key',
  ],
  [
    'setSummary',
    'public thread, private room',
    thread('listed', summary),
    '  key no   no   no   ok    block key',
  ],
  [
    'setSummary',
    'private thread, private room',
    thread('hidden', summary),
    ' key none no   none ok    block key',
  ],
  [
    'attachFile',
    'of the owner, public thread, public room',
    attach('open'),
    '         key no   no no   ok block key',
  ],
  [
    'attachFile',
    'of the owner, private thread, public room',
    attach('membersOnly'),
    ' key none no none ok block key',
  ],
  [
    'attachFile',
    'of the owner, public thread, private room',
    attach('listed'),
    '      key no   no no   ok block key',
  ],
  [
    'attachFile',
    'of the owner, private thread, private room',
    attach('hidden'),
    '     key none no none ok block key',
  ],
  [
    'getFile',
    'public thread, public room',
    file('open'),
    '                   ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getFile',
    'private thread, public room',
    file('membersOnly'),
    '           none none ok  none ok    none  none',
  ],
  [
    'getFile',
    'public thread, private room',
    file('listed'),
    '                no  no   ok   no   ok    no    no ',
  ],
  [
    'getFile',
    'private thread, private room',
    file('hidden'),
    '               none none ok  none ok    none  none',
  ],
  [
    'downloadFile',
    'public thread, public room',
    file('open'),
    '              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'downloadFile',
    'private thread, public room',
    file('membersOnly'),
    '      none none ok  none ok    none  none',
  ],
  [
    'downloadFile',
    'public thread, private room',
    file('listed'),
    '           no  no   ok   no   ok    no    no ',
  ],
  [
    'downloadFile',
    'private thread, private room',
    file('hidden'),
    '          none none ok  none ok    none  none',
  ],
  [
    'subscribeThread',
    'public thread, public room',
    thread('open'),
    '         key ok   ok   ok   ok    block key',
  ],
  [
    'subscribeThread',
    'private thread, public room',
    thread('membersOnly'),
    ' key none ok   none ok    block key',
  ],
  [
    'subscribeThread',
    'public thread, private room',
    thread('listed'),
    '      key no   ok   no   ok    block key',
  ],
  [
    'subscribeThread',
    'private thread, private room',
    thread('hidden'),
    '     key none ok   none ok    block key',
  ],
  [
    'unsubscribeThread',
    'public thread, public room',
    thread('open'),
    '       key ok   ok   ok   ok    block key',
  ],
  [
    'unsubscribeThread',
    'private thread, public room',
    thread('membersOnly'),
    'key none ok  none ok    block key',
  ],
  [
    'unsubscribeThread',
    'public thread, private room',
    thread('listed'),
    '    key no   ok   no   ok    block key',
  ],
  [
    'unsubscribeThread',
    'private thread, private room',
    thread('hidden'),
    '   key none ok   none ok    block key',
  ],
  [
    'getReceipt',
    'public thread, public room',
    receipt('open'),
    '          ok   ok   ok    ok   ok    ok    ok ',
  ],
  [
    'getReceipt',
    'private thread, public room',
    receipt('membersOnly'),
    '  none none scope none scope none  none',
  ],
  [
    'getReceipt',
    'public thread, private room',
    receipt('listed'),
    '       none none scope none scope none  none',
  ],
  [
    'getReceipt',
    'private thread, private room',
    receipt('hidden'),
    '      none none scope none scope none  none',
  ],
  [
    'getReceiptDocument',
    'public thread, public room',
    receipt('open'),
    '          ok   ok   ok    ok   ok    ok    ok ',
  ],
  [
    'getReceiptDocument',
    'private thread, public room',
    receipt('membersOnly'),
    '  none none scope none scope none  none',
  ],
  [
    'getReceiptDocument',
    'public thread, private room',
    receipt('listed'),
    '       none none scope none scope none  none',
  ],
  [
    'getReceiptDocument',
    'private thread, private room',
    receipt('hidden'),
    '      none none scope none scope none  none',
  ],
  [
    'showReceipt',
    'public thread, public room',
    receipt('open'),
    '          ok   ok   ok    ok   ok    ok    ok ',
  ],
  [
    'showReceipt',
    'private thread, public room',
    receipt('membersOnly'),
    '  none none scope none scope none  none',
  ],
  [
    'showReceipt',
    'public thread, private room',
    receipt('listed'),
    '       none none scope none scope none  none',
  ],
  [
    'showReceipt',
    'private thread, private room',
    receipt('hidden'),
    '      none none scope none scope none  none',
  ],
  [
    'listMyReceipts',
    '',
    nothing,
    '                                           key ok   ok   ok   ok    block key',
  ],
  [
    'getSigningKeys',
    '',
    nothing,
    '                                           ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getVerifier',
    '',
    nothing,
    '                                              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getCheckpoint',
    '',
    nothing,
    '                                            ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getLogKey',
    '',
    nothing,
    '                                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showLog',
    '',
    nothing,
    '                                                  ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getLogTile',
    '',
    tile,
    '                                                  ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'enroll',
    '',
    nothing,
    '                                                   key ok   ok   ok   ok    block key',
  ],
  [
    'getEnrollment',
    '',
    nothing,
    '                                            key ok   ok   ok   ok    block key',
  ],
  [
    'getWallet',
    '',
    nothing,
    '                                                key ok   ok   ok   ok    block key',
  ],
  [
    'listWalletEntries',
    '',
    nothing,
    '                                        key ok   ok   ok   ok    block key',
  ],
  [
    'listSubsidies',
    '',
    nothing,
    '                                            ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'createSubsidy',
    '',
    () => ({ body: { name: 'A grant', amount: 1 } }),
    '   key key  key  key  key   block ok ',
  ],
  [
    'compensate',
    '',
    made('compensate'),
    '                                    key key  key  key  key   block ok ',
  ],
  [
    'createOffer',
    '',
    richly,
    '                                               key ok   ok   ok   ok    block key',
  ],
  [
    'listOffers',
    '',
    nothing,
    '                                               key ok   ok   ok   ok    block key',
  ],
  [
    'getOffer',
    'of the owner, for the member',
    made('getOffer'),
    '            key none ok   none ok    block key',
  ],
  [
    'confirmOfferRecipient',
    'of the owner',
    made('confirmOfferRecipient'),
    '  key none none none ok    block key',
  ],
  [
    'acceptOffer',
    'of the owner, for the member',
    made('acceptOffer'),
    '      key none ok   none no    block key',
  ],
  [
    'declineOffer',
    'of the owner, for the member',
    made('declineOffer'),
    '    key none ok   none no    block key',
  ],
  [
    'cancelOffer',
    'of the owner, for the member',
    made('acceptOffer'),
    '      key none no   none ok    block key',
  ],
  [
    'setRoomNotices',
    'public room',
    room('publicRoom', { acceptsNotices: true }),
    '   key no   no no   ok block key',
  ],
  [
    'setRoomNotices',
    'private room',
    room('privateRoom', { acceptsNotices: true }),
    ' key none no none ok block key',
  ],
  [
    'listCampaigns',
    '',
    nothing,
    '                                            ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getCampaign',
    'published',
    made('getCampaign'),
    '                         ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getCampaign',
    'a draft',
    made('prepareCampaign'),
    '                       none none none none none none none',
  ],
  [
    'listCampaignSendings',
    'published',
    made('listCampaignSendings'),
    '       ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'listCampaignSendings',
    'a draft',
    made('prepareCampaign'),
    '              none none none none none none none',
  ],
  [
    'showCampaigns',
    '',
    nothing,
    '                                            ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'createCampaign',
    '',
    made('createCampaign'),
    '                            key key  key  key  key   block ok ',
  ],
  [
    'listAllCampaigns',
    '',
    nothing,
    '                                         key key  key  key  key   block ok ',
  ],
  [
    'prepareCampaign',
    '',
    made('prepareCampaign'),
    '                          key key  key  key  key   block ok ',
  ],
  [
    'dispatchCampaign',
    '',
    made('dispatchCampaign'),
    '                        key key  key  key  key   block ok ',
  ],
  [
    'recordSending',
    '',
    made('recordSending'),
    '                              key key  key  key  key   block ok ',
  ],
  [
    'stopCampaign',
    '',
    made('stopCampaign'),
    '                                key key  key  key  key   block ok ',
  ],
  [
    'createTask',
    '',
    paying,
    '                                                key ok   ok   ok   ok    block key',
  ],
  [
    'listTasks',
    '',
    nothing,
    '                                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getTask',
    'public',
    task('open', 'task'),
    '                               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getTask',
    'private, for the member',
    task('open', 'task', true),
    '        none none ok  none ok    none  none',
  ],
  [
    'cancelTask',
    'public',
    task('open', 'task'),
    '                            key no   no   no   ok    block key',
  ],
  [
    'cancelTask',
    'private, for the member',
    task('open', 'task', true),
    '     key none no   none ok    block key',
  ],
  [
    'takeAssignment',
    'public',
    task('open', 'task'),
    '                        key ok   ok   ok   elig  block key',
  ],
  [
    'takeAssignment',
    'private, for the member',
    task('open', 'task', true),
    ' key none ok   none elig  block key',
  ],
  [
    'getAssignment',
    'public, of the member',
    task('submitted', 'assignment'),
    '          ok  ok ok ok ok ok ok ',
  ],
  [
    'getAssignment',
    'private, of the member',
    task('submitted', 'assignment', true),
    '   none none ok none ok none none',
  ],
  [
    'submitWork',
    'public, of the member',
    task('taken', 'assignment', false, RIGHT),
    '   key no ok no no block key',
  ],
  [
    'submitWork',
    'private, of the member',
    task('taken', 'assignment', true, RIGHT),
    '   key none ok none no block key',
  ],
  [
    'abandonAssignment',
    'public, of the member',
    task('taken', 'assignment'),
    '          key no ok no no block key',
  ],
  [
    'abandonAssignment',
    'private, of the member',
    task('taken', 'assignment', true),
    '   key none ok none no block key',
  ],
  [
    'addAssignmentEvidence',
    'public',
    task('submitted', 'assignment', false, { ...statement, expectedVersion: 2 }),
    ' key no ok no ok block key',
  ],
  [
    'withdrawAssignmentEvidence',
    'public, of the owner',
    ownEvidence(),
    '           key no no no ok block key',
  ],
  [
    'withdrawAssignmentEvidence',
    'private, of the owner',
    ownEvidence(true),
    '     key none no none ok block key',
  ],
  [
    'listMyAssignments',
    '',
    nothing,
    '                                         key ok ok ok ok block key',
  ],
  [
    'addAssignmentEvidence',
    'private',
    task('submitted', 'assignment', true, { ...statement, expectedVersion: 2 }),
    'key none ok none ok block key',
  ],
  [
    'createFixture',
    '',
    made('createFixture'),
    '                              key key  key  key  key   block ok ',
  ],
  [
    'listExperiments',
    '',
    nothing,
    '                                          ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getMetrics',
    '',
    () => ({ query: { experiment: 'activation' } }),
    '       ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getConsent',
    '',
    nothing,
    '                                               key ok   ok   ok   ok    block key',
  ],
  [
    'setConsent',
    '',
    () => ({ body: { consent: true } }),
    '                   key ok   ok   ok   ok    block key',
  ],
  [
    'createExport',
    '',
    made('createExport'),
    '                                key ok   ok   ok   ok    block key',
  ],
  [
    'getExport',
    'of the owner',
    made('getExport'),
    '                          key none none none ok    block key',
  ],
  [
    'readExportData',
    'of the owner',
    made('readExportData'),
    '                key none none none ok    block key',
  ],
  [
    'showResearch',
    '',
    nothing,
    '                                             ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'explainGuestContext',
    '',
    nothing,
    '                                      ok  ok   ok   ok   ok    ok    ok  ',
  ],
  [
    'readGuestContext',
    'of the guest',
    entry(),
    '                             key key  key  key  key   key   key ok',
  ],
  [
    'writeGuestContext',
    'of the guest',
    entry({ value: 2 }),
    '                key key  key  key  key   key   key ok',
  ],
  [
    'deleteGuestContext',
    'of the guest',
    entry({}),
    '                         key key  key  key  key   key   key ok',
  ],
  [
    'summarizeGuestContexts',
    '',
    nothing,
    '                                   key key  key  key  key   block ok  ',
  ],
  [
    'listEvents',
    '',
    nothing,
    '                                               key ok   ok   ok   ok    block key',
  ],
  [
    'streamEvents',
    '',
    nothing,
    '                                             key ok   ok   ok   ok    block key',
  ],
  [
    'recordInteraction',
    '',
    () => ({ body: happened(outside()) }),
    '          key ok   ok   ok   ok    block key',
  ],
  [
    'listInteractions',
    '',
    nothing,
    '                                         ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getInteraction',
    'public, about the member',
    interaction('public'),
    '     ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getInteraction',
    'private, about the member',
    interaction('private'),
    '   none none ok  none ok    none  none',
  ],
  [
    'reviseInteraction',
    'public',
    interaction('public', { expectedVersion: 1, summary: 'S' }),
    '   key no   no no   ok block key',
  ],
  [
    'reviseInteraction',
    'private',
    interaction('private', { expectedVersion: 1, summary: 'S' }),
    ' key none no none ok block key',
  ],
  [
    'submitEvidence',
    'public',
    interaction('public', statement),
    '            key no   ok   no   ok    block key',
  ],
  [
    'submitEvidence',
    'private',
    interaction('private', statement),
    '          key none ok   none ok    block key',
  ],
  [
    'withdrawEvidence',
    'public',
    evidence('public'),
    '                        key no   no   no   ok    block key',
  ],
  [
    'withdrawEvidence',
    'private',
    evidence('private'),
    '                      key none no   none ok    block key',
  ],
  [
    'findSubject',
    '',
    ({ owner }) => ({ query: { type: 'agent', value: owner.handle } }),
    'ok ok ok ok ok ok ok',
  ],
  [
    'getSubject',
    'an agent',
    ({ owner }) => ({ params: { id: owner.id } }),
    ' ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getSubject',
    'in private records of the owner only',
    privately,
    '         none none none none ok   none  none',
  ],
  [
    'getReputation',
    '',
    made('getReputation'),
    '                              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'openCase',
    'about a public interaction',
    disputed('public'),
    '            key ok   ok   ok   ok    block key',
  ],
  [
    'openCase',
    'about a private interaction',
    disputed('private'),
    '          key none no   none no    block key',
  ],
  [
    'listCases',
    '',
    nothing,
    '                                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getCase',
    'about a public interaction',
    made('getCase'),
    '                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'getCase',
    'about private work',
    judgedPrivately,
    '                        none none ok none ok     none none',
  ],
  [
    'castBallot',
    'of parties and others',
    judged,
    '                           key ok   elig ok   elig  block key',
  ],
  [
    'openRound',
    '',
    made('openRound'),
    '                                      key ok   ok   ok   ok    block key',
  ],
  [
    'claimIdentity',
    'of an agent',
    ({ owner }) => ({ params: { id: owner.id }, body: { claim: 'alias', value: 'A' } }),
    'key ok ok ok ok block key',
  ],
  [
    'getIdentityClaim',
    '',
    claimed(),
    '                                       ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'reviseIdentityClaim',
    'of the owner',
    claimed({ expectedVersion: 1, value: 'B' }),
    'key no no no ok block key',
  ],
  [
    'setOperatorGroup',
    '',
    agent({ operatorGroup: 'A' }),
    '                   key key  key  key  key   block ok ',
  ],
  [
    'recordTrust',
    '',
    () => ({ body: { target: outside(), context: `c${count++}`, level: 1 } }),
    'key ok ok ok ok block key',
  ],
  [
    'listMyTrust',
    '',
    nothing,
    '                                              key ok   ok   ok   ok    block key',
  ],
  [
    'createReport',
    'an agent',
    report('agent', ({ owner }) => owner.id),
    '    key ok   ok   ok   ok    block key',
  ],
  [
    'createReport',
    'public room',
    report('room', (w) => w.publicRoom),
    '      key ok   ok   ok   ok    block key',
  ],
  [
    'createReport',
    'private room',
    report('room', (w) => w.privateRoom),
    '    key none ok   none ok    block key',
  ],
  [
    'createReport',
    'public thread, public room',
    report('thread', (w) => w.threads.open),
    '        key ok ok ok ok block key',
  ],
  [
    'createReport',
    'private thread, public room',
    report('thread', (w) => w.threads.membersOnly),
    'key none ok none ok block key',
  ],
  [
    'createReport',
    'public thread, private room',
    report('thread', (w) => w.threads.listed),
    '     key ok ok ok ok block key',
  ],
  [
    'createReport',
    'private thread, private room',
    report('thread', (w) => w.threads.hidden),
    '    key none ok none ok block key',
  ],
  [
    'createReport',
    'message, public thread, public room',
    report('message', firstMessageOf('open')),
    '        key ok ok ok ok block key',
  ],
  [
    'createReport',
    'message, private thread, public room',
    report('message', firstMessageOf('membersOnly')),
    'key none ok none ok block key',
  ],
  [
    'createReport',
    'message, public thread, private room',
    report('message', firstMessageOf('listed')),
    '     key none ok none ok block key',
  ],
  [
    'createReport',
    'message, private thread, private room',
    report('message', firstMessageOf('hidden')),
    '    key none ok none ok block key',
  ],
  [
    'getWebhook',
    '',
    nothing,
    '                                               key ok   ok   ok   ok    block key',
  ],
  [
    'putWebhook',
    '',
    put,
    '                                                   key ok   ok   ok   ok    block key',
  ],
  [
    'deleteWebhook',
    '',
    nothing,
    '                                            key ok   ok   ok   ok    block key',
  ],
  [
    'verifyWebhook',
    '',
    hook,
    '                                               key ok   ok   ok   ok    block key',
  ],
  [
    'listReports',
    '',
    nothing,
    '                                              key key  key  key  key   block ok ',
  ],
  [
    'resolveReport',
    '',
    filed,
    '                                              key key  key  key  key   block ok ',
  ],
  [
    'showIntake',
    '',
    nothing,
    '                                               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'fileAnonymousReport',
    'public',
    report('room', (w) => w.publicRoom),
    '    ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'fileAnonymousReport',
    'private',
    report('room', (w) => w.privateRoom),
    '  ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showHome',
    '',
    nothing,
    '                                                 ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showRooms',
    '',
    nothing,
    '                                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showRoom',
    'public',
    room('publicRoom'),
    '                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showRoom',
    'private',
    room('privateRoom'),
    '                              none none ok  none ok    none  none',
  ],
  [
    'showThread',
    'public thread, public room',
    thread('open'),
    '              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showThread',
    'private thread, public room',
    thread('membersOnly'),
    '      none none ok  none ok    none  none',
  ],
  [
    'showThread',
    'public thread, private room',
    thread('listed'),
    '           no  no   ok   no   ok    no    no ',
  ],
  [
    'showThread',
    'private thread, private room',
    thread('hidden'),
    '          none none ok  none ok    none  none',
  ],
  [
    'showAgents',
    '',
    nothing,
    '                                               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showAgent',
    '',
    ({ owner }) => ({ params: { handle: owner.handle } }),
    '  ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showSearch',
    '',
    () => ({ query: { q: 'hello' } }),
    '                     ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showCredentials',
    '',
    nothing,
    '                                          ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showClaims',
    '',
    ({ owner }) => ({ query: { agent: owner.handle } }),
    '   ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showWallet',
    '',
    nothing,
    '                                               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showInteractions',
    '',
    nothing,
    '                                         ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showInteraction',
    'public, about the member',
    interaction('public'),
    '    ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showInteraction',
    'private, about the member',
    interaction('private'),
    '  none none ok  none ok    none  none',
  ],
  [
    'showCases',
    '',
    nothing,
    '                                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showCase',
    'about a public interaction',
    made('getCase'),
    '               ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showTasks',
    '',
    nothing,
    '                                                ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showTask',
    'public',
    task('open', 'task'),
    '                              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showTask',
    'private, for the member',
    task('open', 'task', true),
    '       none none ok  none ok    none  none',
  ],
  [
    'showSession',
    '',
    nothing,
    '                                              ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'signIn',
    '',
    ({ owner }) => ({ body: { key: owner.key } }),
    '             ok  ok   ok   ok   ok    no    ok ',
  ],
  [
    'signOut',
    '',
    nothing,
    '                                                  ok  ok   ok   ok   ok    ok    ok ',
  ],
  [
    'showReports',
    '',
    nothing,
    '                                              key key  key  key  key   block ok ',
  ],
  [
    'showReport',
    '',
    async (world) => ({ params: (await filed(world, 'owner')).params ?? {} }),
    'key key  key  key  key   block ok ',
  ],
  [
    'resolveReportByForm',
    '',
    async (world) => ({ ...(await filed(world, 'owner')), body: { note: 'N' } }),
    '   key key  key  key  key   block ok ',
  ],
  [
    'showAudit',
    '',
    nothing,
    '                                                key key  key  key  key   block ok ',
  ],
  [
    'showBlocking',
    '',
    ({ outsider }) => ({ params: { id: outsider.id } }),
    ' key key  key  key  key   block ok ',
  ],
  [
    'blockAgentByForm',
    '',
    agent({ blocked: 'false', reason: 'R' }),
    '        key key  key  key  key   block ok ',
  ],
  [
    'showMessageDeletion',
    '',
    message,
    '                                      key key  key  key  key   block ok ',
  ],
  [
    'deleteMessageByForm',
    '',
    async (world) => ({ ...(await message(world, 'owner')), body: { reason: 'R' } }),
    'key key key key key block ok',
  ],
  [
    'showThreadDeletion',
    '',
    thread('open'),
    '                                key key  key  key  key   block ok ',
  ],
  [
    'deleteThreadByForm',
    '',
    thread('open', { reason: 'R' }),
    '               key key  key  key  key   block ok ',
  ],
  [
    'deleteMessage',
    'public thread',
    message,
    '                               key key  key  key  key   block ok ',
  ],
  [
    'deleteThread',
    'public thread',
    thread('open'),
    '                         key key  key  key  key   block ok ',
  ],
  [
    'deleteThread',
    'private thread, private room',
    thread('hidden'),
    '        key key  key  key  key   block ok ',
  ],
  [
    'listAudit',
    '',
    nothing,
    '                                                key key  key  key  key   block ok ',
  ],
];

let count = 0;
/** For reads, which leave it as it is. */
const still = await createWorld(f);
const worldFor = worldsOf(f);
const consent = { capabilities: ['credentials'], consent: 'service-upgrade/1' };

/** With the scope that the operation asks for; a blocked agent gets no more keys. */
const credentialOf = async (
  world: World,
  caller: Caller,
  { scope }: AnyOperation,
): Promise<RequestOptions> => {
  if (caller === 'anonymous') return {};
  if (caller === 'guest') return { context: GUEST };
  if (caller === 'administrator') return { admin: true };
  return { key: caller === 'blocked' ? world.blocked.key : await f.keyWith(world[caller], scope) };
};

describe('who may do what', () => {
  it('[access.table] [registry.generic-tests] every operation of the registry is in the table', () => {
    const inTable = new Set(table.map(([name]) => name));
    expect(registry.map(({ name }) => name).filter((name) => !inTable.has(name))).toEqual([]);
    for (const { name, path } of registry.filter(({ path }) =>
      /^\/api\/v1\/(rooms|threads)\/\{id\}/.test(path),
    )) {
      const places = table.filter(([operation]) => operation === name).map(([, on]) => on);
      expect(places.length, `${name} on every kind of ${path}`).toBeGreaterThanOrEqual(
        path.includes('/threads/{id}') ? 4 : 2,
      );
    }
  });

  it.for(table.map(([name, on, make, expected]) => ({ name, on, make, expected })))(
    '[access.table] $name $on',
    async ({ name, make, expected }) => {
      const world = isMutation(operationOf(name)) ? await worldFor(name) : still;
      const answers: string[] = [];
      for (const caller of callers) {
        const input = await make(world, caller);
        answers.push(
          codeOf(
            await ask(
              app.url,
              operationOf(name),
              input,
              await credentialOf(world, caller, operationOf(name)),
            ),
          ),
        );
      }
      const meant = expected
        .trim()
        .split(/\s+/)
        .map((word) => words[word]);
      if (meant.length === callers.length - 1) meant.push(meant[0]);
      expect(meant).toHaveLength(callers.length);
      expect(Object.fromEntries(callers.map((caller, at) => [caller, answers[at]]))).toEqual(
        Object.fromEntries(callers.map((caller, at) => [caller, meant[at]])),
      );
    },
  );
});
