import { describe, expect, it } from 'vitest';
import { invariants } from '../../../src/cli/doctor/invariants.store.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { createFixture, digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import {
  buildInteraction,
  externalSubject,
  interactionHelpers,
  interactionSettings,
} from './setup.ts';

const app = await startApp(interactionSettings, { manualJobs: true });
const f = factories(app);
const r = interactionHelpers(f);
const fixture = await createFixture(f);
const { owner, member, outsider } = fixture;
for (const agent of [owner, member, outsider]) await f.getKeyWithScope(agent, 'interactions');
const statement = { kind: 'statement', text: 'I saw it.' };
const invalid = buildProblem(400, 'invalid_request');

/** Creates a message, a file and a receipt in a thread of the fixture. */
async function createReferences(
  which: keyof typeof fixture.threads,
  threadId = fixture.threads[which],
): Promise<readonly (readonly [kind: string, member: string, id: string])[]> {
  const { id, receiptId } = await f.postMessage(owner, threadId, 'Here it is');
  const file = await f.attachFile(owner, id);
  return [
    ['message', 'messageId', id],
    ['file', 'fileId', file.id],
    ['receipt', 'receiptId', receiptId],
  ];
}

describe('evidence of interactions', () => {
  it('[evidence.digest] submitEvidence and recordInteraction compare a given sha256', async () => {
    const { id, receiptId } = await f.postMessage(owner, fixture.threads.open, 'Here it is');
    const file = await f.attachFile(owner, id);
    const { receipt } = await f.ok('GET', `/e/${receiptId}.json`);
    const pieces = [
      { kind: 'message', messageId: id, sha256: sha256('Here it is').toString('hex') },
      { kind: 'file', fileId: file.id, sha256: file.sha256 },
      { kind: 'receipt', receiptId, sha256: receipt.payload.contentSha256 },
    ];
    const wrong = '0'.repeat(64);
    for (const [index, piece] of pieces.entries()) {
      const evidence = pieces.with(index, { ...piece, sha256: wrong });
      const body = buildInteraction(externalSubject(), { evidence });
      const answer = await r.as(owner, 'interactions', 'POST', '/api/v1/interactions', body);
      expect(answer).toMatchObject(invalid);
      expect(JSON.stringify(answer.body)).toContain(`/body/evidence/${index}/sha256`);
    }
    const made = await r.recordInteraction(owner, externalSubject(), { evidence: pieces });
    expect(made.evidenceIds).toHaveLength(3);
    for (const piece of pieces)
      expect(
        await r.submitEvidence(owner, made.id, { expectedVersion: 1, ...piece, sha256: wrong }),
      ).toMatchObject(invalid);
    expect(
      (await r.submitEvidence(owner, made.id, { expectedVersion: 1, ...pieces[1] })).status,
    ).toBe(200);
  });

  it('[evidence.submit] submitEvidence accepts evidence of author and target only', async () => {
    const { id } = await r.recordInteraction(owner, { agent: member.handle });
    const first = await r.submitEvidence(owner, id, {
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
    const second = await r.submitEvidence(member, id, {
      expectedVersion: 2,
      kind: 'url',
      url: 'http://ci.example/runs/812#end',
      sha256: 'a'.repeat(64),
    });
    expect(
      await r.submitEvidence(outsider, id, { expectedVersion: 3, ...statement }),
    ).toMatchObject(buildProblem(403, 'forbidden'));
    const detail = await r.getInteraction(null, id);
    expect(detail).toMatchObject({
      version: 3,
      evidenceCount: 2,
      evidenceIds: [first.body.id, second.body.id],
    });
    expect(
      detail.evidence.map(({ submittedBy, note, url, sha256 }: Json) => [
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

  it('[evidence.versions] submitEvidence makes a new version of the version read', async () => {
    const { id } = await r.recordInteraction(owner, { agent: member.handle });
    const one = await r.submitEvidence(member, id, { expectedVersion: 1, ...statement });
    for (const send of [
      () => r.submitEvidence(owner, id, { expectedVersion: 1, ...statement }),
      () => r.reviseInteraction(owner, id, { expectedVersion: 1, summary: 'No' }),
    ])
      expect(await send()).toMatchObject(
        buildProblem(409, 'version_conflict', { currentVersion: 2 }),
      );
    app.clock.advance(10);
    expect((await r.withdrawEvidence(member, one.body.id)).body).toMatchObject({
      id: one.body.id,
      version: 2,
      state: 'withdrawn',
    });
    const detail = await r.getInteraction(null, id);
    expect(detail).toMatchObject({
      version: 3,
      state: 'recorded',
      evidenceIds: [],
      evidenceCount: 0,
      evidence: [{ state: 'withdrawn', version: 2, text: 'I saw it.' }],
    });
    expect(
      detail.revisions.map(({ authorHandle, content }: Json) => [
        authorHandle,
        content.evidenceIds,
      ]),
    ).toEqual([
      [owner.handle, []],
      [member.handle, [one.body.id]],
      [member.handle, []],
    ]);
  });

  it('[evidence.withdraw] withdrawEvidence is for the submitter, once', async () => {
    const { id, evidenceIds } = await r.recordInteraction(
      owner,
      { agent: member.handle },
      { evidence: [statement, statement] },
    );
    const [piece, other] = evidenceIds;
    for (const agent of [member, outsider])
      expect(await r.withdrawEvidence(agent, piece)).toMatchObject(buildProblem(403, 'forbidden'));
    expect(await r.withdrawEvidence(owner, piece, 2)).toMatchObject(
      buildProblem(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(await r.withdrawEvidence(owner, id)).toMatchObject(buildProblem(404, 'not_found'));
    const { receiptId } = (await r.withdrawEvidence(owner, piece)).body;
    expect(await r.withdrawEvidence(owner, piece, 2)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'withdrawn' }),
    );
    const view = await f.ok('GET', `/api/v1/portable-events/${receiptId}`);
    expect(view).toMatchObject({
      kind: 'evidence.withdrawn',
      current: { state: 'withdrawn', supersededBy: null },
    });
    await r.reviseInteraction(owner, id, { expectedVersion: 2, state: 'withdrawn' });
    expect((await r.withdrawEvidence(owner, other)).status).toBe(200);
    expect(await r.getInteraction(null, id)).toMatchObject({
      state: 'withdrawn',
      version: 4,
      evidenceIds: [],
    });
  });

  it('[evidence.reference] submitEvidence requires the one reference of its kind', async () => {
    const { id } = await r.recordInteraction(owner, { agent: member.handle });
    const before = await digestTables(app);
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
        await r.submitEvidence(owner, id, { expectedVersion: 1, ...piece }),
        JSON.stringify(piece),
      ).toMatchObject(invalid);
    expect(await r.submitEvidence(owner, id, statement)).toMatchObject(invalid);
    expect(await digestTables(app)).toEqual(before);
  });
});

describe('limits on evidence', () => {
  it('[record.limit] leave each party its right to answer and to withdraw', async () => {
    const { id, evidenceIds } = await r.recordInteraction(
      owner,
      { agent: member.handle },
      { evidence: [statement] },
    );
    for (let version = 1; version < 200; version++)
      expect(
        await r.reviseInteraction(owner, id, { expectedVersion: version, summary: `#${version}` }),
      ).toMatchObject({ status: 200, body: { version: version + 1 } });
    expect(
      await r.reviseInteraction(owner, id, { expectedVersion: 200, summary: 'Again' }),
    ).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: 200 }));
    expect(
      (await r.submitEvidence(member, id, { expectedVersion: 200, ...statement })).status,
    ).toBe(200);
    expect((await r.withdrawEvidence(owner, evidenceIds[0])).status).toBe(200);
    expect(
      (await r.reviseInteraction(owner, id, { expectedVersion: 202, state: 'withdrawn' })).body,
    ).toMatchObject({ version: 203, state: 'withdrawn' });
    expect((await r.getInteraction(null, id)).revisions).toHaveLength(203);
  });

  it('[record.limit] allow a party 50 pieces', async () => {
    const evidence = Array(20).fill(statement);
    const { id } = await r.recordInteraction(owner, { agent: member.handle }, { evidence });
    for (let version = 1; version <= 30; version++)
      await r.submitEvidence(owner, id, { expectedVersion: version, ...statement });
    expect(await r.submitEvidence(owner, id, { expectedVersion: 31, ...statement })).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 50 }),
    );
    expect((await r.submitEvidence(member, id, { expectedVersion: 31, ...statement })).status).toBe(
      200,
    );
  });
});

