import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, together } from '../../support/factories.ts';
import { outside, RECORDS, recorders } from '../interactions/setup.ts';
import { stored } from '../../operations/fixture.ts';

const app = await startApp(RECORDS);
const f = factories(app);
const r = recorders(f);
const [ada, bob] = [await f.agent(), await f.agent()];
for (const agent of [ada, bob])
  for (const scope of ['interactions', 'credentials']) await f.keyWith(agent, scope);
const subject = (id: string, query = ''): Promise<Loose> =>
  f.ok('GET', `/api/v1/subjects/${id}${query}`);

describe('a subject', () => {
  it('[subject.row] is an agent, with its own id, or something outside', async () => {
    const empty = {
      interactionCount: 0,
      identityClaimCount: 0,
      identityClaims: [],
      reputationUrl: null,
    };
    const { createdAt } = await f.ok('GET', '/api/v1/me', { key: ada.key });
    expect(await subject(ada.id)).toEqual({
      id: ada.id,
      kind: 'agent',
      type: null,
      value: null,
      agentId: ada.id,
      agentHandle: ada.handle,
      createdAt,
      ...empty,
    });
    const { subjectId, id } = await r.record(ada, outside());
    const row = {
      id: subjectId,
      kind: 'external',
      type: 'repository',
      value: 'github.com/example/parser',
      agentId: null,
      agentHandle: null,
      createdAt,
    };
    expect(await subject(subjectId)).toEqual({ ...row, ...empty, interactionCount: 1 });
    await r.revise(ada, id, { expectedVersion: 1, state: 'withdrawn' });
    expect((await subject(subjectId)).interactionCount).toBe(0);
    expect(
      await f.send('GET', '/api/v1/subjects/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'),
    ).toMatchObject(refused(404, 'not_found'));
  });

  it('[subject.find] is found by type and value in any spelling; an agent by handle or id', async () => {
    const { subjectId } = await r.record(ada, outside('10.1000/ABC', 'doi'));
    const found = async (type: string, value: string) =>
      f.send('GET', `/api/v1/subjects?${new URLSearchParams({ type, value })}`);
    for (const value of ['10.1000/abc', 'doi:10.1000/aBc', 'https://doi.org/10.1000/abc'])
      expect((await found('doi', value)).body.id).toBe(subjectId);
    for (const value of [bob.handle, `@${bob.handle}`, bob.id])
      expect((await found('agent', value)).body.id).toBe(bob.id);
    expect(await found('doi', '10.1000/other')).toMatchObject(refused(404, 'not_found'));
    expect(await found('agent', 'nobody-at-all')).toMatchObject(refused(404, 'not_found'));
    expect(await found('doi', 'x')).toMatchObject(refused(400, 'invalid_request'));
    expect(await f.send('GET', '/api/v1/subjects?type=doi')).toMatchObject(
      refused(400, 'invalid_request'),
    );
  });

  it('[subject.hidden] that only private records name is known to their author alone, and looks new once it is public', async () => {
    const { subjectId } = await r.record(ada, outside('secret.example', 'domain'), {
      visibility: 'private',
    });
    expect(
      (await f.ok('GET', `/api/v1/subjects/${subjectId}`, { key: ada.key })).interactionCount,
    ).toBe(0);
    for (const as of [{}, { key: bob.key }])
      for (const path of [
        `/api/v1/subjects/${subjectId}`,
        '/api/v1/subjects?type=domain&value=secret.example',
      ])
        expect(await f.send('GET', path, as)).toMatchObject(refused(404, 'not_found'));
    expect(await r.claim(bob, subjectId)).toMatchObject(refused(404, 'not_found'));
    app.clock.advance(60_000);
    expect((await r.record(bob, outside('secret.example', 'domain'))).subjectId).toBe(subjectId);
    expect(await subject(subjectId)).toMatchObject({
      createdAt: new Date(app.clock()).toISOString(),
      interactionCount: 1,
    });
  });
});

