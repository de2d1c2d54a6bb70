import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../client/src/calls/client.ts';
import { sql } from '../../../src/db/sql.ts';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  type SentFile,
  type TestAgent,
} from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;
const fixture = await createFixture(f);
const { owner, member, outsider, threads } = fixture;

const HOUR = 3_600_000;
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const post = async (author: TestAgent = owner, thread = threads.open): Promise<string> =>
  (await f.postMessage(author, thread, 'See the file')).id;
const send = (messageId: string, file: SentFile, author: TestAgent = owner, idem?: string) =>
  f.send('POST', `/api/v1/messages/${messageId}/files`, {
    key: author.key,
    file,
    ...(idem && { idem }),
  });
const read = (id: string, key?: string) => f.send('GET', `/api/v1/files/${id}`, { key });
const getMessage = async (thread: string, id: string, key?: string): Promise<Json> =>
  (await f.ok('GET', `/api/v1/threads/${thread}/messages?anchorId=${id}`, { key })).messages.find(
    (message: Json) => message.id === id,
  );
const notes: SentFile = { name: 'notes.txt', bytes: 'Some notes.', type: 'text/plain' };

describe('attachFile', () => {
  it('[file.attach] returns the FileRow, and downloadFile the bytes', async () => {
    const messageId = await post();
    const answer = await send(messageId, notes);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      messageId,
      name: 'notes.txt',
      mediaType: 'text/plain',
      size: 11,
      sha256: sha256('Some notes.'),
      authorId: owner.id,
      createdAt: new Date(app.clock()).toISOString(),
      url: `${app.url}/api/v1/files/${answer.body.id}`,
    });
    expect((await read(answer.body.id)).text).toBe('Some notes.');
    expect(await (await fetch(answer.body.url)).text()).toBe('Some notes.');
  });

  it('[file.attach] accepts an empty file and one that spans pieces of a stream', async () => {
    const messageId = await post();
    const empty = await f.attachFile(owner, messageId, { name: 'empty', bytes: '' });
    expect(empty).toMatchObject({
      size: 0,
      mediaType: 'application/octet-stream',
      sha256: sha256(''),
    });
    expect(await read(empty.id)).toMatchObject({ status: 200, text: '' });
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7919) % 251);
    const large = await f.attachFile(owner, messageId, { name: 'large', bytes });
    expect(large).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
    expect(Buffer.from(await (await fetch(large.url)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('[file.listed] lists files at their message in the order of arrival', async () => {
    const thread = await f.createThread(owner, fixture.publicRoom);
    const one = await post(owner, thread);
    const two = await post(owner, thread);
    const getPage = () => f.ok('GET', `/api/v1/threads/${thread}/messages?limit=3`);
    // A full page is cached from the second read on.
    for (let times = 0; times < 3; times++)
      expect((await getPage()).messages.map(({ files }: Json) => files)).toEqual([[], [], []]);
    const rows = [
      await f.attachFile(owner, two),
      await f.attachFile(owner, two, { name: 'b', bytes: 'B' }),
    ];
    for (let times = 0; times < 3; times++)
      expect((await getPage()).messages.map(({ files }: Json) => files)).toEqual([[], [], rows]);
    rows.push(await f.attachFile(owner, one));
    expect((await getPage()).messages.map(({ files }: Json) => files)).toEqual([
      [],
      [rows[2]],
      rows.slice(0, 2),
    ]);
  });

  it('[file.listed] counts files where they are public', async () => {
    const countFiles = async () => (await f.ok('GET', '/api/v1/stats')).files;
    const before = await countFiles();
    for (const thread of [threads.membersOnly, threads.listed, threads.hidden])
      await f.attachFile(owner, await post(owner, thread));
    expect(await countFiles()).toBe(before);
    await f.attachFile(owner, await post());
    expect(await countFiles()).toBe(before + 1);
  });

  it('[file.receipt] issues one receipt', async () => {
    for (const [thread, visibility] of [
      [threads.open, 'public'],
      [threads.membersOnly, 'private'],
      [threads.listed, 'private'],
    ] as const) {
      const { id } = await f.attachFile(member, await post(member, thread));
      const events = await db.rows(sql`
          SELECT e.kind, e.visibility, e.actor_id AS actor, e.subject_type AS type,
            encode(e.content_sha256, 'hex') AS hash, e.id = f.receipt_id AS linked
          FROM portable_events e
          JOIN files f ON f.id = e.subject_id
          WHERE f.id = ${id}
        `);
      expect(events).toEqual([
        {
          kind: 'file.attached',
          visibility,
          actor: member.id,
          type: 'file',
          hash: sha256('Some notes.'),
          linked: true,
        },
      ]);
    }
  });
});

describe('attachFile, its author and its time', () => {
  it('[file.author] accepts files of the author only, as a member', async () => {
    const messageId = await post(member);
    for (const other of [owner, outsider])
      expect(await send(messageId, notes, other)).toMatchObject(buildProblem(403, 'forbidden'));
    await f.ok('DELETE', `/api/v1/rooms/${fixture.publicRoom}/members/${member.id}`, {
      key: member.key,
    });
    expect(await send(messageId, notes, member)).toMatchObject(
      buildProblem(403, 'membership_required', { roomId: fixture.publicRoom }),
    );
    await f.joinRoom(member, fixture.publicRoom);
    expect((await send(messageId, notes, member)).status).toBe(200);
  });

  it('[file.author] reveals nothing about a message that the caller may not know', async () => {
    const hidden = await post(owner, threads.hidden);
    const known = await send(hidden, notes, outsider);
    const unknown = await send(fixture.publicRoom, notes, outsider);
    expect(known).toMatchObject(buildProblem(404, 'not_found'));
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...known.body, requestId: '' });
  });

  it('[file.ten] accepts ten files a message', async () => {
    const messageId = await post();
    for (let file = 0; file < 10; file++) await f.attachFile(owner, messageId);
    expect(await send(messageId, notes)).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 10 }),
    );
    expect((await getMessage(threads.open, messageId)).files).toHaveLength(10);
    expect((await send(await post(), notes)).status).toBe(200);
  });

  it('[file.day] accepts files for 24 hours', async () => {
    const messageId = await post();
    app.clock.advance(24 * HOUR);
    expect((await send(messageId, notes)).status).toBe(200);
    app.clock.advance(1);
    expect(await send(messageId, notes)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'closed' }),
    );
  });
});

