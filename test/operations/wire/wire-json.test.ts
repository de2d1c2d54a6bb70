import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/kernel/operation/operation.ts';
import { startApp } from '../../support/app.ts';
import { validCall } from '../../calls.ts';
import { everythingOn } from '../../everything.ts';
import { call, factories, type Loose, refused } from '../../support/factories.ts';
import { ask, createWorld, pathOf, registry } from '../fixture.ts';

const app = await startApp({ ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const world = await createWorld(f);
const { owner } = world;

const calls = registry.filter((operation): operation is Operation => operation.kind === 'call');
const withBody = calls
  .filter(({ body }) => body)
  .map((operation) => ({ name: operation.name, operation }));

type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};
/** Every object in a schema, with the way to it. */
function objectsIn(schema: Schema, at = ''): [string, Schema][] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, one]) =>
      objectsIn(one, `${at}/${name}`),
    ),
    ...(schema.items ? [objectsIn(schema.items, `${at}/*`)] : []),
  ];
  return [
    ...([schema.type].flat().includes('object') ? [[at, schema] as [string, Schema]] : []),
    ...inner.flat(),
  ];
}

describe('answers', () => {
  it.for(calls.map(({ name, output }) => ({ name, output })))(
    '[wire.absent-null] of $name leave no member out',
    ({ output }) => {
      for (const [at, { properties = {}, required = [] }] of objectsIn(output as Schema)) {
        expect([at, [...required].sort()]).toEqual([at, Object.keys(properties).sort()]);
        for (const name of Object.keys(properties)) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
      }
    },
  );

  it('[wire.absent-null] show what is absent as null, in UTF-8', async () => {
    const { headers, body } = await f.send('GET', `/api/v1/agents/${owner.handle}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({
      displayName: null,
      description: null,
      homepageUrl: null,
      operator: null,
    });
    expect(await f.ok('GET', `/api/v1/threads/${world.threads.open}`)).toMatchObject({
      summary: null,
      subscribed: null,
    });
    expect(
      (await f.ok('GET', `/api/v1/threads/${world.threads.open}/messages`)).messages[0],
    ).toMatchObject({ replyToId: null });
    expect(await f.ok('GET', `/api/v1/rooms/${world.publicRoom}`)).toMatchObject({
      description: null,
      role: null,
    });
    await f.ok('PUT', '/api/v1/me', { key: owner.key, body: { displayName: 'Žofie 文 😀' } });
    const bytes = await (await fetch(`${app.url}/api/v1/agents/${owner.handle}`)).arrayBuffer();
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toContain('Žofie 文 😀');
  });
});

describe('a request body', () => {
  it.for(withBody)(
    '[wire.unknown-members] $name names the members that it does not know',
    async ({ name, operation }) => {
      const { input, as } = await validCall(name, world, f);
      const answer = await ask(
        app.url,
        operation,
        { ...input, body: { ...(input.body as object), surprise: 1, 'a/b~c': null } },
        as,
      );
      expect(answer).toMatchObject(refused(400, 'invalid_request'));
      expect(answer.body.errors.map(({ pointer }: Loose) => pointer).sort()).toEqual([
        '/body/a~1b~0c',
        '/body/surprise',
      ]);
    },
  );

  const createRoom = (raw: string) =>
    call(app.url, 'POST', '/api/v1/rooms', { key: owner.key, raw });

  it.each([
    ['{"name":"x","name":"y"}'],
    ['{"name":"x","name":"x"}'],
    ['{"name":"x","n\\u0061me":"y"}'],
    [`{"name":"x","name"${' '.repeat(100)}:"y"}`],
    ['{"name":"x","description":null,"\\u0064escription":null}'],
    ['{"name":"x","more":{"a":1,"b":{"c":1,"c":2}}}'],
    ['[{"a":1,"a":2}]'],
  ])('[wire.json-strict] with a member that stands twice is refused: %s', async (raw) => {
    const { body } = await createRoom(raw);
    expect(body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/body', detail: expect.stringContaining('stands twice') }],
    });
  });

  it.for(withBody)(
    '[wire.json-strict] of $name may be 32 levels deep, not 33',
    async ({ name, operation }) => {
      const { input, as } = await validCall(name, world, f);
      const nested = async (levels: number) => {
        const raw = `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
        return (await call(app.url, operation.method, pathOf(operation, input), { ...as, raw }))
          .body;
      };
      expect(await nested(33)).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/body', detail: expect.stringContaining('32') }],
      });
      expect((await nested(32)).errors).toContainEqual({
        pointer: '/body/deep',
        detail: 'is not a known member',
      });
    },
  );

  it('[wire.json-strict] may hold what only looks double or deep', async () => {
    const description = '{"name":1,"name":2} \\" [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[';
    const { status, body } = await createRoom(
      JSON.stringify({ name: 'name":"name', description, visibility: 'public' }),
    );
    expect(status).toBe(200);
    expect((await f.ok('GET', `/api/v1/rooms/${body.id}`)).description).toBe(description);
  });
});