describe('an identity claim', () => {
  it('[identity.claim] is shown as self-declared by whoever made it, beside those that conflict with it', async () => {
    const evidenceUrl = 'https://ada.example/about';
    const { body: own } = await r.claim(ada, ada.id, {
      claim: 'operator',
      value: 'Example Labs',
      evidenceUrl,
      note: 'Since May.',
    });
    app.clock.advance(1);
    const { body: other } = await r.claim(bob, ada.id, { claim: 'operator', value: 'Another Ltd' });
    const now = new Date(app.clock()).toISOString();
    expect(other).toEqual({
      id: other.id,
      version: 1,
      state: 'declared',
      updatedAt: now,
      receiptId: other.receiptId,
    });
    const { identityClaims, identityClaimCount } = await subject(ada.id);
    expect([identityClaimCount, identityClaims.map(({ id }: Loose) => id)]).toEqual([
      2,
      [other.id, own.id],
    ]);
    const content = {
      subjectId: ada.id,
      claim: 'operator',
      value: 'Example Labs',
      evidenceUrl,
      note: 'Since May.',
    };
    const claim = {
      ...{
        id: own.id,
        ...content,
        version: 1,
        state: 'declared',
        declaredBy: `self-declared by @${ada.handle}`,
        authorId: ada.id,
        authorHandle: ada.handle,
      },
      ...{
        bySubject: true,
        createdAt: own.updatedAt,
        updatedAt: own.updatedAt,
        receiptId: own.receiptId,
      },
      revisions: [
        {
          version: 1,
          state: 'declared',
          authorId: ada.id,
          authorHandle: ada.handle,
          at: own.updatedAt,
          receiptId: own.receiptId,
          content,
        },
      ],
    };
    expect(identityClaims[1]).toEqual(claim);
    expect(await f.ok('GET', `/api/v1/identity-claims/${own.id}`)).toEqual(claim);
    expect(identityClaims[0]).toMatchObject({
      value: 'Another Ltd',
      declaredBy: `self-declared by @${bob.handle}`,
      bySubject: false,
      evidenceUrl: null,
      note: null,
    });
    expect(
      (await subject(ada.id, '?limit=1&offset=1')).identityClaims.map(({ id }: Loose) => id),
    ).toEqual([own.id]);
    expect(await f.ok('GET', `/api/v1/portable-events/${own.receiptId}`)).toMatchObject({
      kind: 'identity.claimed',
      visibility: 'public',
      subject: { type: 'identity_claim', id: own.id },
    });
  });

  it('[identity.kinds] [identity.values] declares one of five things, in values that fit', async () => {
    for (const claim of ['operator', 'same_as', 'alias', 'controls', 'built_with'])
      expect((await r.claim(bob, bob.id, { claim, value: 'x'.repeat(500) })).status).toBe(200);
    const before = await stored(app);
    for (const body of [
      { claim: 'is', value: 'x' },
      { claim: 'alias', value: '' },
      { claim: 'alias', value: 'x'.repeat(501) },
      { claim: 'alias' },
      { claim: 'alias', value: 'a\nb' },
      { claim: 'alias', value: 'x', evidenceUrl: 'http://a.example' },
      { claim: 'alias', value: 'x', verified: true },
    ])
      expect(await r.claim(bob, bob.id, body), JSON.stringify(body)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(await stored(app)).toEqual(before);
  });

  it('[identity.revise] is revised by its author alone, keeps every version, and is withdrawn for good', async () => {
    const { id } = (
      await r.claim(ada, ada.id, { claim: 'controls', value: 'ada.example', note: 'All of it' })
    ).body;
    app.clock.advance(5);
    expect(await r.reviseClaim(bob, id, { expectedVersion: 1, value: 'x' })).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect(await r.reviseClaim(ada, id, { expectedVersion: 3, value: 'x' })).toMatchObject(
      refused(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(await r.reviseClaim(ada, id, { expectedVersion: 1 })).toMatchObject(
      refused(400, 'invalid_request'),
    );
    expect(await r.reviseClaim(ada, ada.id, { expectedVersion: 1, value: 'x' })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(
      (await r.reviseClaim(ada, id, { expectedVersion: 1, value: 'www.ada.example', note: '' }))
        .body,
    ).toMatchObject({
      id,
      version: 2,
      state: 'declared',
    });
    const { body: gone } = await r.reviseClaim(ada, id, { expectedVersion: 2, state: 'withdrawn' });
    expect(gone).toMatchObject({ version: 3, state: 'withdrawn' });
    expect(await r.reviseClaim(ada, id, { expectedVersion: 3, value: 'x' })).toMatchObject(
      refused(409, 'state_conflict', { state: 'withdrawn' }),
    );
    const claim = await f.ok('GET', `/api/v1/identity-claims/${id}`);
    expect(
      claim.revisions.map(({ version, state, content }: Loose) => [
        version,
        state,
        content.value,
        content.note,
      ]),
    ).toEqual([
      [1, 'declared', 'ada.example', 'All of it'],
      [2, 'declared', 'www.ada.example', null],
      [3, 'withdrawn', 'www.ada.example', null],
    ]);
    const first = await f.ok('GET', `/api/v1/portable-events/${claim.revisions[0].receiptId}`);
    expect(first.current).toMatchObject({ state: 'withdrawn', supersededBy: gone.receiptId });
  });

  it('[record.race] of two revisions at the same moment one wins, on any nodes', async () => {
    const other = recorders(factories(await app.another()));
    const { id } = (await r.claim(ada, ada.id)).body;
    const answers = await together(6, (index) =>
      (index % 2 ? other : r).reviseClaim(ada, id, { expectedVersion: 1, value: `${index}` }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('[identity.limits] at most 20 of an author stand about one subject, also when all come at once', async () => {
    const carol = await f.agent();
    await f.keyWith(carol, 'credentials');
    const answers = await together(24, (index) =>
      r.claim(carol, carol.id, { claim: 'alias', value: `Carol ${index}` }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(
      refused(422, 'limit_exceeded', { limit: 20 }),
    );
  });

  it('[identity.rights] needs the scope credentials, and its switch', async () => {
    const key = await f.keyWith(ada, 'interactions');
    expect(
      await f.send('POST', `/api/v1/subjects/${ada.id}/identity-claims`, {
        key,
        body: { claim: 'alias', value: 'x' },
      }),
    ).toMatchObject(refused(403, 'insufficient_scope', { requiredScope: 'credentials' }));
    const off = recorders(factories(await app.another({ IDENTITY_CLAIMS_ENABLED: 'off' })));
    expect(await off.claim(ada, ada.id)).toMatchObject(
      refused(403, 'capability_disabled', { capability: 'identityClaims' }),
    );
    const alone = factories(
      await app.another({ INTERACTIONS_ENABLED: 'off', TRUST_ENABLED: 'off' }),
    );
    expect((await alone.ok('GET', `/api/v1/subjects/${ada.id}`)).id).toBe(ada.id);
    expect((await recorders(alone).claim(bob, bob.id, { claim: 'alias', value: 'y' })).status).toBe(
      200,
    );
  });
});

describe('an operator group', () => {
  const put = (id: string, body: object, as: object = { admin: true }) =>
    f.send('PUT', `/api/v1/admin/agents/${id}/operator-group`, { ...as, body });

  it('[operator.group] is recorded by an administrator alone, in the audit, and is no claim', async () => {
    const before = await f.ok('GET', '/api/v1/stats');
    const { body } = await put(ada.id, { operatorGroup: 'Group One', reason: 'A letter' });
    expect(body).toEqual({ id: ada.id, createdAt: new Date(app.clock()).toISOString() });
    await put(bob.id, { operatorGroup: 'Group One' });
    expect((await f.ok('GET', '/api/v1/stats')).knownOperators).toBe(before.knownOperators + 1);
    const [, entry] = await f.ok('GET', '/api/v1/admin/audit', { admin: true });
    expect(entry).toMatchObject({
      action: 'agent.grouped',
      targetId: ada.id,
      reason: 'A letter',
      facts: { operatorGroup: 'Group One' },
    });
    for (const path of [`/api/v1/subjects/${ada.id}`, `/api/v1/agents/${ada.handle}`])
      expect((await f.send('GET', path)).text).not.toContain('Group One');
    for (const id of [ada.id, bob.id]) await put(id, { operatorGroup: null });
    expect((await f.ok('GET', '/api/v1/stats')).knownOperators).toBe(before.knownOperators);
  });

  it('[operator.refused] has 1 to 120 characters or is null, of an agent that there is', async () => {
    const before = await stored(app);
    for (const operatorGroup of ['', ' ', 'x'.repeat(121), 'a\u202eb', 1, undefined])
      expect(await put(ada.id, { operatorGroup })).toMatchObject(refused(400, 'invalid_request'));
    expect(await put('01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', { operatorGroup: 'x' })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(
      await put(ada.id, { operatorGroup: 'x' }, { key: await f.keyWith(ada, 'credentials') }),
    ).toMatchObject(refused(401, 'unauthenticated'));
    expect(await stored(app)).toEqual(before);
  });
});
