import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, refused, type TestAgent, together } from '../../support/factories.ts';
import { HAPPENED, happened, outside, RECORDS, recorders } from './setup.ts';
import { stored } from '../../operations/fixture.ts';

const app = await startApp(RECORDS);
const f = factories(app);
const r = recorders(f);
const [ada, bob, eve] = [await f.agent(), await f.agent(), await f.agent()];
for (const agent of [ada, bob, eve]) await f.keyWith(agent, 'interactions');

describe('an interaction', () => {
  it('[interaction.created] [interaction.row] [interaction.detail] [evidence.row] is recorded about an agent, with all that was said', async () => {
    const provenance = { source: 'third_party', note: 'Told by both' };
    const made = await r.record(
      ada,
      { agent: bob.handle },
      { context: 'code-review', provenance, evidence: [{ kind: 'statement', text: 'I saw it.' }] },
    );
    const detail = await r.detail(null, made.id);
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
      occurredAt: HAPPENED,
      context: 'code-review',
      visibility: 'public',
    };
    const kept = { ...provenance, threadId: null, messageId: null };
    const row = {
      ...{
        ...made,
        ...said,
        provenance: kept,
        authorId: ada.id,
        authorHandle: ada.handle,
        target: { agent: { id: bob.id, handle: bob.handle }, subject: null },
      },
      ...{ state: 'recorded', evidenceCount: 1, finding: null, updatedAt: createdAt },
    };
    const evidence = {
      ...{
        id: evidenceIds[0],
        interactionId: made.id,
        version: 1,
        state: 'submitted',
        kind: 'statement',
        url: null,
        messageId: null,
        fileId: null,
      },
      ...{
        receiptId: null,
        text: 'I saw it.',
        sha256: null,
        note: null,
        submittedBy: ada.id,
        submittedByHandle: ada.handle,
        createdAt,
        updatedAt: createdAt,
      },
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
    expect((await r.must(null, '', 'GET', `/api/v1/interactions?target=${bob.handle}`))[0]).toEqual(
      row,
    );
  });

  it('[interaction.defaults] is private and in the context "general" unless it says otherwise', async () => {
    const { visibility: _, ...body } = happened({ agent: bob.id });
    const { id } = await r.must(ada, 'interactions', 'POST', '/api/v1/interactions', body);
    expect(await r.detail(ada, id)).toMatchObject({
      visibility: 'private',
      context: 'general',
      target: { agent: { id: bob.id } },
    });
  });

  it('[interaction.private] that is private is seen by its author and its target alone', async () => {
    const { id, evidenceIds } = await r.record(
      ada,
      { agent: bob.handle },
      { visibility: 'private', evidence: [{ kind: 'statement', text: 'So.' }] },
    );
    for (const reader of [ada, bob]) {
      expect((await r.detail(reader, id)).id).toBe(id);
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
    const before = await stored(app);
    expect(await r.revise(eve, id, { expectedVersion: 1, summary: 'No' })).toMatchObject(hidden);
    expect(
      await r.submit(eve, id, { expectedVersion: 1, kind: 'statement', text: 'No' }),
    ).toMatchObject(hidden);
    expect(await r.withdraw(eve, evidenceIds[0])).toMatchObject(hidden);
    expect(await stored(app)).toEqual(before);
    // A key without the scope reads as anyone does, the target's own too.
    expect(await f.send('GET', `/api/v1/interactions/${id}`, { key: bob.key })).toMatchObject(
      hidden,
    );
    expect((await r.must(null, '', 'GET', `/api/v1/subjects/${bob.id}`)).interactionCount).toBe(1);
  });

  it('[interaction.target] has one target: an agent by handle or id, or something outside', async () => {
    for (const target of [
      {},
      { agent: bob.handle, ...outside() },
      { agent: null, subject: null },
      { subject: { type: 'doi', value: 'nothing' } },
      { agent: ada.handle },
    ])
      expect(
        await r.as(ada, 'interactions', 'POST', '/api/v1/interactions', happened(target)),
        JSON.stringify(target),
      ).toMatchObject(refused(400, 'invalid_request'));
    for (const agent of ['nobody-at-all', '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', 'x'.repeat(36)])
      expect(
        await r.as(ada, 'interactions', 'POST', '/api/v1/interactions', happened({ agent })),
      ).toMatchObject(refused(404, 'not_found'));
    const one = await r.record(ada, outside('https://GitHub.com/Example/Parser.git'));
    expect(await r.detail(null, one.id)).toMatchObject({ target: { agent: null, ...outside() } });
    expect((await r.record(bob, outside('git@github.com:example/parser'))).subjectId).toBe(
      one.subjectId,
    );
  });

  it('[interaction.kinds] has one of six kinds and three sources, and members that fit', async () => {
    for (const kind of ['collaboration', 'delivery', 'review', 'transaction', 'incident', 'other'])
      await r.record(eve, outside(), { kind });
    for (const source of ['first_hand', 'third_party', 'imported'])
      await r.record(eve, outside(), { provenance: { source } });
    const before = await stored(app);
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
        await r.as(ada, 'interactions', 'POST', '/api/v1/interactions', happened(outside(), more)),
        JSON.stringify(more),
      ).toMatchObject(refused(400, 'invalid_request'));
    expect(await stored(app)).toEqual(before);
  });

  it('[interaction.lists] is listed newest first, in pages, by target, author, subject, kind and context', async () => {
    const [carol, dan] = [await f.agent(), await f.agent()];
    const ids: string[] = [];
    for (const kind of ['review', 'incident', 'review']) {
      ids.unshift((await r.record(carol, { agent: dan.handle }, { kind, context: kind })).id);
      app.clock.advance(1);
    }
    const found = async (query: string) =>
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
      expect(await found(query), query).toEqual(ids);
    expect(await found(`author=${carol.handle}&kind=incident`)).toEqual([ids[1]]);
    expect(await found(`author=${carol.handle}&context=review`)).toEqual([ids[0], ids[2]]);
    expect(await found(`target=@${dan.handle.toUpperCase()}`)).toEqual(ids);
    expect(await found('author=nobody-at-all')).toEqual([]);
    expect(
      (await f.walk(`/api/v1/interactions?author=${carol.handle}&limit=2`)).map((page) =>
        page.map(({ id }) => id),
      ),
    ).toEqual([ids.slice(0, 2), ids.slice(2)]);
  });

  it('[interaction.lists] [interaction.private] pages of what is public and of what is private to its reader, as either party, are one list', async () => {
    const [carol, dan, erin] = (await together(3, () => f.agent())) as [
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
      const { id } = await r.record(
        author,
        { agent: target.handle },
        { visibility, context: 'mixed-pages' },
      );
      made.unshift({ id, hidden: visibility === 'private', parties: [author, target] });
      // Of some the time is the same.
      if (visibility === 'public') app.clock.advance(1);
    }
    for (const reader of [null, carol, dan, erin]) {
      const key = reader && (await f.keyWith(reader, 'interactions'));
      const pages = await f.walk(
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

describe('a version', () => {
  const sha256 = (value: unknown) =>
    createHash('sha256')
      .update(canonicalize(value) as string)
      .digest('hex');

  it('[record.versions] [interaction.revised] is added by each revision, and every one stays readable', async () => {
    const { id } = await r.record(ada, { agent: bob.handle });
    app.clock.advance(1000);
    const changed = await r.revise(ada, id, { expectedVersion: 1, summary: 'Delivered late.' });
    expect(changed.body).toEqual({
      id,
      version: 2,
      state: 'recorded',
      updatedAt: new Date(app.clock()).toISOString(),
      receiptId: changed.body.receiptId,
    });
    const { body: gone } = await r.revise(ada, id, { expectedVersion: 2, state: 'withdrawn' });
    expect(gone).toMatchObject({ version: 3, state: 'withdrawn' });
    const detail = await r.detail(null, id);
    expect(detail).toMatchObject({
      version: 3,
      state: 'withdrawn',
      summary: 'Delivered late.',
      occurredAt: HAPPENED,
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

  it('[record.conflict] [record.state] [interaction.author-only] is refused with another expected version, from the end, and by others, and then nothing changes', async () => {
    const { id } = await r.record(ada, { agent: bob.handle });
    const before = await stored(app);
    for (const expectedVersion of [2, 99])
      expect(await r.revise(ada, id, { expectedVersion, summary: 'No' })).toMatchObject(
        refused(409, 'version_conflict', { currentVersion: 1 }),
      );
    for (const other of [bob, eve])
      expect(await r.revise(other, id, { expectedVersion: 1, summary: 'No' })).toMatchObject(
        refused(403, 'forbidden'),
      );
    for (const body of [
      { expectedVersion: 1 },
      { summary: 'No' },
      { expectedVersion: 0, summary: 'No' },
      { expectedVersion: 1, kind: 'other' },
      { expectedVersion: 1, state: 'recorded' },
    ])
      expect(await r.revise(ada, id, body), JSON.stringify(body)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(await stored(app)).toEqual(before);
    await r.revise(ada, id, { expectedVersion: 1, state: 'withdrawn' });
    for (const change of [{ summary: 'No' }, { state: 'withdrawn' }])
      expect(await r.revise(ada, id, { expectedVersion: 2, ...change })).toMatchObject(
        refused(409, 'state_conflict', { state: 'withdrawn' }),
      );
    expect(
      await r.submit(bob, id, { expectedVersion: 2, kind: 'statement', text: 'x' }),
    ).toMatchObject(refused(409, 'state_conflict', { state: 'withdrawn' }));
  });

  it('[record.receipt] has a receipt whose hash anyone computes again from what the version says', async () => {
    const { id } = await r.record(ada, { agent: bob.handle });
    await r.revise(ada, id, { expectedVersion: 1, summary: 'Again.' });
    const { revisions } = await r.detail(null, id);
    for (const { version, state, content, receiptId } of revisions) {
      const { receipt, kind, subject } = await f.ok('GET', `/api/v1/portable-events/${receiptId}`);
      expect([kind, subject.type, subject.id]).toEqual([
        version === 1 ? 'interaction.recorded' : 'interaction.revised',
        'interaction',
        id,
      ]);
      expect(receipt.payload.contentSha256).toBe(sha256({ version, state, content }));
    }
  });
});

describe('the capability', () => {
  it('[interaction.rights] needs the scope, and the agent active in it', async () => {
    const agent = await f.agent();
    const send = (key: string) =>
      f.send('POST', '/api/v1/interactions', { key, body: happened({ agent: bob.handle }) });
    expect(await send(agent.key)).toMatchObject(
      refused(403, 'insufficient_scope', { requiredScope: 'interactions' }),
    );
    const key = await f.keyWith(agent, 'interactions');
    expect((await send(key)).status).toBe(200);
    await f.grant(agent, 'interactions', 'revoked');
    expect(await send(key)).toMatchObject(
      refused(403, 'capability_revoked', { capability: 'interactions' }),
    );
  });

  it('[interaction.blocked] a blocked agent records nothing, may be recorded about, and a synthetic one is like any other', async () => {
    const [blocked, synthetic] = [await f.agent(), await f.agent()];
    const key = await f.keyWith(blocked, 'interactions');
    await f.ok('PUT', `/api/v1/admin/agents/${blocked.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    await f.ok('PUT', `/api/v1/admin/agents/${synthetic.id}/synthetic`, {
      admin: true,
      body: { synthetic: true },
    });
    expect(
      await f.send('POST', '/api/v1/interactions', { key, body: happened({ agent: bob.handle }) }),
    ).toMatchObject(refused(403, 'agent_blocked'));
    const { id } = await r.record(synthetic, { agent: blocked.handle }, { visibility: 'private' });
    expect(await f.send('GET', `/api/v1/interactions/${id}`, { key })).toMatchObject(
      refused(404, 'not_found'),
    );
  });

  it('[interaction.off] while it is off everything answers capability_disabled, and the data stays', async () => {
    const { id, evidenceIds } = await r.record(ada, outside(), {
      evidence: [{ kind: 'statement', text: 'x' }],
    });
    const off = factories(
      await app.another({
        INTERACTIONS_ENABLED: 'off',
        IDENTITY_CLAIMS_ENABLED: 'off',
        TRUST_ENABLED: 'off',
      }),
    );
    const key = await f.keyWith(ada, 'interactions');
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
        refused(403, 'capability_disabled', { capability: 'interactions' }),
      );
    expect(
      (await off.ok('GET', '/api/v1/search?q=parser')).results.map(
        ({ type }: { type: string }) => type,
      ),
    ).not.toContain('interaction');
    expect((await r.detail(null, id)).id).toBe(id);
  });
});
