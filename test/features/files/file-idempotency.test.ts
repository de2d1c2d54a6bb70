import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import type { Operation } from '../../../src/kernel/operation/operation.ts';
import { startApp } from '../../support/app.ts';
import { factories, refused, type SentFile, type TestAgent } from '../../support/factories.ts';
import { filesOnDisk } from './files-on-disk.ts';
import { operationOf } from '../../operations/fixture.ts';

const app = await startApp();
const f = factories(app);
const { db, blobs } = app.app.env;
const { arriving, kept } = filesOnDisk(app);
const [owner, author] = [await f.agent(), await f.agent()];
const room = await f.room(owner);
await f.join(author, room);
const thread = await f.thread(owner, room);
const HOUR = 3_600_000;

const post = async (by: TestAgent = author): Promise<string> =>
  (await f.post(by, thread, 'See the file')).id;
const notes: SentFile = { name: 'notes.txt', bytes: 'Some notes.', type: 'text/plain' };
const send = (messageId: string, file: SentFile, idem: string, key = author.key) =>
  f.send('POST', `/api/v1/messages/${messageId}/files`, { key, file, idem });
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed');
const filesOf = async (messageId: string) =>
  (
    await db.first<{ n: number }>(
      sql`SELECT count(*) AS n FROM files WHERE message_id = ${messageId}`,
    )
  )?.n;

describe('a repeated upload', () => {
  it('[file.idempotent] is the same by bytes, name and type, whatever the form looks like', async () => {
    const [messageId, idem] = [await post(), randomUUID()];
    const first = await send(messageId, notes, idem);
    expect([first.status, replayed(first)]).toEqual([200, null]);
    const hand = (boundary: string, head: string) =>
      f.send('POST', `/api/v1/messages/${messageId.toUpperCase()}/files`, {
        key: author.key,
        idem,
        raw: `--${boundary}\r\n${head}\r\n\r\nSome notes.\r\n--${boundary}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
    for (const again of [
      await send(messageId, notes, idem),
      await hand(
        'x',
        'Content-Type: Text/Plain\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"',
      ),
      await hand(
        'y-z',
        'Content-Disposition: form-data; filename=" folder/notes.txt "; name=file\r\nX-Other: header\r\nContent-Type: text/plain',
      ),
    ])
      expect([again.status, replayed(again), again.text]).toEqual([200, 'true', first.text]);
    expect(await filesOf(messageId)).toBe(1);
  });

  it('[file.idempotent] is the same by whichever edge it comes: the pipeline takes bytes, not a form', async () => {
    const [messageId, idem] = [await post(), randomUUID()];
    const bytes = async function* () {
      for (const letter of 'Some notes.') yield Buffer.from(letter);
    };
    const direct = await app.app.execute(operationOf('attachFile') as Operation, {
      credentials: { apiKey: author.key },
      address: '127.0.0.1',
      idempotencyKey: idem,
      params: { id: messageId },
      query: {},
      body: undefined,
      file: async () => ({ name: notes.name, mediaType: 'text/plain', bytes: bytes() }),
    });
    const again = await send(messageId, notes, idem);
    expect([direct.replayed, again.status, replayed(again), again.text]).toEqual([
      false,
      200,
      'true',
      direct.body,
    ]);
  });

  it('[file.idempotent] is refused with other bytes, another name, another type or another message', async () => {
    const [messageId, other, idem] = [await post(), await post(), randomUUID()];
    await send(messageId, notes, idem);
    const before = [await kept(), await db.rows(sql`SELECT sha256, claims, touched_at FROM blobs`)];
    for (const [to, file] of [
      [messageId, { ...notes, bytes: 'Other notes' }],
      [messageId, { ...notes, name: 'Notes.txt' }],
      [messageId, { ...notes, type: 'text/markdown' }],
      [other, notes],
    ] as const)
      expect(await send(to, file, idem)).toMatchObject(refused(422, 'idempotency_key_reused'));
    expect([await filesOf(messageId), await filesOf(other), await arriving()]).toEqual([1, 0, []]);
    expect([
      await kept(),
      await db.rows(sql`SELECT sha256, claims, touched_at FROM blobs`),
    ]).toEqual(before);
  });

  it('[file.idempotent] leaves its key unused when it failed', async () => {
    const [messageId, idem] = [await post(), randomUUID()];
    expect(await send(messageId, { ...notes, name: '..' }, idem)).toMatchObject(
      refused(400, 'invalid_request'),
    );
    expect(await send(messageId, notes, idem, owner.key)).toMatchObject(refused(403, 'forbidden'));
    const answer = await send(messageId, notes, idem);
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
  });

  it('[file.replay-first] gets its answer although the message is full, closed, deleted or out of reach by now', async () => {
    const leaver = await f.agent();
    await f.join(leaver, room);
    const [messageId, idem] = [await post(leaver), randomUUID()];
    for (let file = 0; file < 9; file++) await f.attach(leaver, messageId);
    const first = await send(messageId, notes, idem, leaver.key);
    const again = async (what: string) => {
      const answer = await send(messageId, notes, idem, leaver.key);
      expect([what, answer.status, replayed(answer), answer.text]).toEqual([
        what,
        200,
        'true',
        first.text,
      ]);
      expect(
        (await send(messageId, notes, randomUUID(), leaver.key)).status,
        what,
      ).toBeGreaterThanOrEqual(400);
      expect(
        await send(messageId, { ...notes, bytes: 'Other' }, idem, leaver.key),
        what,
      ).toMatchObject(refused(422, 'idempotency_key_reused'));
    };
    await again('full');
    app.clock.advance(25 * HOUR);
    await again('closed');
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${leaver.id}`, { key: owner.key });
    await again('removed');
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    await again('deleted');
  });
});

type Step =
  | ['attach', content: number]
  | ['delete', message: number]
  | ['hours', number]
  | ['collect'];

describe('whatever happens', () => {
  it('[file.never-lost] [file.collected] every file has its bytes, and bytes without a file are gone a day later', {
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
          const { sha256 } = await f.attach(author, messageId, {
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
