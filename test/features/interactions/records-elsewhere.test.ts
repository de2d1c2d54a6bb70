import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, waitUntil } from '../../support/factories.ts';
import { externalSubject, interactionHelpers, interactionSettings } from './setup.ts';

const app = await startApp(interactionSettings);
const f = factories(app);
const r = interactionHelpers(f);
const ada = await f.createAgent();
const bob = await f.createAgent();
const eve = await f.createAgent();
for (const agent of [ada, bob, eve])
  for (const scope of ['interactions', 'credentials']) await f.getKeyWithScope(agent, scope);
const getReceipt = (receiptId: string, as = {}): Promise<Json> =>
  f.ok('GET', `/api/v1/portable-events/${receiptId}`, as);

describe('records in search', () => {
  const searchRecords = async (q: string, as = {}): Promise<Json[]> =>
    (await f.ok('GET', `/api/v1/search?q=${encodeURIComponent(q)}`, as)).results;
  const searchIds = async (q: string, as = {}) => (await searchRecords(q, as)).map(({ id }) => id);

  it('[search.interactions] include public interactions until they are withdrawn', async () => {
    const { id } = await r.recordInteraction(
      ada,
      { agent: bob.handle },
      { summary: 'A quokka was delivered', context: 'zoology', kind: 'incident' },
    );
    const [result] = await searchRecords('quokka type:interaction');
    expect(result).toMatchObject({
      type: 'interaction',
      id,
      roomId: null,
      threadId: null,
      position: null,
      authorHandle: ada.handle,
      url: `${app.url}/api/v1/interactions/${id}`,
    });
    expect(result.title).toBe(`incident in zoology: @${bob.handle}`);
    expect(await searchIds(`quokka from:${ada.handle}`)).toEqual([id]);
    expect(await searchIds('quokka -type:interaction')).toEqual([]);
    await r.reviseInteraction(ada, id, { expectedVersion: 1, summary: 'A numbat was delivered' });
    expect({ quokka: await searchIds('quokka'), numbat: await searchIds('numbat') }).toEqual({
      quokka: [],
      numbat: [id],
    });
    await r.reviseInteraction(ada, id, { expectedVersion: 2, state: 'withdrawn' });
    expect(await searchIds('numbat')).toEqual([]);
  });

  it('[search.interactions] exclude private interactions', async () => {
    await r.recordInteraction(
      ada,
      { agent: bob.handle },
      { summary: 'A dugong was delivered', visibility: 'private' },
    );
    for (const agent of [ada, bob])
      expect(
        await searchIds('dugong', { key: await f.getKeyWithScope(agent, 'interactions') }),
      ).toEqual([]);
  });

  it('[search.claims] include claims until they are withdrawn', async () => {
    const { body } = await r.claimIdentity(ada, ada.id, {
      claim: 'operator',
      value: 'Axolotl Works',
      note: 'since long',
    });
    expect(await searchRecords('axolotl type:claim')).toMatchObject([
      {
        type: 'claim',
        id: body.id,
        title: `operator of @${ada.handle}`,
        url: `${app.url}/api/v1/identity-claims/${body.id}`,
      },
    ]);
    await r.reviseClaim(ada, body.id, { expectedVersion: 1, value: 'Olm Works' });
    expect({ axolotl: await searchIds('axolotl'), olm: await searchIds('olm') }).toEqual({
      axolotl: [],
      olm: [body.id],
    });
    await r.reviseClaim(ada, body.id, { expectedVersion: 2, state: 'withdrawn' });
    expect(await searchIds('olm')).toEqual([]);
  });
});