describe('references in evidence', () => {
  it('[evidence.access-write] must be readable by their submitter', async () => {
    const { id } = await r.recordInteraction(owner, { agent: outsider.handle });
    for (const which of ['listed', 'hidden', 'membersOnly'] as const) {
      const hidden = await createReferences(which);
      const before = await digestTables(app);
      for (const [kind, at, thing] of hidden) {
        const answer = await r.submitEvidence(outsider, id, {
          expectedVersion: 1,
          kind,
          [at]: thing,
        });
        expect(answer, `${which} ${kind}`).toMatchObject(buildProblem(404, 'not_found'));
        expect(answer.body.detail.replace(thing, '')).toBe(
          (
            await r.submitEvidence(outsider, id, { expectedVersion: 1, kind, [at]: id })
          ).body.detail.replace(id, ''),
        );
      }
      expect(await digestTables(app)).toEqual(before);
    }
    expect((await r.getInteraction(null, id)).version).toBe(1);
    let version = 1;
    for (const [kind, at, thing] of await createReferences('open'))
      expect(
        (await r.submitEvidence(outsider, id, { expectedVersion: version++, kind, [at]: thing }))
          .status,
      ).toBe(200);
    const [, , message] = (await createReferences('open'))[0] as readonly string[];
    await f.ok('DELETE', `/api/v1/admin/messages/${message}`, { admin: true });
    expect(
      await r.submitEvidence(outsider, id, {
        expectedVersion: 4,
        kind: 'message',
        messageId: message,
      }),
    ).toMatchObject(buildProblem(404, 'not_found'));
  });

  it('[evidence.access-read] are shown to their current readers only', async () => {
    const someone = await f.createAgent();
    await f.addMember(owner, fixture.privateRoom, someone);
    const threadId = await f.createThread(owner, fixture.privateRoom);
    const evidence = (await createReferences('hidden', threadId)).map(([kind, at, thing]) => ({
      kind,
      [at]: thing,
      note: `a ${kind}`,
    }));
    const { id } = await r.recordInteraction(owner, { agent: someone.handle }, { evidence });
    const listEvidence = async (reader: Parameters<typeof r.getInteraction>[0]) =>
      (await r.getInteraction(reader, id)).evidence.map(
        ({ messageId, fileId, receiptId, note }: Json) => [
          note,
          messageId ?? fileId ?? receiptId !== null,
        ],
      );
    const whole = evidence.map(({ kind, note, ...reference }) => [
      note,
      kind === 'receipt' ? true : Object.values(reference)[0],
    ]);
    const hidden = evidence.map(({ note }) => [note, false]);
    await f.getKeyWithScope(someone, 'interactions');
    expect(await listEvidence(owner)).toEqual(whole);
    expect(await listEvidence(someone)).toEqual(whole);
    for (const reader of [outsider, null]) expect(await listEvidence(reader)).toEqual(hidden);
    await f.ok('DELETE', `/api/v1/rooms/${fixture.privateRoom}/members/${someone.id}`, {
      key: owner.key,
    });
    expect(await listEvidence(someone)).toEqual(hidden);
    await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
    expect(await listEvidence(owner)).toEqual(hidden.map(([note], index) => [note, index === 2]));
  });

  it('[interaction.provenance] in provenance follow the same rules', async () => {
    const [, , messageId] = (await createReferences('membersOnly'))[0] as readonly string[];
    const threadId = fixture.threads.membersOnly;
    const provenance = { source: 'first_hand', threadId, messageId };
    const { id } = await r.recordInteraction(owner, { agent: outsider.handle }, { provenance });
    await r.reviseInteraction(owner, id, { expectedVersion: 1, summary: 'Again.' });
    const listPlaces = ({ provenance: now, revisions }: Json) =>
      [now, ...revisions.map(({ content }: Json) => content.provenance)].map((one) => [
        one.threadId,
        one.messageId,
      ]);
    expect(listPlaces(await r.getInteraction(member, id))).toEqual(
      Array(3).fill([threadId, messageId]),
    );
    expect(listPlaces(await r.getInteraction(outsider, id))).toEqual(Array(3).fill([null, null]));
    expect(
      (await r.must(null, '', 'GET', `/api/v1/interactions?author=${owner.handle}`)).find(
        (one: Json) => one.id === id,
      ).provenance.threadId,
    ).toBeNull();
    const recordAsOutsider = (more: object) =>
      r.as(outsider, 'interactions', 'POST', '/api/v1/interactions', {
        ...body,
        provenance: { source: 'first_hand', ...more },
      });
    const body = {
      target: externalSubject(),
      kind: 'other',
      summary: 'x',
      occurredAt: '2026-01-01T00:00:00Z',
    };
    for (const more of [{ threadId }, { messageId }])
      expect(await recordAsOutsider(more)).toMatchObject(buildProblem(404, 'not_found'));
    const [, , open] = (await createReferences('open'))[0] as readonly string[];
    const other = await f.createThread(owner, fixture.publicRoom);
    expect(await recordAsOutsider({ threadId: other, messageId: open })).toMatchObject(invalid);
    expect(
      await r.reviseInteraction(owner, id, {
        expectedVersion: 2,
        provenance: { source: 'imported', threadId: id },
      }),
    ).toMatchObject(buildProblem(404, 'not_found'));
  });
});

