import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, until } from '../../support/factories.ts';
import { outside, RECORDS, recorders } from './setup.ts';

const app = await startApp(RECORDS);
const f = factories(app);
const r = recorders(f);
const [ada, bob, eve] = [await f.agent(), await f.agent(), await f.agent()];
for (const agent of [ada, bob, eve])
  for (const scope of ['interactions', 'credentials']) await f.keyWith(agent, scope);
const view = (receiptId: string, as = {}): Promise<Loose> =>
  f.ok('GET', `/api/v1/portable-events/${receiptId}`, as);

describe('in search', () => {
  const found = async (q: string, as = {}): Promise<Loose[]> =>
    (await f.ok('GET', `/api/v1/search?q=${encodeURIComponent(q)}`, as)).results;
  const ids = async (q: string, as = {}) => (await found(q, as)).map(({ id }) => id);

  it('[search.interactions] a public interaction is found by its words at once, as it is now, until it is withdrawn', async () => {
    const { id } = await r.record(
      ada,
      { agent: bob.handle },
      { summary: 'A quokka was delivered', context: 'zoology', kind: 'incident' },
    );
    const [result] = await found('quokka type:interaction');
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
    expect(await ids(`quokka from:${ada.handle}`)).toEqual([id]);
    expect(await ids('quokka -type:interaction')).toEqual([]);
    await r.revise(ada, id, { expectedVersion: 1, summary: 'A numbat was delivered' });
    expect([await ids('quokka'), await ids('numbat')]).toEqual([[], [id]]);
    await r.revise(ada, id, { expectedVersion: 2, state: 'withdrawn' });
    expect(await ids('numbat')).toEqual([]);
  });

  it('[search.interactions] a private one is found by nobody', async () => {
    await r.record(
      ada,
      { agent: bob.handle },
      { summary: 'A dugong was delivered', visibility: 'private' },
    );
    for (const agent of [ada, bob])
      expect(await ids('dugong', { key: await f.keyWith(agent, 'interactions') })).toEqual([]);
  });

  it('[search.claims] a claim is found by its words until it is withdrawn', async () => {
    const { body } = await r.claim(ada, ada.id, {
      claim: 'operator',
      value: 'Axolotl Works',
      note: 'since long',
    });
    expect(await found('axolotl type:claim')).toMatchObject([
      {
        type: 'claim',
        id: body.id,
        title: `operator of @${ada.handle}`,
        url: `${app.url}/api/v1/identity-claims/${body.id}`,
      },
    ]);
    await r.reviseClaim(ada, body.id, { expectedVersion: 1, value: 'Olm Works' });
    expect([await ids('axolotl'), await ids('olm')]).toEqual([[], [body.id]]);
    await r.reviseClaim(ada, body.id, { expectedVersion: 2, state: 'withdrawn' });
    expect(await ids('olm')).toEqual([]);
  });
});

describe('as receipts', () => {
  it('[record.superseded] a receipt says by which act its own was superseded; evidence supersedes nothing of the interaction', async () => {
    const { id, receiptId } = await r.record(ada, { agent: bob.handle });
    expect(await view(receiptId)).toMatchObject({
      summary: `@${ada.handle} recorded an interaction about @${bob.handle}`,
      current: { state: 'current', supersededBy: null },
    });
    await r.submit(bob, id, { expectedVersion: 1, kind: 'statement', text: 'So.' });
    expect((await view(receiptId)).current).toMatchObject({ state: 'current', supersededBy: null });
    const { body: second } = await r.revise(ada, id, { expectedVersion: 2, summary: 'Again.' });
    expect((await view(receiptId)).current).toMatchObject({
      state: 'superseded',
      supersededBy: second.receiptId,
    });
    const { body: last } = await r.revise(ada, id, { expectedVersion: 3, state: 'withdrawn' });
    expect((await view(second.receiptId)).current).toMatchObject({
      state: 'withdrawn',
      supersededBy: last.receiptId,
    });
    expect((await view(last.receiptId)).current).toMatchObject({
      state: 'withdrawn',
      supersededBy: null,
    });
    expect((await view(last.receiptId)).subject.url).toBe(`${app.url}/api/v1/interactions/${id}`);
  });

  it('[record.private-receipt] a private one is read by the parties, with the scope credentials', async () => {
    const { receiptId } = await r.record(ada, { agent: bob.handle }, { visibility: 'private' });
    for (const agent of [ada, bob])
      expect(await view(receiptId, { key: await f.keyWith(agent, 'credentials') })).toMatchObject({
        visibility: 'private',
        kind: 'interaction.recorded',
      });
    const path = `/api/v1/portable-events/${receiptId}`;
    for (const as of [{}, { key: await f.keyWith(eve, 'credentials') }])
      expect(await f.send('GET', path, as)).toMatchObject(refused(404, 'not_found'));
    expect(await f.send('GET', path, { key: await f.keyWith(bob, 'interactions') })).toMatchObject(
      refused(403, 'insufficient_scope'),
    );
  });

  it('[record.concerned] acts come to the target and the author, whoever of them acts', async () => {
    const [author, target] = [await f.agent(), await f.agent()];
    const { id, receiptId } = await r.record(author, { agent: target.handle });
    const submitted = (
      await r.submit(target, id, { expectedVersion: 1, kind: 'statement', text: 'So.' })
    ).body;
    const withdrawn = (await r.withdraw(target, submitted.id)).body;
    const claimed = (await r.claim(author, target.id)).body;
    const wanted = [receiptId, submitted.receiptId, withdrawn.receiptId, claimed.receiptId];
    const stream = async (agent: typeof author) =>
      (await f.ok('GET', '/api/v1/me/events', { key: agent.key })).events.map(
        (one: Loose) => one.id,
      );
    for (const agent of [author, target])
      await until(
        'the acts are in the stream',
        async () => (await stream(agent)).length >= wanted.length,
      );
    for (const agent of [author, target]) expect(await stream(agent)).toEqual(wanted);
  });
});

describe('in reports', () => {
  const report = (agent: typeof ada, targetType: string, targetId: string) =>
    f.send('POST', '/api/v1/reports', {
      key: agent.key,
      body: { targetType, targetId, reason: 'abuse' },
    });

  it('[report.records] what one may read may be reported: interactions and evidence', async () => {
    const evidence = [{ kind: 'statement', text: 'It was so.' }];
    const open = await r.record(ada, { agent: bob.handle }, { evidence });
    const closed = await r.record(ada, outside(), { evidence, visibility: 'private' });
    expect((await report(eve, 'interaction', open.id)).status).toBe(200);
    expect((await report(eve, 'evidence', open.evidenceIds[0])).status).toBe(200);
    expect(await report(eve, 'interaction', closed.id)).toMatchObject(refused(404, 'not_found'));
    expect(await report(eve, 'evidence', closed.evidenceIds[0])).toMatchObject(
      refused(404, 'not_found'),
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
