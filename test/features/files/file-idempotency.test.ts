import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import type { Operation } from '../../../src/kernel/operation/operation.ts';
import { getOperation } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type SentFile, type TestAgent } from '../../support/factories.ts';
import { createFolderLists } from './files-on-disk.ts';

const app = await startApp();
const f = factories(app);
const { db, blobs } = app.app.env;
const { listArriving, listStored } = createFolderLists(app);
const owner = await f.createAgent();
const author = await f.createAgent();
const room = await f.createRoom(owner);
await f.joinRoom(author, room);
const thread = await f.createThread(owner, room);
const HOUR = 3_600_000;

const post = async (by: TestAgent = author): Promise<string> =>
  (await f.postMessage(by, thread, 'See the file')).id;
const notes: SentFile = { name: 'notes.txt', bytes: 'Some notes.', type: 'text/plain' };
const send = (messageId: string, file: SentFile, idem: string, key = author.key) =>
  f.send('POST', `/api/v1/messages/${messageId}/files`, { key, file, idem });
const getReplayedHeader = ({ headers }: { headers: Headers }) =>
  headers.get('idempotency-replayed');
const countFiles = async (messageId: string) =>
  (
    await db.first<{ n: number }>(sql`
      SELECT count(*) AS n
      FROM files
      WHERE message_id = ${messageId}
    `)
  )?.n;