describe('the name of a file', () => {
  const sendAndGetName = async (name: string) =>
    (await send(await post(), { ...notes, name })).body.name;

  it.for([
    ['notes.txt', 'notes.txt'],
    ['  padded.txt ', 'padded.txt'],
    ['Gro\u0308\u00dfe 文書 😀.md', 'Gr\u00f6\u00dfe 文書 😀.md'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/shadow', 'shadow'],
    ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
    ['a/b\\c', 'c'],
    ['..hidden', '..hidden'],
    ['...', '...'],
    ['%2e%2e%2fpasswd', '%2e%2e%2fpasswd'],
    ['<script>.html', '<script>.html'],
    ["'; DROP TABLE files; --", "'; DROP TABLE files; --"],
    ['CON', 'CON'],
    ['😀'.repeat(255), '😀'.repeat(255)],
  ] as const)('[file.names] %s is stored as %s', async ([sent, kept]) => {
    expect(await sendAndGetName(sent)).toBe(kept);
  });

  it('[file.names] is sent unchanged by the client', async () => {
    const client = createClient({ baseUrl: app.url, apiKey: owner.key });
    for (const [name, kept] of [
      ['a "quoted" name.txt'],
      ['%22;b="c'],
      ["李 '😀"],
      ['c:\\"x"', '"x"'],
      ['a\r\nContent-Type: b', 'a%0D%0AContent-Type: b'],
    ] as const) {
      const file = new File(['Words'], name, { type: 'text/plain' });
      expect(await client.attachFile({ params: { id: await post() }, file })).toMatchObject({
        name: kept ?? name,
        size: 5,
      });
    }
  });

  it.for([
    '..',
    '.',
    'a/',
    '   ',
    '/',
    'a\u0000b',
    '\u202egnp.exe',
    'a\u2066b',
    'tab\there',
    '\u0085',
    'x'.repeat(256),
    '😀'.repeat(256),
    `${'é'.normalize('NFD').repeat(256)}`,
  ])('[file.names] %s is rejected', async (name) => {
    const messageId = await post();
    const answer = await send(messageId, { ...notes, name });
    expect(answer).toMatchObject(
      buildProblem(400, 'invalid_request', {
        errors: [{ pointer: '/body/file', detail: expect.stringContaining('name') }],
      }),
    );
    expect((await getMessage(threads.open, messageId)).files).toEqual([]);
  });
});

describe('the media type of a file', () => {
  const sendAndGetType = async (bytes: string | Uint8Array<ArrayBuffer>, type: string) => {
    const row = await f.attachFile(owner, await post(), { name: 'x', bytes, type });
    const answer = await read(row.id);
    return [row.mediaType, answer.headers.get('content-type')];
  };

  it('[file.type] is detected from its bytes, whatever its name', async () => {
    const png = Uint8Array.from(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    for (const type of [
      'image/png',
      'text/html',
      'application/x-msdownload',
      '',
      'not a type at all',
      `x/${'y'.repeat(5000)}`,
    ])
      expect(await sendAndGetType(png, type)).toEqual(['image/png', 'image/png']);
    expect(await sendAndGetType('Words', 'text/html')).toEqual([
      'text/plain',
      'text/plain; charset=utf-8',
    ]);
    for (const page of [
      '<!doctype html><script>alert(1)</script>',
      '<svg onload="alert(1)"/>',
      '\ufeff <?xml version="1.0"?>',
    ])
      for (const type of ['text/html', 'image/svg+xml', 'image/png'])
        expect(await sendAndGetType(page, type)).toEqual(Array(2).fill('application/octet-stream'));
  });

  it('[file.unopened] of an archive is detected without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const row = await f.attachFile(owner, await post(), {
      name: 'bomb.gz',
      bytes: Uint8Array.from(bomb),
    });
    expect(row).toMatchObject({
      size: bomb.length,
      sha256: sha256(bomb),
      mediaType: 'application/gzip',
    });
    const answer = await fetch(row.url);
    expect({
      contentEncoding: answer.headers.get('content-encoding'),
      contentType: answer.headers.get('content-type'),
    }).toEqual({ contentEncoding: null, contentType: 'application/gzip' });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bomb)).toBe(true);
    const zip = Uint8Array.from(
      Buffer.from('PK\x03\x04 and nothing that a reader of archives could follow', 'latin1'),
    );
    expect(
      await f.attachFile(owner, await post(), { name: 'broken.docx', bytes: zip }),
    ).toMatchObject({
      mediaType: 'application/zip',
      size: zip.length,
    });
  });
});

