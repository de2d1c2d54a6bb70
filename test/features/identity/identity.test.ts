import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { externalSubject, interactionHelpers, interactionSettings } from '../interactions/setup.ts';

const app = await startApp(interactionSettings);
const f = factories(app);
const r = interactionHelpers(f);
const ada = await f.createAgent();
const bob = await f.createAgent();
for (const agent of [ada, bob])
  for (const scope of ['interactions', 'credentials']) await f.getKeyWithScope(agent, scope);
const getSubject = (id: string, query = ''): Promise<Json> =>
  f.ok('GET', `/api/v1/subjects/${id}${query}`);

describe('getSubject and findSubject', () => {
  it('[subject.row] return an agent with its own id, or something external', async () => {
    const empty = {
      interactionCount: 0,
      identityClaimCount: 0,
      identityClaims: [],
      reputationUrl: null,
    };
    const { createdAt } = await f.ok('GET', '/api/v1/me', { key: ada.key });
    expect(await getSubject(ada.id)).toEqual({
      id: ada.id,
      kind: 'agent',
      type: null,
      value: null,
      agentId: ada.id,
      agentHandle: ada.handle,
      createdAt,
      ...empty,
    });
    const { subjectId, id } = await r.recordInteraction(ada, externalSubject());
    const row = {
      id: subjectId,
      kind: 'external',
      type: 'repository',
      value: 'github.com/example/parser',
      agentId: null,
      agentHandle: null,
      createdAt,
    };
    expect(await getSubject(subjectId)).toEqual({ ...row, ...empty, interactionCount: 1 });
    await r.reviseInteraction(ada, id, { expectedVersion: 1, state: 'withdrawn' });
    expect((await getSubject(subjectId)).interactionCount).toBe(0);
    expect(
      await f.send('GET', '/api/v1/subjects/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'),
    ).toMatchObject(buildProblem(404, 'not_found'));
  });

  it('[subject.find] findSubject finds by type and value in any spelling', async () => {
    const { subjectId } = await r.recordInteraction(ada, externalSubject('10.1000/ABC', 'doi'));
    const findSubject = async (type: string, value: string) =>
      f.send('GET', `/api/v1/subjects?${new URLSearchParams({ type, value })}`);
    for (const value of ['10.1000/abc', 'doi:10.1000/aBc', 'https://doi.org/10.1000/abc'])
      expect((await findSubject('doi', value)).body.id).toBe(subjectId);
    for (const value of [bob.handle, `@${bob.handle}`, bob.id])
      expect((await findSubject('agent', value)).body.id).toBe(bob.id);
    expect(await findSubject('doi', '10.1000/other')).toMatchObject(buildProblem(404, 'not_found'));
    expect(await findSubject('agent', 'nobody-at-all')).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await findSubject('doi', 'x')).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await f.send('GET', '/api/v1/subjects?type=doi')).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
  });

  it('[subject.id] getSubject shows each author no time before its own record', async () => {
    const target = externalSubject('unnamed.example', 'domain');
    const secret = { visibility: 'private' };
    const first = await r.recordInteraction(ada, target, secret);
    app.clock.advance(60_000);
    const { subjectId, createdAt } = await r.recordInteraction(bob, target, secret);
    expect(subjectId).toBe(first.subjectId);
    // The digits of a UUIDv7 would be the time of the first record.
    expect(subjectId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    for (const path of [
      `/api/v1/subjects/${subjectId}`,
      '/api/v1/subjects?type=domain&value=unnamed.example',
    ]) {
      expect((await r.must(bob, 'interactions', 'GET', path)).createdAt).toBe(createdAt);
      expect((await r.must(ada, 'interactions', 'GET', path)).createdAt).toBe(first.createdAt);
      expect((await f.send('GET', path)).status).toBe(404);
    }
    // The id follows from type and value under one key: another node computes the same.
    const other = interactionHelpers(factories(await app.startNode()));
    const [one, two] = await runConcurrently(2, (index) =>
      (index ? other : r).recordInteraction(ada, externalSubject('both.example', 'domain'), secret),
    );
    expect(one?.subjectId).toBe(two?.subjectId);
    expect(await app.app.env.db.first(sql`SELECT count(*) AS count FROM subject_id_keys`)).toEqual({
      count: 1,
    });
  });

  it('[subject.hidden] show a private subject to its author alone, as if new', async () => {
    const { subjectId } = await r.recordInteraction(
      ada,
      externalSubject('secret.example', 'domain'),
      {
        visibility: 'private',
      },
    );
    expect(
      (await r.must(ada, 'interactions', 'GET', `/api/v1/subjects/${subjectId}`)).interactionCount,
    ).toBe(0);
    for (const as of [{}, { key: bob.key }])
      for (const path of [
        `/api/v1/subjects/${subjectId}`,
        '/api/v1/subjects?type=domain&value=secret.example',
      ])
        expect(await f.send('GET', path, as)).toMatchObject(buildProblem(404, 'not_found'));
    expect(await r.claimIdentity(bob, subjectId)).toMatchObject(buildProblem(404, 'not_found'));
    app.clock.advance(60_000);
    expect(
      (await r.recordInteraction(bob, externalSubject('secret.example', 'domain'))).subjectId,
    ).toBe(subjectId);
    expect(await getSubject(subjectId)).toMatchObject({
      createdAt: new Date(app.clock()).toISOString(),
      interactionCount: 1,
    });
  });
});