describe('records as receipts', () => {
  it('[record.superseded] name the receipt that superseded them', async () => {
    const { id, receiptId } = await r.recordInteraction(ada, { agent: bob.handle });
    expect(await getReceipt(receiptId)).toMatchObject({
      summary: `@${ada.handle} recorded an interaction about @${bob.handle}`,
      current: { state: 'current', supersededBy: null },
    });
    await r.submitEvidence(bob, id, { expectedVersion: 1, kind: 'statement', text: 'So.' });
    expect((await getReceipt(receiptId)).current).toMatchObject({
      state: 'current',
      supersededBy: null,
    });
    const { body: second } = await r.reviseInteraction(ada, id, {
      expectedVersion: 2,
      summary: 'Again.',
    });
    expect((await getReceipt(receiptId)).current).toMatchObject({
      state: 'superseded',
      supersededBy: second.receiptId,
    });
    const { body: last } = await r.reviseInteraction(ada, id, {
      expectedVersion: 3,
      state: 'withdrawn',
    });
    expect((await getReceipt(second.receiptId)).current).toMatchObject({
      state: 'withdrawn',
      supersededBy: last.receiptId,
    });
    expect((await getReceipt(last.receiptId)).current).toMatchObject({
      state: 'withdrawn',
      supersededBy: null,
    });
    expect((await getReceipt(last.receiptId)).subject.url).toBe(
      `${app.url}/api/v1/interactions/${id}`,
    );
  });

  it('[record.private-receipt] are readable by the parties if private', async () => {
    const { receiptId } = await r.recordInteraction(
      ada,
      { agent: bob.handle },
      { visibility: 'private' },
    );
    for (const agent of [ada, bob])
      expect(
        await getReceipt(receiptId, { key: await f.getKeyWithScope(agent, 'credentials') }),
      ).toMatchObject({
        visibility: 'private',
        kind: 'interaction.recorded',
      });
    const path = `/api/v1/portable-events/${receiptId}`;
    for (const as of [{}, { key: await f.getKeyWithScope(eve, 'credentials') }])
      expect(await f.send('GET', path, as)).toMatchObject(buildProblem(404, 'not_found'));
    expect(
      (await f.send('GET', path, { key: await f.getKeyWithScope(bob, 'interactions') })).status,
    ).toBe(200);
    expect(await f.send('GET', path, { key: bob.key })).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'interactions' }),
    );
  });

  it('[record.concerned] reach target and author, whichever of them acts', async () => {
    const author = await f.createAgent();
    const target = await f.createAgent();
    const { id, receiptId } = await r.recordInteraction(author, { agent: target.handle });
    const submitted = (
      await r.submitEvidence(target, id, { expectedVersion: 1, kind: 'statement', text: 'So.' })
    ).body;
    const withdrawn = (await r.withdrawEvidence(target, submitted.id)).body;
    const claimed = (await r.claimIdentity(author, target.id)).body;
    const wanted = [receiptId, submitted.receiptId, withdrawn.receiptId, claimed.receiptId];
    const listMyReceipts = async (agent: typeof author) =>
      (await f.ok('GET', '/api/v1/me/events', { key: agent.key })).events.map(
        (one: Json) => one.id,
      );
    for (const agent of [author, target])
      await waitUntil(
        'the acts are in the stream',
        async () => (await listMyReceipts(agent)).length >= wanted.length,
      );
    for (const agent of [author, target]) expect(await listMyReceipts(agent)).toEqual(wanted);
  });
});

describe('records in reports', () => {
  const report = (agent: typeof ada, targetType: string, targetId: string) =>
    f.send('POST', '/api/v1/reports', {
      key: agent.key,
      body: { targetType, targetId, reason: 'abuse' },
    });

  it('[report.records] may be reported by anyone who can read them', async () => {
    const evidence = [{ kind: 'statement', text: 'It was so.' }];
    const open = await r.recordInteraction(ada, { agent: bob.handle }, { evidence });
    const closed = await r.recordInteraction(ada, externalSubject(), {
      evidence,
      visibility: 'private',
    });
    expect((await report(eve, 'interaction', open.id)).status).toBe(200);
    expect((await report(eve, 'evidence', open.evidenceIds[0])).status).toBe(200);
    expect(await report(eve, 'interaction', closed.id)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await report(eve, 'evidence', closed.evidenceIds[0])).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    const [ofEvidence, ofInteraction] = await f.ok('GET', '/api/v1/admin/reports', { admin: true });
    expect(ofInteraction.target).toMatchObject({
      state: 'public',
      title: 'delivery in general',
      excerpt: 'Delivered the parser.',
      authorHandle: ada.handle,
    });
    expect(ofEvidence.target).toMatchObject({
      state: 'public',
      title: 'evidence: statement',
      excerpt: 'It was so.',
    });
  });
});