describe('concurrent changes of an interaction', () => {
  it('[record.race] [evidence.versions] have one winner for a version', async () => {
    const other = interactionHelpers(factories(await app.startNode()));
    for (let round = 0; round < 6; round++) {
      const { id, evidenceIds } = await r.recordInteraction(
        owner,
        { agent: member.handle },
        { evidence: [statement] },
      );
      const pickNode = (index: number) => (index % 2 ? other : r);
      const ways = [
        (index: number) =>
          pickNode(index).reviseInteraction(owner, id, {
            expectedVersion: 1,
            summary: `By ${index}`,
          }),
        (index: number) =>
          pickNode(index).submitEvidence(member, id, { expectedVersion: 1, ...statement }),
        (index: number) =>
          pickNode(index).reviseInteraction(owner, id, { expectedVersion: 1, state: 'withdrawn' }),
      ];
      const answers = await runConcurrently(6, (index) =>
        (ways[(index + round) % 3] as (typeof ways)[number])(index),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers)
        if (status !== 200)
          expect(body).toMatchObject({ code: 'version_conflict', currentVersion: 2 });
      const { version, state, revisions, evidence } = await r.getInteraction(null, id);
      expect({ version, length: revisions.length }).toEqual({ version: 2, length: 2 });
      expect(evidence.length).toBe(revisions[1].content.evidenceIds.length);
      const withdrawals = await runConcurrently(4, (index) =>
        pickNode(index).withdrawEvidence(owner, evidenceIds[0]),
      );
      expect(withdrawals.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect(await r.getInteraction(null, id)).toMatchObject({ version: 3, state });
    }
  });

  it('[subject.same] create one subject on two nodes', async () => {
    const other = interactionHelpers(factories(await app.startNode()));
    const texts = [
      'github.com/race/one',
      'https://github.com/Race/One.git',
      'git@github.com:race/one',
      'ssh://git@github.com/RACE/ONE',
    ];
    const made = await runConcurrently(8, (index) =>
      (index % 2 ? other : r).recordInteraction(
        index % 3 ? owner : member,
        externalSubject(texts[index % 4]),
      ),
    );
    expect(new Set(made.map(({ subjectId }) => subjectId)).size).toBe(1);
    expect((await f.ok('GET', `/api/v1/subjects/${made[0]?.subjectId}`)).interactionCount).toBe(8);
  });

  it('[record.versions] [evidence.versions] leave every version complete', async () => {
    const { db } = app.app.env;
    const ofRecords = invariants.filter(({ holds }) => /^Every (record|interaction) /.test(holds));
    expect(ofRecords).toHaveLength(2);
    for (const { query, breaks } of ofRecords) expect(await db.rows(query), breaks).toEqual([]);
    const { id } = await r.recordInteraction(owner, externalSubject(), { evidence: [statement] });
    await db.run(sql`UPDATE records SET version = 2 WHERE id = ${id}`);
    expect(await db.rows(ofRecords[0]?.query as Sql)).toEqual([{ id }]);
    await db.run(sql`UPDATE records SET version = 1 WHERE id = ${id}`);
    await db.run(sql`
      UPDATE records
      SET state = 'withdrawn'
      WHERE id = (SELECT id FROM evidence WHERE about_id = ${id})
    `);
    expect(await db.rows(ofRecords[1]?.query as Sql)).toEqual([{ id }]);
    await expect(
      db.run(sql`
        UPDATE record_revisions
        SET state = 'other'
        WHERE record_id = ${id}
      `),
    ).rejects.toThrow('a revision never changes');
    await expect(db.run(sql`DELETE FROM record_revisions WHERE record_id = ${id}`)).rejects.toThrow(
      'a revision never changes',
    );
  });
});
