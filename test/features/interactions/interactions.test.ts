import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { adjudicationHelpers, adjudicationSettings } from '../adjudication/setup.ts';
import {
  buildInteraction,
  externalSubject,
  interactionHelpers,
  interactionSettings,
  OCCURRED_AT,
} from './setup.ts';

const app = await startApp({ ...interactionSettings, ...adjudicationSettings });
const f = factories(app);
const r = interactionHelpers(f);
const ada = await f.createAgent();
const bob = await f.createAgent();
const eve = await f.createAgent();
for (const agent of [ada, bob, eve]) await f.getKeyWithScope(agent, 'interactions');

describe('recordInteraction', () => {
  it(
    '[interaction.created] [interaction.row] [interaction.detail] ' +
      '[evidence.row] stores everything that was sent',
    async () => {
      const provenance = { source: 'third_party', note: 'Told by both' };
      const made = await r.recordInteraction(
        ada,
        { agent: bob.handle },
        {
          context: 'code-review',
          provenance,
          evidence: [{ kind: 'statement', text: 'I saw it.' }],
        },
      );
      const detail = await r.getInteraction(null, made.id);
      const { createdAt, receiptId, evidenceIds } = made;
      expect(made).toEqual({
        id: made.id,
        version: 1,
        subjectId: bob.id,
        evidenceIds: [detail.evidence[0].id],
        receiptId,
        createdAt,
      });
      const said = {
        kind: 'delivery',
        summary: 'Delivered the parser.',
        occurredAt: OCCURRED_AT,
        context: 'code-review',
        visibility: 'public',
      };
      const kept = { ...provenance, threadId: null, messageId: null };
      const row = {
        ...made,
        ...said,
        provenance: kept,
        authorId: ada.id,
        authorHandle: ada.handle,
        target: { agent: { id: bob.id, handle: bob.handle }, subject: null },
        state: 'recorded',
        evidenceCount: 1,
        finding: null,
        updatedAt: createdAt,
      };
      const evidence = {
        id: evidenceIds[0],
        interactionId: made.id,
        version: 1,
        state: 'submitted',
        kind: 'statement',
        url: null,
        messageId: null,
        fileId: null,
        receiptId: null,
        text: 'I saw it.',
        sha256: null,
        note: null,
        submittedBy: ada.id,
        submittedByHandle: ada.handle,
        createdAt,
        updatedAt: createdAt,
        revisions: [
          {
            version: 1,
            state: 'submitted',
            authorId: ada.id,
            authorHandle: ada.handle,
            at: createdAt,
            receiptId: expect.any(String),
          },
        ],
      };
      const content = {
        target: { agent: bob.id, subject: null },
        ...said,
        provenance: kept,
        evidenceIds,
      };
      const revision = {
        version: 1,
        state: 'recorded',
        authorId: ada.id,
        authorHandle: ada.handle,
        at: createdAt,
        receiptId,
        content,
      };
      expect(detail).toEqual({ ...row, evidence: [evidence], revisions: [revision], cases: [] });
      expect(
        (await r.must(null, '', 'GET', `/api/v1/interactions?target=${bob.handle}`))[0],
      ).toEqual(row);
    },
  );

  it('[interaction.defaults] defaults to private and the context "general"', async () => {
    const { visibility: _, ...body } = buildInteraction({ agent: bob.id });
    const { id } = await r.must(ada, 'interactions', 'POST', '/api/v1/interactions', body);
    expect(await r.getInteraction(ada, id)).toMatchObject({
      visibility: 'private',
      context: 'general',
      target: { agent: { id: bob.id } },
    });
  });

  it('[interaction.private] shows private interactions to author and target only', async () => {
    const { id, evidenceIds } = await r.recordInteraction(
      ada,
      { agent: bob.handle },
      { visibility: 'private', evidence: [{ kind: 'statement', text: 'So.' }] },
    );
    for (const reader of [ada, bob]) {
      expect((await r.getInteraction(reader, id)).id).toBe(id);
      const list = await r.must(
        reader,
        'interactions',
        'GET',
        `/api/v1/interactions?author=${ada.handle}`,
      );
      expect(list.map((one: { id: string }) => one.id)).toContain(id);
    }
    const hidden = { status: 404, body: { code: 'not_found' } };
    for (const reader of [eve, null]) {
      expect(await r.as(reader, 'interactions', 'GET', `/api/v1/interactions/${id}`)).toMatchObject(
        hidden,
      );
      expect(
        (await r.as(reader, 'interactions', 'GET', '/api/v1/interactions')).text,
      ).not.toContain(id);
    }
    const before = await digestTables(app);
    expect(await r.reviseInteraction(eve, id, { expectedVersion: 1, summary: 'No' })).toMatchObject(
      hidden,
    );
    expect(
      await r.submitEvidence(eve, id, { expectedVersion: 1, kind: 'statement', text: 'No' }),
    ).toMatchObject(hidden);
    expect(await r.withdrawEvidence(eve, evidenceIds[0])).toMatchObject(hidden);
    expect(await digestTables(app)).toEqual(before);
    // A key without the scope reads nothing of it, even the target's own key.
    expect(await f.send('GET', `/api/v1/interactions/${id}`, { key: bob.key })).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'interactions' }),
    );
    expect((await r.must(null, '', 'GET', `/api/v1/subjects/${bob.id}`)).interactionCount).toBe(1);
  });

  it('[interaction.target] accepts one target: an agent by handle or id, or external', async () => {
    for (const target of [
      {},
      { agent: bob.handle, ...externalSubject() },
      { agent: null, subject: null },
      { subject: { type: 'doi', value: 'nothing' } },
      { agent: ada.handle },
    ])
      expect(
        await r.as(ada, 'interactions', 'POST', '/api/v1/interactions', buildInteraction(target)),
        JSON.stringify(target),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    for (const agent of ['nobody-at-all', '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', 'x'.repeat(36)])
      expect(
        await r.as(
          ada,
          'interactions',
          'POST',
          '/api/v1/interactions',
          buildInteraction({ agent }),
        ),
      ).toMatchObject(buildProblem(404, 'not_found'));
    const one = await r.recordInteraction(
      ada,
      externalSubject('https://GitHub.com/Example/Parser.git'),
    );
    expect(await r.getInteraction(null, one.id)).toMatchObject({
      target: { agent: null, ...externalSubject() },
    });
    expect(
      (await r.recordInteraction(bob, externalSubject('git@github.com:example/parser'))).subjectId,
    ).toBe(one.subjectId);
  });

  it('[interaction.kinds] accepts six kinds and three sources with matching members', async () => {
    for (const kind of ['collaboration', 'delivery', 'review', 'transaction', 'incident', 'other'])
      await r.recordInteraction(eve, externalSubject(), { kind });
    for (const source of ['first_hand', 'third_party', 'imported'])
      await r.recordInteraction(eve, externalSubject(), { provenance: { source } });
    const before = await digestTables(app);
    for (const more of [
      ...[
        { kind: 'x' },
        { summary: '' },
        { summary: 'x'.repeat(2001) },
        { occurredAt: 'yesterday' },
        { context: 'A' },
        { context: '' },
        { context: 'x'.repeat(65) },
      ],
      ...[
        { visibility: 'secret' },
        { provenance: { source: 'hearsay' } },
        { provenance: null },
        { evidence: Array(21).fill({ kind: 'statement', text: 'x' }) },
      ],
      ...[
        { evidence: [{ kind: 'statement', text: 'x', expectedVersion: 1 }] },
        { state: 'withdrawn' },
        { target: 'ada' },
      ],
    ])
      expect(
        await r.as(
          ada,
          'interactions',
          'POST',
          '/api/v1/interactions',
          buildInteraction(externalSubject(), more),
        ),
        JSON.stringify(more),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await digestTables(app)).toEqual(before);
  });

  it('[interaction.lists] feeds listInteractions, newest first, with filters', async () => {
    const carol = await f.createAgent();
    const dan = await f.createAgent();
    const ids: string[] = [];
    for (const kind of ['review', 'incident', 'review']) {
      ids.unshift(
        (await r.recordInteraction(carol, { agent: dan.handle }, { kind, context: kind })).id,
      );
      app.clock.advance(1);
    }
    const listIds = async (query: string) =>
      (await r.must(null, '', 'GET', `/api/v1/interactions?${query}`)).map(
        ({ id }: { id: string }) => id,
      );
    for (const query of [
      `target=${dan.handle}`,
      `target=${dan.id}`,
      `author=${carol.handle}`,
      `author=${carol.id}`,
      `subjectId=${dan.id}`,
    ])
      expect(await listIds(query), query).toEqual(ids);
    expect(await listIds(`author=${carol.handle}&kind=incident`)).toEqual([ids[1]]);
    expect(await listIds(`author=${carol.handle}&context=review`)).toEqual([ids[0], ids[2]]);
    expect(await listIds(`target=@${dan.handle.toUpperCase()}`)).toEqual(ids);
    expect(await listIds('author=nobody-at-all')).toEqual([]);
    expect(
      (await f.listPages(`/api/v1/interactions?author=${carol.handle}&limit=2`)).map((page) =>
        page.map(({ id }) => id),
      ),
    ).toEqual([ids.slice(0, 2), ids.slice(2)]);
  });

  it('[interaction.lists] [interaction.private] pages private ones too', async () => {
    const [carol, dan, erin] = (await runConcurrently(3, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const made: {
      readonly id: string;
      readonly hidden: boolean;
      readonly parties: readonly TestAgent[];
    }[] = [];
    for (const [author, target, visibility] of [
      ...[
        [carol, dan, 'public'] as const,
        [carol, dan, 'private'] as const,
        [dan, carol, 'private'] as const,
        [erin, dan, 'private'] as const,
      ],
      ...[
        [dan, erin, 'public'] as const,
        [erin, carol, 'private'] as const,
        [erin, carol, 'public'] as const,
        [dan, erin, 'private'] as const,
      ],
    ]) {
      const { id } = await r.recordInteraction(
        author,
        { agent: target.handle },
        { visibility, context: 'mixed-pages' },
      );
      made.unshift({ id, hidden: visibility === 'private', parties: [author, target] });
      // Some of them have the same time.
      if (visibility === 'public') app.clock.advance(1);
    }
    for (const reader of [null, carol, dan, erin]) {
      const key = reader && (await f.getKeyWithScope(reader, 'interactions'));
      const pages = await f.listPages(
        '/api/v1/interactions?context=mixed-pages&limit=2',
        key ? { key } : {},
      );
      const expected = made
        .filter(({ hidden, parties }) => !hidden || (reader && parties.includes(reader)))
        .map(({ id }) => id);
      expect(pages.flat().map(({ id }) => id)).toEqual(expected);
    }
  });
});

describe('reviseInteraction', () => {
  const sha256 = (value: unknown) =>
    createHash('sha256')
      .update(canonicalize(value) as string)
      .digest('hex');

  it('[record.versions] [interaction.revised] adds a version and keeps all', async () => {
    const { id } = await r.recordInteraction(ada, { agent: bob.handle });
    app.clock.advance(1000);
    const changed = await r.reviseInteraction(ada, id, {
      expectedVersion: 1,
      summary: 'Delivered late.',
    });
    expect(changed.body).toEqual({
      id,
      version: 2,
      state: 'recorded',
      updatedAt: new Date(app.clock()).toISOString(),
      receiptId: changed.body.receiptId,
    });
    const { body: gone } = await r.reviseInteraction(ada, id, {
      expectedVersion: 2,
      state: 'withdrawn',
    });
    expect(gone).toMatchObject({ version: 3, state: 'withdrawn' });
    const detail = await r.getInteraction(null, id);
    expect(detail).toMatchObject({
      version: 3,
      state: 'withdrawn',
      summary: 'Delivered late.',
      occurredAt: OCCURRED_AT,
      receiptId: gone.receiptId,
    });
    expect(
      detail.revisions.map(({ version, state, authorHandle, content }: never) => [
        version,
        state,
        authorHandle,
        (content as { summary: string }).summary,
      ]),
    ).toEqual([
      [1, 'recorded', ada.handle, 'Delivered the parser.'],
      [2, 'recorded', ada.handle, 'Delivered late.'],
      [3, 'withdrawn', ada.handle, 'Delivered late.'],
    ]);
  });

  it(
    '[record.conflict] [record.state] [interaction.author-only] ' + 'rejects conflicts',
    async () => {
      const { id } = await r.recordInteraction(ada, { agent: bob.handle });
      const before = await digestTables(app);
      for (const expectedVersion of [2, 99])
        expect(
          await r.reviseInteraction(ada, id, { expectedVersion, summary: 'No' }),
        ).toMatchObject(buildProblem(409, 'version_conflict', { currentVersion: 1 }));
      for (const other of [bob, eve])
        expect(
          await r.reviseInteraction(other, id, { expectedVersion: 1, summary: 'No' }),
        ).toMatchObject(buildProblem(403, 'forbidden'));
      for (const body of [
        { expectedVersion: 1 },
        { summary: 'No' },
        { expectedVersion: 0, summary: 'No' },
        { expectedVersion: 1, kind: 'other' },
        { expectedVersion: 1, state: 'recorded' },
      ])
        expect(await r.reviseInteraction(ada, id, body), JSON.stringify(body)).toMatchObject(
          buildProblem(400, 'invalid_request'),
        );
      expect(await digestTables(app)).toEqual(before);
      await r.reviseInteraction(ada, id, { expectedVersion: 1, state: 'withdrawn' });
      for (const change of [{ summary: 'No' }, { state: 'withdrawn' }])
        expect(await r.reviseInteraction(ada, id, { expectedVersion: 2, ...change })).toMatchObject(
          buildProblem(409, 'state_conflict', { state: 'withdrawn' }),
        );
      expect(
        await r.submitEvidence(bob, id, { expectedVersion: 2, kind: 'statement', text: 'x' }),
      ).toMatchObject(buildProblem(409, 'state_conflict', { state: 'withdrawn' }));
    },
  );

  it('[record.receipt] issues a receipt whose hash anyone can recompute', async () => {
    const { id } = await r.recordInteraction(ada, { agent: bob.handle });
    await r.reviseInteraction(ada, id, { expectedVersion: 1, summary: 'Again.' });
    const { revisions } = await r.getInteraction(null, id);
    for (const { version, state, content, receiptId } of revisions) {
      const { receipt, kind, subject } = await f.ok('GET', `/api/v1/portable-events/${receiptId}`);
      expect({ kind, type: subject.type, id: subject.id }).toEqual({
        kind: version === 1 ? 'interaction.recorded' : 'interaction.revised',
        type: 'interaction',
        id,
      });
      expect(receipt.payload.contentSha256).toBe(sha256({ version, state, content }));
    }
  });
});

describe('the capability interactions', () => {
  it('[interaction.rights] is needed as scope and as active capability', async () => {
    const agent = await f.createAgent();
    const send = (key: string) =>
      f.send('POST', '/api/v1/interactions', {
        key,
        body: buildInteraction({ agent: bob.handle }),
      });
    expect(await send(agent.key)).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'interactions' }),
    );
    const key = await f.getKeyWithScope(agent, 'interactions');
    expect((await send(key)).status).toBe(200);
    await f.grantCapability(agent, 'interactions', 'revoked');
    expect(await send(key)).toMatchObject(
      buildProblem(403, 'capability_revoked', { capability: 'interactions' }),
    );
  });

  it('[interaction.blocked] denies blocked agents and admits synthetic ones', async () => {
    const blocked = await f.createAgent();
    const synthetic = await f.createAgent();
    const key = await f.getKeyWithScope(blocked, 'interactions');
    await f.ok('PUT', `/api/v1/admin/agents/${blocked.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    await f.ok('PUT', `/api/v1/admin/agents/${synthetic.id}/synthetic`, {
      admin: true,
      body: { synthetic: true },
    });
    expect(
      await f.send('POST', '/api/v1/interactions', {
        key,
        body: buildInteraction({ agent: bob.handle }),
      }),
    ).toMatchObject(buildProblem(403, 'agent_blocked'));
    const { id } = await r.recordInteraction(
      synthetic,
      { agent: blocked.handle },
      { visibility: 'private' },
    );
    expect(await f.send('GET', `/api/v1/interactions/${id}`, { key })).toMatchObject(
      buildProblem(404, 'not_found'),
    );
  });

  it('[interaction.happened] recordInteraction takes no time in the future', async () => {
    const inMinutes = (minutes: number, more = 0) =>
      new Date(app.clock() + minutes * 60_000 + more).toISOString();
    const late = buildProblem(400, 'invalid_request');
    for (const occurredAt of [inMinutes(5, 1), '2999-01-01T00:00:00Z']) {
      const body = buildInteraction(externalSubject(), { occurredAt });
      const answer = await r.as(ada, 'interactions', 'POST', '/api/v1/interactions', body);
      expect(answer).toMatchObject(late);
      expect(JSON.stringify(answer.body)).toContain('/body/occurredAt');
    }
    const { id } = await r.recordInteraction(ada, externalSubject(), { occurredAt: inMinutes(5) });
    const revise = (occurredAt: string) =>
      r.reviseInteraction(ada, id, { expectedVersion: 1, occurredAt });
    expect(await revise(inMinutes(5, 1))).toMatchObject(late);
    expect((await revise(inMinutes(5))).status).toBe(200);
  });

  it('[interaction.off-elsewhere] shows nothing of what is off in other records', async () => {
    const off = factories(await app.startNode({ ADJUDICATION_ENABLED: 'off' }));
    const j = adjudicationHelpers(f);
    const { id, interactionId, author, target } = await j.createCase();
    await j.closeDueCases();
    expect(await r.getInteraction(null, interactionId)).toMatchObject({
      finding: 'inconclusive',
      cases: [{ id }],
    });
    expect(await off.ok('GET', `/api/v1/interactions/${interactionId}`)).toMatchObject({
      finding: null,
      cases: [],
    });
    expect(await off.ok('GET', `/api/v1/interactions?author=${author.handle}`)).toMatchObject([
      { id: interactionId, finding: null },
    ]);
    expect((await r.claimIdentity(author, target.id)).status).toBe(200);
    const path = `/api/v1/subjects/${target.id}`;
    expect(await f.ok('GET', path)).toMatchObject({ identityClaimCount: 1, interactionCount: 1 });
    const noClaims = factories(await app.startNode({ IDENTITY_CLAIMS_ENABLED: 'off' }));
    expect(await noClaims.ok('GET', path)).toMatchObject({
      identityClaimCount: 0,
      identityClaims: [],
      interactionCount: 1,
    });
    const noInteractions = factories(
      await app.startNode({
        INTERACTIONS_ENABLED: 'off',
        ADJUDICATION_ENABLED: 'off',
        TRUST_ENABLED: 'off',
      }),
    );
    expect(await noInteractions.ok('GET', path)).toMatchObject({
      identityClaimCount: 1,
      interactionCount: 0,
    });
  });

  it('[interaction.needed] readSettings says which switch another one needs', () => {
    expect(() => readSettings({ REPUTATION_ENABLED: 'on' })).toThrow(
      'REPUTATION_ENABLED needs INTERACTIONS_ENABLED=on as well.',
    );
    expect(() => readSettings({ ADJUDICATION_ENABLED: 'on' })).toThrow(
      'ADJUDICATION_ENABLED needs INTERACTIONS_ENABLED=on or TASKS_ENABLED=on as well.',
    );
    for (const needed of [
      { INTERACTIONS_ENABLED: 'on' },
      { TASKS_ENABLED: 'on', CREDITS_ENABLED: 'on' },
    ])
      expect(readSettings({ ADJUDICATION_ENABLED: 'on', ...needed }).features.adjudication).toBe(
        true,
      );
  });

  it('[interaction.off] keeps data while off, and operations are refused', async () => {
    const { id, evidenceIds } = await r.recordInteraction(ada, externalSubject(), {
      evidence: [{ kind: 'statement', text: 'x' }],
    });
    const off = factories(
      await app.startNode({
        INTERACTIONS_ENABLED: 'off',
        ADJUDICATION_ENABLED: 'off',
        IDENTITY_CLAIMS_ENABLED: 'off',
        TRUST_ENABLED: 'off',
      }),
    );
    const key = await f.getKeyWithScope(ada, 'interactions');
    for (const [method, path] of [
      ...[
        ['GET', '/api/v1/interactions'],
        ['GET', `/api/v1/interactions/${id}`],
        ['POST', '/api/v1/interactions'],
        ['PUT', `/api/v1/interactions/${id}`],
      ],
      ...[
        ['POST', `/api/v1/interactions/${id}/evidence`],
        ['POST', `/api/v1/evidence/${evidenceIds[0]}/withdraw`],
        ['GET', `/api/v1/subjects/${ada.id}`],
      ],
    ] as const)
      expect(await off.send(method, path, { key }), path).toMatchObject(
        buildProblem(403, 'capability_disabled', { capability: 'interactions' }),
      );
    expect(
      (await off.ok('GET', '/api/v1/search?q=parser')).results.map(
        ({ type }: { type: string }) => type,
      ),
    ).not.toContain('interaction');
    expect((await r.getInteraction(null, id)).id).toBe(id);
  });
});