describe('identity claims', () => {
  it('[identity.claim] claimIdentity shows claims beside conflicting ones', async () => {
    const evidenceUrl = 'https://ada.example/about';
    const { body: own } = await r.claimIdentity(ada, ada.id, {
      claim: 'operator',
      value: 'Example Labs',
      evidenceUrl,
      note: 'Since May.',
    });
    app.clock.advance(1);
    const { body: other } = await r.claimIdentity(bob, ada.id, {
      claim: 'operator',
      value: 'Another Ltd',
    });
    const now = new Date(app.clock()).toISOString();
    expect(other).toEqual({
      id: other.id,
      version: 1,
      state: 'declared',
      updatedAt: now,
      receiptId: other.receiptId,
    });
    const { identityClaims, identityClaimCount } = await getSubject(ada.id);
    expect({ identityClaimCount, ids: identityClaims.map(({ id }: Json) => id) }).toEqual({
      identityClaimCount: 2,
      ids: [other.id, own.id],
    });
    const content = {
      subjectId: ada.id,
      claim: 'operator',
      value: 'Example Labs',
      evidenceUrl,
      note: 'Since May.',
    };
    const claim = {
      id: own.id,
      ...content,
      version: 1,
      state: 'declared',
      declaredBy: `self-declared by @${ada.handle}`,
      authorId: ada.id,
      authorHandle: ada.handle,
      bySubject: true,
      createdAt: own.updatedAt,
      updatedAt: own.updatedAt,
      receiptId: own.receiptId,
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
      (await getSubject(ada.id, '?limit=1&offset=1')).identityClaims.map(({ id }: Json) => id),
    ).toEqual([own.id]);
    expect(await f.ok('GET', `/api/v1/portable-events/${own.receiptId}`)).toMatchObject({
      kind: 'identity.claimed',
      visibility: 'public',
      subject: { type: 'identity_claim', id: own.id },
    });
  });

  it('[identity.kinds] [identity.values] claimIdentity accepts five kinds', async () => {
    for (const claim of ['operator', 'same_as', 'alias', 'controls', 'built_with'])
      expect((await r.claimIdentity(bob, bob.id, { claim, value: 'x'.repeat(500) })).status).toBe(
        200,
      );
    const before = await digestTables(app);
    for (const body of [
      { claim: 'is', value: 'x' },
      { claim: 'alias', value: '' },
      { claim: 'alias', value: 'x'.repeat(501) },
      { claim: 'alias' },
      { claim: 'alias', value: 'a\nb' },
      { claim: 'alias', value: 'x', evidenceUrl: 'http://a.example' },
      { claim: 'alias', value: 'x', verified: true },
    ])
      expect(await r.claimIdentity(bob, bob.id, body), JSON.stringify(body)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await digestTables(app)).toEqual(before);
  });

  it('[identity.revise] reviseIdentityClaim is for the author and adds a version', async () => {
    const { id } = (
      await r.claimIdentity(ada, ada.id, {
        claim: 'controls',
        value: 'ada.example',
        note: 'All of it',
      })
    ).body;
    app.clock.advance(5);
    expect(await r.reviseClaim(bob, id, { expectedVersion: 1, value: 'x' })).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
    expect(await r.reviseClaim(ada, id, { expectedVersion: 3, value: 'x' })).toMatchObject(
      buildProblem(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(await r.reviseClaim(ada, id, { expectedVersion: 1 })).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    expect(await r.reviseClaim(ada, ada.id, { expectedVersion: 1, value: 'x' })).toMatchObject(
      buildProblem(404, 'not_found'),
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
      buildProblem(409, 'state_conflict', { state: 'withdrawn' }),
    );
    const claim = await f.ok('GET', `/api/v1/identity-claims/${id}`);
    expect(
      claim.revisions.map(({ version, state, content }: Json) => [
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

  it('[record.race] reviseIdentityClaim lets one of two concurrent revisions win', async () => {
    const other = interactionHelpers(factories(await app.startNode()));
    const { id } = (await r.claimIdentity(ada, ada.id)).body;
    const answers = await runConcurrently(6, (index) =>
      (index % 2 ? other : r).reviseClaim(ada, id, { expectedVersion: 1, value: `${index}` }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('[identity.limits] claimIdentity allows 20 claims of an author on a subject', async () => {
    const carol = await f.createAgent();
    await f.getKeyWithScope(carol, 'credentials');
    const answers = await runConcurrently(24, (index) =>
      r.claimIdentity(carol, carol.id, { claim: 'alias', value: `Carol ${index}` }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 20 }),
    );
  });

  it('[identity.rights] claimIdentity needs the scope credentials and its switch', async () => {
    const key = await f.getKeyWithScope(ada, 'interactions');
    expect(
      await f.send('POST', `/api/v1/subjects/${ada.id}/identity-claims`, {
        key,
        body: { claim: 'alias', value: 'x' },
      }),
    ).toMatchObject(buildProblem(403, 'insufficient_scope', { requiredScope: 'credentials' }));
    const off = interactionHelpers(
      factories(await app.startNode({ IDENTITY_CLAIMS_ENABLED: 'off' })),
    );
    expect(await off.claimIdentity(ada, ada.id)).toMatchObject(
      buildProblem(403, 'capability_disabled', { capability: 'identityClaims' }),
    );
    const alone = factories(
      await app.startNode({ INTERACTIONS_ENABLED: 'off', TRUST_ENABLED: 'off' }),
    );
    expect((await alone.ok('GET', `/api/v1/subjects/${ada.id}`)).id).toBe(ada.id);
    expect(
      (await interactionHelpers(alone).claimIdentity(bob, bob.id, { claim: 'alias', value: 'y' }))
        .status,
    ).toBe(200);
  });
});

describe('setOperatorGroup', () => {
  const put = (id: string, body: object, as: object = { admin: true }) =>
    f.send('PUT', `/api/v1/admin/agents/${id}/operator-group`, { ...as, body });

  it('[operator.group] is for administrators, is audited and makes no claim', async () => {
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

  it('[operator.refused] takes 1 to 120 characters or null, for an existing agent', async () => {
    const before = await digestTables(app);
    for (const operatorGroup of ['', ' ', 'x'.repeat(121), 'a\u202eb', 1, undefined])
      expect(await put(ada.id, { operatorGroup })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await put('01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', { operatorGroup: 'x' })).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(
      await put(
        ada.id,
        { operatorGroup: 'x' },
        { key: await f.getKeyWithScope(ada, 'credentials') },
      ),
    ).toMatchObject(buildProblem(401, 'unauthenticated'));
    expect(await digestTables(app)).toEqual(before);
  });
});