describe('files of deleted content', () => {
  const admin = { admin: true };

  it('[file.gone] disappear with their message, from its page and the count', async () => {
    const messageId = await post(owner, threads.listed);
    const { id } = await f.attachFile(owner, messageId);
    await f.attachFile(owner, messageId);
    const getFileCount = async () =>
      (
        await db.first<{ n: number }>(sql`
          SELECT file_count AS n
          FROM threads
          WHERE id = ${threads.listed}
        `)
      )?.n ?? 0;
    const before = await getFileCount();
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, admin);
    expect(await read(id, owner.key)).toMatchObject(
      buildProblem(410, 'gone', { reason: 'deleted' }),
    );
    expect(await read(id, outsider.key)).toMatchObject(buildProblem(403, 'forbidden'));
    expect(await send(messageId, notes)).toMatchObject(buildProblem(410, 'gone'));
    expect(await getMessage(threads.listed, messageId, owner.key)).toMatchObject({
      deleted: true,
      files: [],
    });
    expect(await getFileCount()).toBe(before - 2);
  });

  it('[file.gone] disappear with their thread', async () => {
    const thread = await f.createThread(owner, fixture.publicRoom);
    const messageId = await post(owner, thread);
    const { id } = await f.attachFile(owner, messageId);
    const before = (await f.ok('GET', '/api/v1/stats')).files;
    await f.ok('DELETE', `/api/v1/admin/threads/${thread}`, admin);
    for (const stage of ['at once', 'when all of it is removed']) {
      expect(await read(id), stage).toMatchObject(buildProblem(410, 'gone'));
      expect(await send(messageId, notes), stage).toMatchObject(buildProblem(410, 'gone'));
      expect((await f.ok('GET', '/api/v1/stats')).files, stage).toBe(before - 1);
      await app.app.jobs.runDue();
    }
    expect(await db.rows(sql`SELECT 1 FROM files WHERE id = ${id}`)).toEqual([]);
  });

  it('[file.gone] [error.not-found-identical] answer gone, others not_found', async () => {
    const hidden = await f.attachFile(owner, await post(owner, threads.hidden));
    const known = await read(hidden.id, outsider.key);
    const unknown = await read(fixture.publicRoom, outsider.key);
    expect(known).toMatchObject(buildProblem(404, 'not_found'));
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...known.body, requestId: '' });
    const pickHeaders = ({ headers }: typeof known) =>
      [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    expect(pickHeaders(unknown)).toEqual(pickHeaders(known));
  });
});
