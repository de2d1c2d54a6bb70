import { describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { invariants } from '../../../src/cli/invariants.store.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, together } from '../../support/factories.ts';
import { outside, RECORDS, recorders } from './setup.ts';
import { createWorld, stored } from '../../operations/fixture.ts';

const app = await startApp(RECORDS, { jobsByHand: true });
const f = factories(app);
const r = recorders(f);
const world = await createWorld(f);
const { owner, member, outsider } = world;
for (const agent of [owner, member, outsider]) await f.keyWith(agent, 'interactions');
const statement = { kind: 'statement', text: 'I saw it.' };
const invalid = refused(400, 'invalid_request');

/** A message, a file and a receipt in a thread of the world. */
async function things(
  which: keyof typeof world.threads,
): Promise<readonly (readonly [kind: string, member: string, id: string])[]> {
  const { id, receiptId } = await f.post(owner, world.threads[which], 'Here it is');
  const file = await f.attach(owner, id);
  return [
    ['message', 'messageId', id],
    ['file', 'fileId', file.id],
    ['receipt', 'receiptId', receiptId],
  ];
}

describe('evidence', () => {
  it('[evidence.submit] is submitted by the author and by the target, and by nobody else', async () => {
    const { id } = await r.record(owner, { agent: member.handle });
    const first = await r.submit(owner, id, {
      expectedVersion: 1,
      ...statement,
      note: 'As author',
    });
    expect(first.body).toEqual({
      id: first.body.id,
      version: 1,
      state: 'submitted',
      updatedAt: new Date(app.clock()).toISOString(),
      receiptId: first.body.receiptId,
    });
    const second = await r.submit(member, id, {
      expectedVersion: 2,
      kind: 'url',
      url: 'http://ci.example/runs/812#end',
      sha256: 'a'.repeat(64),
    });
    expect(await r.submit(outsider, id, { expectedVersion: 3, ...statement })).toMatchObject(
      refused(403, 'forbidden'),
    );
    const detail = await r.detail(null, id);
    expect(detail).toMatchObject({
      version: 3,
      evidenceCount: 2,
      evidenceIds: [first.body.id, second.body.id],
    });
    expect(
      detail.evidence.map(({ submittedBy, note, url, sha256 }: Loose) => [
        submittedBy,
        note,
        url,
        sha256,
      ]),
    ).toEqual([
      [owner.id, 'As author', null, null],
      [member.id, null, 'http://ci.example/runs/812#end', 'a'.repeat(64)],
    ]);
    const view = await f.ok('GET', `/api/v1/portable-events/${second.body.receiptId}`);
    expect(view).toMatchObject({
      kind: 'evidence.submitted',
      visibility: 'public',
      subject: { type: 'evidence', id: second.body.id },
      current: { state: 'current' },
    });
  });

  it('[evidence.versions] makes a new version of its interaction, which it must have read', async () => {
    const { id } = await r.record(owner, { agent: member.handle });
    const one = await r.submit(member, id, { expectedVersion: 1, ...statement });
    for (const send of [
      () => r.submit(owner, id, { expectedVersion: 1, ...statement }),
      () => r.revise(owner, id, { expectedVersion: 1, summary: 'No' }),
    ])
      expect(await send()).toMatchObject(refused(409, 'version_conflict', { currentVersion: 2 }));
    app.clock.advance(10);
    expect((await r.withdraw(member, one.body.id)).body).toMatchObject({
      id: one.body.id,
      version: 2,
      state: 'withdrawn',
    });
    const detail = await r.detail(null, id);
    expect(detail).toMatchObject({
      version: 3,
      state: 'recorded',
      evidenceIds: [],
      evidenceCount: 0,
      evidence: [{ state: 'withdrawn', version: 2, text: 'I saw it.' }],
    });
    expect(
      detail.revisions.map(({ authorHandle, content }: Loose) => [
        authorHandle,
        content.evidenceIds,
      ]),
    ).toEqual([
      [owner.handle, []],
      [member.handle, [one.body.id]],
      [member.handle, []],
    ]);
  });

  it('[evidence.withdraw] is withdrawn by its submitter alone, once, with its version; also of a withdrawn interaction', async () => {
    const { id, evidenceIds } = await r.record(
      owner,
      { agent: member.handle },
      { evidence: [statement, statement] },
    );
    const [piece, other] = evidenceIds;
    for (const agent of [member, outsider])
      expect(await r.withdraw(agent, piece)).toMatchObject(refused(403, 'forbidden'));
    expect(await r.withdraw(owner, piece, 2)).toMatchObject(
      refused(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(await r.withdraw(owner, id)).toMatchObject(refused(404, 'not_found'));
    const { receiptId } = (await r.withdraw(owner, piece)).body;
    expect(await r.withdraw(owner, piece, 2)).toMatchObject(
      refused(409, 'state_conflict', { state: 'withdrawn' }),
    );
    const view = await f.ok('GET', `/api/v1/portable-events/${receiptId}`);
    expect(view).toMatchObject({
      kind: 'evidence.withdrawn',
      current: { state: 'withdrawn', supersededBy: null },
    });
    await r.revise(owner, id, { expectedVersion: 2, state: 'withdrawn' });
    expect((await r.withdraw(owner, other)).status).toBe(200);
    expect(await r.detail(null, id)).toMatchObject({
      state: 'withdrawn',
      version: 4,
      evidenceIds: [],
    });
  });

  it('[evidence.reference] has the one reference that belongs to its kind', async () => {
    const { id } = await r.record(owner, { agent: member.handle });
    const before = await stored(app);
    for (const piece of [
      ...[
        { kind: 'url' },
        { kind: 'url', text: 'x' },
        { kind: 'url', url: 'x' },
        { kind: 'url', url: 'javascript:alert(1)' },
        { kind: 'url', url: 'https://a:b@c.example/' },
      ],
      ...[
        { kind: 'statement', text: 'x', url: 'https://a.example/' },
        { kind: 'statement', text: '' },
        { kind: 'message', messageId: 'x' },
        { kind: 'gossip', text: 'x' },
      ],
      ...[
        { kind: 'statement', text: 'x', sha256: 'A'.repeat(64) },
        { kind: 'statement', text: 'x', note: 'x'.repeat(1001) },
        { kind: 'file', messageId: id },
      ],
    ])
      expect(
        await r.submit(owner, id, { expectedVersion: 1, ...piece }),
        JSON.stringify(piece),
      ).toMatchObject(invalid);
    expect(await r.submit(owner, id, statement)).toMatchObject(invalid);
    expect(await stored(app)).toEqual(before);
  });
});

describe('limits', () => {
  it('[record.limit] no party can use up the right of the other to answer, and withdrawing is always possible', async () => {
    const { db } = app.app.env;
    const { id, evidenceIds } = await r.record(
      owner,
      { agent: member.handle },
      { evidence: [statement] },
    );
    await db.run(
      sql`INSERT INTO record_revisions SELECT record_id, n, author_id, state, content, receipt_id, at FROM record_revisions, generate_series(2, 200) n WHERE record_id = ${id}`,
    );
    await db.run(sql`UPDATE records SET version = 200 WHERE id = ${id}`);
    expect(await r.revise(owner, id, { expectedVersion: 200, summary: 'Again' })).toMatchObject(
      refused(422, 'limit_exceeded', { limit: 200 }),
    );
    expect((await r.submit(member, id, { expectedVersion: 200, ...statement })).status).toBe(200);
    expect((await r.withdraw(owner, evidenceIds[0])).status).toBe(200);
    expect(
      (await r.revise(owner, id, { expectedVersion: 202, state: 'withdrawn' })).body,
    ).toMatchObject({ version: 203, state: 'withdrawn' });
    expect((await r.detail(null, id)).revisions).toHaveLength(203);
  });

  it('[record.limit] a party submits 50 pieces at most', async () => {
    const evidence = Array(20).fill(statement);
    const { id } = await r.record(owner, { agent: member.handle }, { evidence });
    for (let version = 1; version <= 30; version++)
      await r.submit(owner, id, { expectedVersion: version, ...statement });
    expect(await r.submit(owner, id, { expectedVersion: 31, ...statement })).toMatchObject(
      refused(422, 'limit_exceeded', { limit: 50 }),
    );
    expect((await r.submit(member, id, { expectedVersion: 31, ...statement })).status).toBe(200);
  });
});

describe('a reference to what is stored here', () => {
  it('[evidence.access-write] needs its submitter to read it: what is hidden is not there', async () => {
    const { id } = await r.record(owner, { agent: outsider.handle });
    for (const which of ['listed', 'hidden', 'membersOnly'] as const) {
      const hidden = await things(which);
      const before = await stored(app);
      for (const [kind, at, thing] of hidden) {
        const answer = await r.submit(outsider, id, { expectedVersion: 1, kind, [at]: thing });
        expect(answer, `${which} ${kind}`).toMatchObject(refused(404, 'not_found'));
        expect(answer.body.detail.replace(thing, '')).toBe(
          (
            await r.submit(outsider, id, { expectedVersion: 1, kind, [at]: id })
          ).body.detail.replace(id, ''),
        );
      }
      expect(await stored(app)).toEqual(before);
    }
    expect((await r.detail(null, id)).version).toBe(1);
    let version = 1;
    for (const [kind, at, thing] of await things('open'))
      expect(
        (await r.submit(outsider, id, { expectedVersion: version++, kind, [at]: thing })).status,
      ).toBe(200);
    const [, , message] = (await things('open'))[0] as readonly string[];
    await f.ok('DELETE', `/api/v1/admin/messages/${message}`, { admin: true });
    expect(
      await r.submit(outsider, id, { expectedVersion: 4, kind: 'message', messageId: message }),
    ).toMatchObject(refused(404, 'not_found'));
  });

  it('[evidence.access-read] is shown to who may read it now, and the rest stands for all', async () => {
    const someone = await f.agent();
    await f.invite(owner, world.privateRoom, someone);
    const evidence = (await things('hidden')).map(([kind, at, thing]) => ({
      kind,
      [at]: thing,
      note: `a ${kind}`,
    }));
    const { id } = await r.record(owner, { agent: someone.handle }, { evidence });
    const shown = async (reader: Parameters<typeof r.detail>[0]) =>
      (await r.detail(reader, id)).evidence.map(({ messageId, fileId, receiptId, note }: Loose) => [
        note,
        messageId ?? fileId ?? receiptId !== null,
      ]);
    const whole = evidence.map(({ kind, note, ...reference }) => [
      note,
      kind === 'receipt' ? true : Object.values(reference)[0],
    ]);
    const hidden = evidence.map(({ note }) => [note, false]);
    await f.keyWith(someone, 'interactions');
    expect(await shown(owner)).toEqual(whole);
    expect(await shown(someone)).toEqual(whole);
    for (const reader of [outsider, null]) expect(await shown(reader)).toEqual(hidden);
    await f.ok('DELETE', `/api/v1/rooms/${world.privateRoom}/members/${someone.id}`, {
      key: owner.key,
    });
    expect(await shown(someone)).toEqual(hidden);
    await f.ok('DELETE', `/api/v1/admin/threads/${world.threads.hidden}`, { admin: true });
    expect(await shown(owner)).toEqual(hidden.map(([note], index) => [note, index === 2]));
  });

  it('[interaction.provenance] holds for provenance too, in every version', async () => {
    const [, , messageId] = (await things('membersOnly'))[0] as readonly string[];
    const threadId = world.threads.membersOnly;
    const provenance = { source: 'first_hand', threadId, messageId };
    const { id } = await r.record(owner, { agent: outsider.handle }, { provenance });
    await r.revise(owner, id, { expectedVersion: 1, summary: 'Again.' });
    const places = ({ provenance: now, revisions }: Loose) =>
      [now, ...revisions.map(({ content }: Loose) => content.provenance)].map((one) => [
        one.threadId,
        one.messageId,
      ]);
    expect(places(await r.detail(member, id))).toEqual(Array(3).fill([threadId, messageId]));
    expect(places(await r.detail(outsider, id))).toEqual(Array(3).fill([null, null]));
    expect(
      (await r.must(null, '', 'GET', `/api/v1/interactions?author=${owner.handle}`)).find(
        (one: Loose) => one.id === id,
      ).provenance.threadId,
    ).toBeNull();
    const asOutsider = (more: object) =>
      r.as(outsider, 'interactions', 'POST', '/api/v1/interactions', {
        ...body,
        provenance: { source: 'first_hand', ...more },
      });
    const body = {
      target: outside(),
      kind: 'other',
      summary: 'x',
      occurredAt: '2026-01-01T00:00:00Z',
    };
    for (const more of [{ threadId }, { messageId }])
      expect(await asOutsider(more)).toMatchObject(refused(404, 'not_found'));
    const [, , open] = (await things('open'))[0] as readonly string[];
    const other = await f.thread(owner, world.publicRoom);
    expect(await asOutsider({ threadId: other, messageId: open })).toMatchObject(invalid);
    expect(
      await r.revise(owner, id, {
        expectedVersion: 2,
        provenance: { source: 'imported', threadId: id },
      }),
    ).toMatchObject(refused(404, 'not_found'));
  });
});

describe('at the same moment', () => {
  it('[record.race] [evidence.versions] of two transitions with the same expected version exactly one wins, on any nodes', async () => {
    const other = recorders(factories(await app.another()));
    for (let round = 0; round < 6; round++) {
      const { id, evidenceIds } = await r.record(
        owner,
        { agent: member.handle },
        { evidence: [statement] },
      );
      const on = (index: number) => (index % 2 ? other : r);
      const ways = [
        (index: number) =>
          on(index).revise(owner, id, { expectedVersion: 1, summary: `By ${index}` }),
        (index: number) => on(index).submit(member, id, { expectedVersion: 1, ...statement }),
        (index: number) => on(index).revise(owner, id, { expectedVersion: 1, state: 'withdrawn' }),
      ];
      const answers = await together(6, (index) =>
        (ways[(index + round) % 3] as (typeof ways)[number])(index),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers)
        if (status !== 200)
          expect(body).toMatchObject({ code: 'version_conflict', currentVersion: 2 });
      const { version, state, revisions, evidence } = await r.detail(null, id);
      expect([version, revisions.length]).toEqual([2, 2]);
      expect(evidence.length).toBe(revisions[1].content.evidenceIds.length);
      const withdrawals = await together(4, (index) => on(index).withdraw(owner, evidenceIds[0]));
      expect(withdrawals.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect(await r.detail(null, id)).toMatchObject({ version: 3, state });
    }
  });

  it('[subject.same] two nodes that name a new subject name the same one', async () => {
    const other = recorders(factories(await app.another()));
    const texts = [
      'github.com/race/one',
      'https://github.com/Race/One.git',
      'git@github.com:race/one',
      'ssh://git@github.com/RACE/ONE',
    ];
    const made = await together(8, (index) =>
      (index % 2 ? other : r).record(index % 3 ? owner : member, outside(texts[index % 4])),
    );
    expect(new Set(made.map(({ subjectId }) => subjectId)).size).toBe(1);
    expect((await f.ok('GET', `/api/v1/subjects/${made[0]?.subjectId}`)).interactionCount).toBe(8);
  });

  it('[record.versions] [evidence.versions] all that was done leaves every record with its versions, and every interaction with its evidence', async () => {
    const { db } = app.app.env;
    const ofRecords = invariants.filter(({ holds }) => /^Every (record|interaction) /.test(holds));
    expect(ofRecords).toHaveLength(2);
    for (const { query, breaks } of ofRecords) expect(await db.rows(query), breaks).toEqual([]);
    const { id } = await r.record(owner, outside(), { evidence: [statement] });
    await db.run(sql`UPDATE records SET version = 2 WHERE id = ${id}`);
    expect(await db.rows(ofRecords[0]?.query as Sql)).toEqual([{ id }]);
    await db.run(sql`UPDATE records SET version = 1 WHERE id = ${id}`);
    await db.run(
      sql`UPDATE records SET state = 'withdrawn' WHERE id = (SELECT id FROM evidence WHERE about_id = ${id})`,
    );
    expect(await db.rows(ofRecords[1]?.query as Sql)).toEqual([{ id }]);
    await expect(
      db.run(sql`UPDATE record_revisions SET state = 'other' WHERE record_id = ${id}`),
    ).rejects.toThrow('a revision never changes');
    await expect(db.run(sql`DELETE FROM record_revisions WHERE record_id = ${id}`)).rejects.toThrow(
      'a revision never changes',
    );
  });
});