describe('attachFile repeated with the same key', () => {
  it('[file.idempotent] compares bytes, name and type, whatever the form looks like', async () => {
    const messageId = await post();
    const idem = randomUUID();
    const first = await send(messageId, notes, idem);
    expect({ status: first.status, replayed: getReplayedHeader(first) }).toEqual({
      status: 200,
      replayed: null,
    });
    const sendForm = (boundary: string, head: string) =>
      f.send('POST', `/api/v1/messages/${messageId.toUpperCase()}/files`, {
        key: author.key,
        idem,
        raw: `--${boundary}\r\n${head}\r\n\r\nSome notes.\r\n--${boundary}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
    for (const again of [
      await send(messageId, notes, idem),
      await sendForm(
        'x',
        'Content-Type: Text/Plain\r\nContent-Disposition: form-data; name="file"; ' +
          'filename="notes.txt"',
      ),
      await sendForm(
        'y-z',
        'Content-Disposition: form-data; filename=" folder/notes.txt "; ' +
          'name=file\r\nX-Other: header\r\nContent-Type: text/plain',
      ),
    ])
      expect({
        status: again.status,
        replayed: getReplayedHeader(again),
        text: again.text,
      }).toEqual({ status: 200, replayed: 'true', text: first.text });
    expect(await countFiles(messageId)).toBe(1);
  });

  it('[file.idempotent] replays over either edge, since the pipeline takes bytes', async () => {
    const messageId = await post();
    const idem = randomUUID();
    const generateBytes = async function* () {
      for (const letter of 'Some notes.') yield Buffer.from(letter);
    };
    const direct = await app.app.execute(getOperation('attachFile') as Operation, {
      credentials: { apiKey: author.key },
      address: '127.0.0.1',
      idempotencyKey: idem,
      params: { id: messageId },
      query: {},
      body: undefined,
      file: async () => ({ name: notes.name, mediaType: 'text/plain', bytes: generateBytes() }),
    });
    const again = await send(messageId, notes, idem);
    expect({
      direct: direct.replayed,
      status: again.status,
      replayed: getReplayedHeader(again),
      text: again.text,
    }).toEqual({ direct: false, status: 200, replayed: 'true', text: direct.body });
  });

  it('[file.idempotent] rejects other bytes, another name, type or message', async () => {
    const messageId = await post();
    const other = await post();
    const idem = randomUUID();
    await send(messageId, notes, idem);
    const before = {
      stored: await listStored(),
      blobs: await db.rows(sql`SELECT sha256, claims, touched_at FROM blobs`),
    };
    for (const [to, file] of [
      [messageId, { ...notes, bytes: 'Other notes' }],
      [messageId, { ...notes, name: 'Notes.txt' }],
      [messageId, { ...notes, type: 'text/markdown' }],
      [other, notes],
    ] as const)
      expect(await send(to, file, idem)).toMatchObject(buildProblem(422, 'idempotency_key_reused'));
    expect({
      files: await countFiles(messageId),
      otherFiles: await countFiles(other),
      arriving: await listArriving(),
    }).toEqual({ files: 1, otherFiles: 0, arriving: [] });
    expect({
      stored: await listStored(),
      blobs: await db.rows(sql`SELECT sha256, claims, touched_at FROM blobs`),
    }).toEqual(before);
  });

  it('[file.idempotent] leaves the key unused when the upload failed', async () => {
    const messageId = await post();
    const idem = randomUUID();
    expect(await send(messageId, { ...notes, name: '..' }, idem)).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    expect(await send(messageId, notes, idem, owner.key)).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
    const answer = await send(messageId, notes, idem);
    expect({ status: answer.status, replayed: getReplayedHeader(answer) }).toEqual({
      status: 200,
      replayed: null,
    });
  });

  it('[file.replay-first] replays although the message is full, closed or gone', async () => {
    const leaver = await f.createAgent();
    await f.joinRoom(leaver, room);
    const messageId = await post(leaver);
    const idem = randomUUID();
    for (let file = 0; file < 9; file++) await f.attachFile(leaver, messageId);
    const first = await send(messageId, notes, idem, leaver.key);
    const sendAgain = async (what: string) => {
      const answer = await send(messageId, notes, idem, leaver.key);
      expect({
        what,
        status: answer.status,
        replayed: getReplayedHeader(answer),
        text: answer.text,
      }).toEqual({ what, status: 200, replayed: 'true', text: first.text });
      expect(
        (await send(messageId, notes, randomUUID(), leaver.key)).status,
        what,
      ).toBeGreaterThanOrEqual(400);
      expect(
        await send(messageId, { ...notes, bytes: 'Other' }, idem, leaver.key),
        what,
      ).toMatchObject(buildProblem(422, 'idempotency_key_reused'));
    };
    await sendAgain('full');
    app.clock.advance(25 * HOUR);
    await sendAgain('closed');
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${leaver.id}`, { key: owner.key });
    await sendAgain('removed');
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    await sendAgain('deleted');
  });
});

type Step =
  | ['attach', content: number]
  | ['delete', message: number]
  | ['hours', number]
  | ['collect'];

describe('attachFile and the collector', () => {
  it('[file.never-lost] [file.collected] keep the bytes of every file', {
    timeout: 300_000,
  }, async () => {
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constant('attach' as const), fc.nat(3)) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('delete' as const), fc.nat(5)) },
      {
        weight: 2,
        arbitrary: fc.tuple(fc.constant('hours' as const), fc.integer({ min: 1, max: 30 })),
      },
      { weight: 2, arbitrary: fc.constant<Step>(['collect']) },
    );
    const run = async (steps: readonly Step[]) => {
      const live: { messageId: string; sha256: string }[] = [];
      const lost = new Map<string, number>();
      const salt = randomUUID();
      for (const [what, which = 0] of steps) {
        if (what === 'attach') {
          const messageId = await post();
          const { sha256 } = await f.attachFile(author, messageId, {
            name: 'x',
            bytes: `${salt} ${which}`,
          });
          live.push({ messageId, sha256 });
          lost.delete(sha256);
        } else if (what === 'delete') {
          const [gone] = live.splice(which, 1);
          if (!gone) continue;
          await f.ok('DELETE', `/api/v1/admin/messages/${gone.messageId}`, { admin: true });
          if (!live.some(({ sha256 }) => sha256 === gone.sha256))
            lost.set(gone.sha256, app.clock());
        } else if (what === 'hours') app.clock.advance(which * HOUR);
        else await app.app.jobs.runDue();
        for (const { sha256 } of live) expect(await blobs.has(sha256)).toBe(true);
        if (what === 'collect')
          for (const [sha256, at] of lost)
            if (app.clock() - at >= 24 * HOUR) expect(await blobs.has(sha256)).toBe(false);
        for (const [sha256, at] of lost)
          if (app.clock() - at < 12 * HOUR) expect(await blobs.has(sha256)).toBe(true);
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => run(steps)),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 25) },
    );
  });
});
