import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/kernel/operation/any-operation.ts';
import { operations } from '../../../src/operations.ts';
import { asked, CASES, judges } from '../../features/adjudication/setup.ts';
import { startApp } from '../../support/app.ts';
import { announcers, campaign } from '../../features/campaigns/setup.ts';
import { purses } from '../../features/credits/setup.ts';
import { everythingOn } from '../../everything.ts';
import {
  contextKey,
  factories,
  type RequestOptions,
  refused,
  type TestAgent,
} from '../../support/factories.ts';
import { HOOK } from '../../features/webhooks/receiver.ts';
import { happened, outside, recorders } from '../../features/interactions/setup.ts';
import { RIGHT, works } from '../../features/tasks/setup.ts';
import { credentialFor, stored } from '../fixture.ts';

const app = await startApp(
  { ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { jobsByHand: true },
);
const { newId } = app.app.env;
const f = factories(app);
const registry = operations as unknown as readonly AnyOperation[];
const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotency-replayed');
const reused = refused(422, 'idempotency_key_reused');

describe('the header Idempotency-Key', () => {
  /** The lines that the spec marks Idem. */
  const marked = `
    PUT /api/v1/guest-context/{key}, DELETE /api/v1/guest-context/{key}, POST /api/v1/me/keys, DELETE /api/v1/me/keys/{id}, POST /api/v1/me/activation,
    POST /api/v1/rooms/{id}/threads, POST /api/v1/threads/{id}/messages, POST /api/v1/messages/{id}/files,
    PUT /api/v1/admin/agents/{id}/capabilities/{capability}, POST /api/v1/interactions, PUT /api/v1/interactions/{id}, POST /api/v1/interactions/{id}/evidence,
    POST /api/v1/evidence/{id}/withdraw, POST /api/v1/subjects/{id}/identity-claims, PUT /api/v1/identity-claims/{id}`
    .split(',')
    .map((line) => line.trim());
  const built = registry.filter(({ method, path }) => marked.includes(`${method} ${path}`));

  it('[idem.required] is required where the spec marks Idem', async () => {
    const agent = await f.agent();
    expect(built.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'createKey',
        'revokeKey',
        'activateCapabilities',
        'createThread',
        'postMessage',
        'attachFile',
        'grantCapability',
        'writeGuestContext',
        'deleteGuestContext',
        'recordInteraction',
        'reviseInteraction',
        'submitEvidence',
        'withdrawEvidence',
        'claimIdentity',
        'reviseIdentityClaim',
      ]),
    );
    for (const { scope } of built) await f.keyWith(agent, scope);
    const before = await stored(app);
    for (const operation of built) {
      const { name, method, path } = operation;
      const options = {
        ...credentialFor(operation, await f.keyWith(agent, operation.scope)),
        idem: false as const,
        body: {},
      };
      expect(
        await f.send(method, path.replaceAll(/\{\w+\}/g, newId()), options),
        name,
      ).toMatchObject(refused(400, 'idempotency_key_required'));
    }
    expect(await stored(app)).toEqual(before);
  });

  it('[idem.key-format] is 1 to 255 visible ASCII characters', async () => {
    const ada = await f.agent();
    for (const idem of ['!', '~', 'a'.repeat(255), 'x"{}\\;=,/@:[]'])
      expect(
        (await f.send('POST', '/api/v1/rooms', { key: ada.key, idem, body: { name: 'A room' } }))
          .status,
        idem,
      ).toBe(200);
    const before = await stored(app);
    for (const idem of ['', ' ', 'a'.repeat(256), 'a b', 'a\tb', 'é', 'ÿ', '\x80']) {
      const answer = await f.send('POST', '/api/v1/rooms', {
        key: ada.key,
        idem: false,
        headers: { 'idempotency-key': idem },
        body: { name: 'A room' },
      });
      expect(answer, JSON.stringify(idem)).toMatchObject(refused(400, 'idempotency_key_invalid'));
    }
    expect(await stored(app)).toEqual(before);
  });
});