describe('acknowledgements', () => {
  /** What the contract names: id and createdAt and no more, or more, or the id alone. */
  const versioned = ['id', 'receiptId', 'state', 'updatedAt', 'version'];
  const acks: Readonly<Record<string, readonly string[]>> = {
    recordInteraction: ['createdAt', 'evidenceIds', 'id', 'receiptId', 'subjectId', 'version'],
    reviseInteraction: versioned,
    submitEvidence: versioned,
    withdrawEvidence: versioned,
    claimIdentity: versioned,
    reviseIdentityClaim: versioned,
    setOperatorGroup: ['createdAt', 'id'],
    enroll: ['amount', 'createdAt', 'id', 'receiptId', 'transactionId', 'unit'],
    createSubsidy: ['createdAt', 'id', 'transactionId'],
    compensate: ['amount', 'createdAt', 'id', 'transactionId', 'uncompensated'],
    createOffer: versioned,
    confirmOfferRecipient: versioned,
    acceptOffer: versioned,
    declineOffer: versioned,
    cancelOffer: versioned,
    createTask: ['createdAt', 'id', 'receiptId', 'state'],
    cancelTask: ['createdAt', 'id', 'state'],
    takeAssignment: versioned,
    submitWork: versioned,
    addAssignmentEvidence: versioned,
    withdrawAssignmentEvidence: versioned,
    abandonAssignment: versioned,
    createFixture: ['answersSha256', 'createdAt', 'id'],
    castBallot: ['caseId', 'closesAt', 'createdAt', 'id', 'receiptId', 'round', 'sha256'],
    createCampaign: ['createdAt', 'id', 'state'],
    prepareCampaign: ['createdAt', 'id', 'notices', 'state'],
    dispatchCampaign: ['createdAt', 'id', 'remaining', 'sendings', 'state'],
    recordSending: ['createdAt', 'id', 'receiptId', 'state', 'text'],
    stopCampaign: ['createdAt', 'id', 'state'],
    createRoom: ['createdAt', 'id'],
    setRoomNotices: ['acceptsNotices', 'createdAt', 'id'],
    joinRoom: ['createdAt', 'id'],
    acceptInvitation: ['createdAt', 'id'],
    setSummary: ['createdAt', 'id'],
    subscribeThread: ['createdAt', 'id'],
    blockAgent: ['createdAt', 'id'],
    flagSynthetic: ['createdAt', 'id'],
    createReport: ['createdAt', 'id'],
    resolveReport: ['createdAt', 'id'],
    createThread: ['createdAt', 'id', 'messageId', 'receiptId', 'roomId'],
    postMessage: [
      'bodySha256',
      'createdAt',
      'id',
      'notified',
      'notifiedCount',
      'position',
      'receiptId',
      'unresolvedMentions',
    ],
    revokeCurrentKey: ['id'],
    revokeKey: ['id'],
    removeMember: ['id'],
    revokeInvitation: ['id'],
    deleteWebhook: ['id'],
    unsubscribeThread: ['id'],
    deleteMessage: ['id'],
    deleteThread: ['id'],
  };
  /** Mutations whose answer is a record of its own. */
  const records = [
    'registerAgent',
    'updateProfile',
    'rotateKey',
    'createKey',
    'activateCapabilities',
    'grantCapability',
    'createInvitation',
    'attachFile',
    'putWebhook',
    'verifyWebhook',
    'writeGuestContext',
    'deleteGuestContext',
    'recordTrust',
    'openCase',
    'openRound',
    'setConsent',
    'createExport',
  ];

  it.for(
    calls
      .filter(({ method, name }) => method !== 'GET' && !records.includes(name))
      .map((operation) => ({ name: operation.name, operation })),
  )('[wire.ack] of $name have the members of the contract', async ({ name, operation }) => {
    const { input, as } = await validCall(name, await createWorld(f), f);
    const { body } = await ask(app.url, operation, input, as);
    expect(Object.keys(body).sort()).toEqual(acks[name]);
    if (operation.method === 'DELETE')
      expect(body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });
});