describe('a repeat', () => {
  type Step = [
    name: string,
    method: string,
    path: string,
    options: RequestOptions,
    again?: RequestOptions,
  ];

  /** Those of credits, by agents of their own. */
  async function creditSteps(): Promise<Step[]> {
    const p = purses(app, f);
    const [sender, friend] = [await p.holder(), await p.holder()];
    const paid = await p.earn(sender, 10);
    const [first, second, third] = [
      await p.offer(sender, 1),
      await p.offer(sender, 1, { recipient: friend.id }),
      await p.offer(sender, 1),
    ];
    const step = (
      name: string,
      { key }: { key: string },
      { id }: { id: string },
      word: string,
      body: object = {},
    ): Step => [name, 'POST', `/api/v1/offers/${id}/${word}`, { key, body }];
    return [
      ['enroll', 'POST', '/api/v1/enrollment', { key: sender.key }],
      [
        'createSubsidy',
        'POST',
        '/api/v1/admin/subsidies',
        { admin: true, body: { name: 'Once', amount: 7 } },
      ],
      [
        'compensate',
        'POST',
        '/api/v1/admin/compensations',
        { admin: true, body: { transactionId: paid, amount: 2, reason: 'Once' } },
      ],
      [
        'createOffer',
        'POST',
        '/api/v1/offers',
        { key: sender.key, body: { kind: 'gift', amount: 2 } },
      ],
      step('confirmOfferRecipient', sender, first, 'recipient', {
        recipient: friend.handle,
        expectedVersion: 1,
      }),
      step('acceptOffer', friend, first, 'accept'),
      step('declineOffer', friend, second, 'decline', { expectedVersion: 1 }),
      step('cancelOffer', sender, third, 'cancel'),
    ];
  }

  /** Those of tasks, by agents of their own. */
  async function taskSteps(): Promise<Step[]> {
    const w = works(app, f);
    const [owner, worker] = [await w.holder(40), await w.holder()];
    const [open, spare, left, done, judged] = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((title) =>
        title === 'd' ? w.fixed(owner, { title, reward: 1 }) : w.task(owner, { title, reward: 1 }),
      ),
    );
    const assignments = await Promise.all(
      [left, done, judged].map((id) => w.taken(worker, id as string)),
    );
    await w.submit(worker, assignments[2] as string);
    const { id: piece } = (await w.evidence(owner, assignments[2] as string, 2)).body;
    // The case of it is made findable.
    await app.app.jobs.runDue();
    const step = (name: string, { key }: { key: string }, path: string, body?: object): Step => [
      name,
      'POST',
      `/api/v1/${path}`,
      { key, ...(body && { body }) },
    ];
    return [
      step('createTask', owner, 'tasks', w.request({ reward: 1 })),
      step('takeAssignment', worker, `tasks/${open}/assignments`),
      step('cancelTask', owner, `tasks/${spare}/cancel`),
      step('abandonAssignment', worker, `assignments/${assignments[0]}/abandon`),
      step('submitWork', worker, `assignments/${assignments[1]}/submission`, RIGHT),
      step('addAssignmentEvidence', worker, `assignments/${assignments[2]}/evidence`, {
        expectedVersion: 3,
        kind: 'statement',
        text: 'So it was.',
      }),
      step(
        'withdrawAssignmentEvidence',
        owner,
        `assignments/${assignments[2]}/evidence/${piece}/withdraw`,
        { expectedVersion: 1 },
      ),
      [
        'createFixture',
        'POST',
        '/api/v1/admin/fixtures',
        { admin: true, body: { name: 'Once', answers: { tests: 'yes' } } },
      ],
    ];
  }

  /** Those of records, by agents of their own. */
  async function recordSteps(): Promise<Step[]> {
    const r = recorders(f);
    const [author, target] = [await f.agent(), await f.agent()];
    const [key, credentials] = [
      await f.keyWith(author, 'interactions'),
      await f.keyWith(author, 'credentials'),
    ];
    const piece = { kind: 'statement', text: 'So it was.' };
    const { id, evidenceIds } = await r.record(
      author,
      { agent: target.handle },
      { evidence: [piece] },
    );
    const { body: claim } = await r.claim(author, author.id);
    return [
      ['recordInteraction', 'POST', '/api/v1/interactions', { key, body: happened(outside()) }],
      [
        'submitEvidence',
        'POST',
        `/api/v1/interactions/${id}/evidence`,
        { key, body: { expectedVersion: 1, ...piece } },
      ],
      [
        'withdrawEvidence',
        'POST',
        `/api/v1/evidence/${evidenceIds[0]}/withdraw`,
        { key, body: { expectedVersion: 1 } },
      ],
      [
        'reviseInteraction',
        'PUT',
        `/api/v1/interactions/${id}`,
        { key, body: { expectedVersion: 3, summary: 'Once' } },
      ],
      [
        'claimIdentity',
        'POST',
        `/api/v1/subjects/${author.id}/identity-claims`,
        { key: credentials, body: { claim: 'alias', value: 'Once' } },
      ],
      [
        'reviseIdentityClaim',
        'PUT',
        `/api/v1/identity-claims/${claim.id}`,
        { key: credentials, body: { expectedVersion: 1, value: 'Once' } },
      ],
      [
        'recordTrust',
        'POST',
        '/api/v1/trust',
        { key, body: { target: { agent: target.handle }, level: 1 } },
      ],
      [
        'setOperatorGroup',
        'PUT',
        `/api/v1/admin/agents/${target.id}/operator-group`,
        { admin: true, body: { operatorGroup: 'Once' } },
      ],
    ];
  }

  /** Those of campaigns. */
  async function campaignSteps(): Promise<Step[]> {
    const a = announcers(f);
    const owner = await f.agent();
    const [room, id] = [await f.room(owner), await a.draft()];
    const step = (name: string, word: string, body: object = {}): Step => [
      name,
      'POST',
      `/api/v1/admin/campaigns/${id}/${word}`,
      { admin: true, body },
    ];
    return [
      [
        'setRoomNotices',
        'PUT',
        `/api/v1/rooms/${room}/notices`,
        { key: owner.key, body: { acceptsNotices: true } },
      ],
      ['createCampaign', 'POST', '/api/v1/admin/campaigns', { admin: true, body: campaign() }],
      step('prepareCampaign', 'prepare'),
      step('dispatchCampaign', 'dispatch', { roomIds: [room] }),
      step('recordSending', 'sendings', { variantId: 'a', place: 'Once' }),
      step('stopCampaign', 'stop', { reason: 'Once' }),
    ];
  }

  /** Those of adjudication, by agents of their own. */
  async function adjudicationSteps(): Promise<Step[]> {
    const j = judges(f);
    const [voter, opener] = (await j.voters(2)) as [TestAgent, TestAgent];
    const [reviewer, key] = [
      await f.keyWith(voter, 'reviewer'),
      await f.keyWith(opener, 'adjudication'),
    ];
    const closed = await j.opened();
    await j.closeAll();
    const evidenceIds = [await j.more(closed.author, closed.interactionId)];
    const open = await j.opened();
    const { id } = await j.r.record(voter, outside());
    return [
      ['openCase', 'POST', CASES, { key, body: asked(id) }],
      [
        'castBallot',
        'POST',
        `${CASES}/${open.id}/ballots`,
        { key: reviewer, body: { verdict: 'upheld', rationale: 'Once.' } },
      ],
      [
        'openRound',
        'POST',
        `${CASES}/${closed.id}/rounds`,
        { key, body: { evidenceIds, reason: 'Once' } },
      ],
    ];
  }

  /** One call of every mutation, each possible after those before it; `again` where another credential must repeat it. */
  async function everyMutation(): Promise<Step[]> {
    const [owner, guest, other] = [await f.agent(), await f.agent(), await f.agent()];
    const roomId = await f.room(owner);
    const at = `/api/v1/rooms/${roomId}`;
    const threadId = await f.thread(owner, roomId);
    const thread = `/api/v1/threads/${threadId}`;
    const { id: messageId } = await f.post(owner, threadId, 'Hello');
    const invited = await f.ok('POST', `${at}/invitations`, { key: owner.key });
    const reported = await f.ok('POST', '/api/v1/reports', {
      key: other.key,
      body: { targetType: 'thread', targetId: threadId, reason: 'spam' },
    });
    const reportedToo = await f.ok('POST', '/api/v1/reports', {
      key: guest.key,
      body: { targetType: 'thread', targetId: threadId, reason: 'spam' },
    });
    const { id: unwantedMessage } = await f.post(owner, threadId, 'To go');
    const unwantedThread = await f.thread(owner, roomId);
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
    const unwanted = await f.ok('POST', `${at}/invitations`, { key: owner.key });
    const [keyId, second] = [
      (await f.scopedKey(owner, ['forum'])).id,
      await f.scopedKey(other, ['forum']),
    ];
    const key = owner.key;
    const context = contextKey();
    return [
      ['registerAgent', 'POST', '/api/v1/agents', { body: { handle: 'repeated' } }],
      ['updateProfile', 'PUT', '/api/v1/me', { key, body: { displayName: 'Owner' } }],
      ['createKey', 'POST', '/api/v1/me/keys', { key, body: { scopes: ['forum'] } }],
      ['revokeKey', 'DELETE', `/api/v1/me/keys/${keyId}`, { key }],
      [
        'activateCapabilities',
        'POST',
        '/api/v1/me/activation',
        { key, body: { capabilities: ['credentials'], consent: 'service-upgrade/1' } },
      ],
      ['createRoom', 'POST', '/api/v1/rooms', { key, body: { name: 'Another room' } }],
      ['joinRoom', 'POST', `${at}/join`, { key: guest.key }],
      ['removeMember', 'DELETE', `${at}/members/${guest.id}`, { key }],
      ['createInvitation', 'POST', `${at}/invitations`, { key }],
      ['revokeInvitation', 'DELETE', `${at}/invitations/${unwanted.id}`, { key }],
      [
        'acceptInvitation',
        'POST',
        '/api/v1/invitations/accept',
        { key: guest.key, body: { token: invited.token } },
      ],
      [
        'createThread',
        'POST',
        `${at}/threads`,
        { key, body: { title: 'Another', body: `@${guest.handle}` } },
      ],
      [
        'setSummary',
        'PUT',
        `${thread}/summary`,
        { key, body: { summary: 'In short', messageIds: [messageId] } },
      ],
      ['subscribeThread', 'PUT', `${thread}/subscription`, { key: guest.key }],
      [
        'postMessage',
        'POST',
        `${thread}/messages`,
        { key, body: { body: 'Once', replyToId: messageId } },
      ],
      [
        'attachFile',
        'POST',
        `/api/v1/messages/${messageId}/files`,
        { key, file: { name: 'once.txt', bytes: 'Once' } },
      ],
      ['unsubscribeThread', 'DELETE', `${thread}/subscription`, { key: guest.key }],
      [
        'writeGuestContext',
        'PUT',
        '/api/v1/guest-context/notes',
        { context, body: { value: { n: 1 }, expectedVersion: 0 } },
      ],
      [
        'deleteGuestContext',
        'DELETE',
        '/api/v1/guest-context/notes',
        { context, body: { expectedVersion: 1 } },
      ],
      ['putWebhook', 'PUT', '/api/v1/me/webhook', { key, body: HOOK }],
      ['verifyWebhook', 'POST', '/api/v1/me/webhook/verify', { key }],
      ['deleteWebhook', 'DELETE', '/api/v1/me/webhook', { key }],
      ...(await recordSteps()),
      ...(await adjudicationSteps()),
      ...(await creditSteps()),
      ...(await campaignSteps()),
      ['setConsent', 'PUT', '/api/v1/me/research-consent', { key, body: { consent: true } }],
      [
        'createExport',
        'POST',
        '/api/v1/research/exports',
        {
          key: await f.keyWith(owner, 'research'),
          body: { experiment: 'activation', from: '2026-02-01', to: '2026-02-28' },
        },
      ],
      ...(await taskSteps()),
      [
        'createReport',
        'POST',
        '/api/v1/reports',
        { key, body: { targetType: 'agent', targetId: guest.id, reason: 'spam' } },
      ],
      [
        'fileAnonymousReport',
        'POST',
        '/moderation/intake',
        { raw: `targetType=agent&targetId=${guest.id}&reason=spam`, headers: urlencoded },
      ],
      ['signIn', 'POST', '/session', { raw: `key=${guest.key}`, headers: urlencoded }],
      ['signOut', 'POST', '/session/end', { raw: '', headers: urlencoded }],
      [
        'resolveReportByForm',
        'POST',
        `/moderation/reports/${reportedToo.id}`,
        { admin: true, raw: 'note=Done', headers: urlencoded },
      ],
      [
        'deleteMessageByForm',
        'POST',
        `/moderation/messages/${unwantedMessage}`,
        { admin: true, raw: 'reason=Done', headers: urlencoded },
      ],
      [
        'deleteThreadByForm',
        'POST',
        `/moderation/threads/${unwantedThread}`,
        { admin: true, raw: 'reason=Done', headers: urlencoded },
      ],
      [
        'blockAgentByForm',
        'POST',
        `/moderation/agents/${guest.id}`,
        { admin: true, raw: 'blocked=false&reason=Done', headers: urlencoded },
      ],
      [
        'resolveReport',
        'POST',
        `/api/v1/admin/reports/${reported.id}/resolve`,
        { admin: true, body: { note: 'Done' } },
      ],
      ['deleteMessage', 'DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true }],
      ['deleteThread', 'DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true }],
      [
        'flagSynthetic',
        'PUT',
        `/api/v1/admin/agents/${guest.id}/synthetic`,
        { admin: true, body: { synthetic: true } },
      ],
      [
        'grantCapability',
        'PUT',
        `/api/v1/admin/agents/${guest.id}/capabilities/credits`,
        { admin: true, body: { state: 'active' } },
      ],
      [
        'blockAgent',
        'PUT',
        `/api/v1/admin/agents/${guest.id}/block`,
        { admin: true, body: { blocked: true } },
      ],
      ['rotateKey', 'POST', '/api/v1/me/keys/rotate', { key }],
      [
        'revokeCurrentKey',
        'DELETE',
        '/api/v1/me/keys/current',
        { key: second.apiKey },
        { key: other.key },
      ],
    ];
  }

  it('[idem.accepted] [idem.replay] of any mutation gets the first answer byte for byte and has no second effect', async () => {
    const steps = await everyMutation();
    expect(steps.map(([name]) => name).sort()).toEqual(
      registry
        .filter(({ method }) => method !== 'GET')
        .map(({ name }) => name)
        .sort(),
    );
    for (const [name, method, path, options, again] of steps) {
      const idem = newId();
      const first = await f.send(method, path, { ...options, idem });
      expect([first.status, replayed(first)], `${name} ${first.text}`).toEqual([200, null]);
      const before = await stored(app);
      app.clock.advance(1);
      const second = await f.send(method, path, { ...options, ...again, idem });
      expect([second.status, replayed(second), second.text], name).toEqual([
        200,
        'true',
        first.text,
      ]);
      for (const header of ['content-type', 'cache-control', 'x-content-trust'])
        expect(second.headers.get(header), name).toBe(first.headers.get(header));
      expect(await stored(app), name).toEqual(before);
    }
  });

  it('[idem.replay] does not undo what came after the first', async () => {
    const ada = await f.agent();
    const put = (displayName: string, idem: string) =>
      f.send('PUT', '/api/v1/me', { key: ada.key, idem, body: { displayName } });
    const first = await put('First', 'profile-1');
    await put('Second', 'profile-2');
    expect((await put('First', 'profile-1')).text).toBe(first.text);
    expect(await f.ok('GET', '/api/v1/me', { key: ada.key })).toMatchObject({
      displayName: 'Second',
    });
  });

  it('[idem.fingerprint] is the same request with other white space, order of members or escapes', async () => {
    const ada = await f.agent();
    const raw = (text: string) =>
      f.send('POST', '/api/v1/rooms', { key: ada.key, idem: 'spelling', raw: text });
    const first = await raw('{"name":"Café 1","description":null,"visibility":"public"}');
    for (const text of [
      '{"visibility":"public","description":null,"name":"Café 1"}',
      ' {\n"description" : null, "name"\t: "Caf\\u00e9 \\u0031" , "visibility":"public" }\n',
    ]) {
      const again = await raw(text);
      expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    }
    for (const text of [
      '{"name":"Café 2","description":null,"visibility":"public"}',
      '{"name":"Café 1","visibility":"public","description":"x"}',
    ])
      expect(await raw(text)).toMatchObject(reused);
  });

  it('[idem.fingerprint] [idem.reused] is refused with another path or body, and the first answer stays', async () => {
    const ada = await f.agent();
    const roomId = await f.room(ada);
    const [one, two] = [await f.thread(ada, roomId), await f.thread(ada, roomId)];
    const post = (threadId: string, body: string) =>
      f.send('POST', `/api/v1/threads/${threadId}/messages`, {
        key: ada.key,
        idem: 'post-1',
        body: { body },
      });
    const first = await post(one, 'Hello');
    const before = await stored(app);
    for (const answer of [
      await post(two, 'Hello'),
      await post(one, 'Hello!'),
      await post(one, 'hello'),
    ]) {
      expect(answer).toMatchObject(reused);
      expect(replayed(answer)).toBeNull();
    }
    expect(await stored(app)).toEqual(before);
    expect((await post(one.toUpperCase(), 'Hello')).text).toBe(first.text);
  });
});
