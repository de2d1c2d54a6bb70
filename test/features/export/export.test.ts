import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { ExportLine } from '../../../src/features/export/schemas.ts';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, call, factories, type Json, runFewAtOnce } from '../../support/factories.ts';
import { buildExportPath, exportRoom, filterByType, insertMessages } from './read-export.ts';

const app = await startApp();
const f = factories(app);
const fixture = await createFixture(f);

/**
 * These members differ between a record and its view: its type, and whatever depends on the reader.
 */
const omitMembers = (record: Json, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

const schemaFile = new URL('../../../docs/export.schema.json', import.meta.url);
const validateLine = new Ajv2020({ strict: false, validateFormats: false }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')),
);
const expectLine = (line: string) =>
  expect({
    valid: validateLine(JSON.parse(line)),
    errors: validateLine.errors,
    line: line.slice(0, 200),
  }).toEqual({ valid: true, errors: null, line: line.slice(0, 200) });

describe('getExportSchema', () => {
  it('[export.schema] matches docs/export.schema.json (-u writes it)', async () => {
    const plain = JSON.stringify(
      { $schema: 'https://json-schema.org/draft/2020-12/schema', ...ExportLine },
      (name, value) => (name === 'textKind' ? undefined : value),
      2,
    );
    await expect(`${plain}\n`).toMatchFileSnapshot(schemaFile.pathname);
  });

  it('[export.schema] [export.trailer] describes every line, also the last', async () => {
    const { text } = await exportRoom(app, fixture.owner.key, fixture.privateRoom);
    for (const line of text.trimEnd().split('\n')) expectLine(line);
    expect({
      bareEnd: validateLine({ type: 'end' }),
      withRole: validateLine({ ...JSON.parse(text.split('\n', 1)[0] as string), role: 'owner' }),
    }).toEqual({ bareEnd: false, withRole: false });
  });
});

describe('exportRoom', () => {
  it('[export.format] has room, members, threads and messages as other reads do', async () => {
    const { owner, member, privateRoom, threads } = fixture;
    const first = await f.postMessage(owner, threads.hidden, 'One, @agent-1');
    await f.postMessage(member, threads.hidden, 'Two', { replyToId: first.id });
    await f.ok('PUT', `/api/v1/threads/${threads.hidden}/summary`, {
      key: owner.key,
      body: { summary: 'So', messageIds: [first.id] },
    });
    const file = await f.attachFile(owner, first.id);

    const { records } = await exportRoom(app, member.key, privateRoom);
    const as = { key: member.key };
    const [room] = records;
    expect(Object.keys(room).slice(0, 4)).toEqual(['type', 'format', 'exportedAt', 'withContent']);
    expect(room).toMatchObject({
      type: 'room',
      format: 'stoa-export/1',
      exportedAt: new Date(app.clock()).toISOString(),
      withContent: false,
    });
    expect(omitMembers(room, 'type', 'format', 'exportedAt', 'withContent')).toEqual(
      omitMembers(
        await f.ok('GET', `/api/v1/rooms/${privateRoom}`, as),
        'role',
        'acceptsNotices',
        'archived',
        'proposedOwnerId',
        'subscribed',
      ),
    );

    const sortById = (members: Json[]) =>
      members.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    const members = filterByType(records, 'member').map((record) => omitMembers(record, 'type'));
    expect(members).toEqual(
      sortById(await f.ok('GET', `/api/v1/rooms/${privateRoom}/members`, as)),
    );

    // The order is each thread, the oldest first, then its messages, and after each message its
    // files.
    const expected: Json[] = [];
    for (const id of [threads.listed, threads.hidden].sort()) {
      expected.push({
        type: 'thread',
        ...omitMembers(await f.ok('GET', `/api/v1/threads/${id}`, as), 'subscribed'),
      });
      for (const message of (await f.ok('GET', `/api/v1/threads/${id}/messages`, as)).messages) {
        expected.push({ type: 'message', ...omitMembers(message, 'deletedBy') });
        for (const attached of message.files)
          expected.push({ type: 'file', ...attached, content: null });
      }
    }
    expect(records.slice(1 + members.length)).toEqual(expected);
    expect(filterByType(records, 'file')).toEqual([{ type: 'file', ...file, content: null }]);
  });

  it('[export.headers] returns a private NDJSON download marked as untrusted', async () => {
    const answer = await call(app.url, 'GET', buildExportPath(fixture.publicRoom), {
      key: fixture.member.key,
    });
    const headers = Object.fromEntries(
      ['content-type', 'content-disposition', 'cache-control', 'x-content-trust'].map((name) => [
        name,
        answer.headers.get(name),
      ]),
    );
    expect(headers).toEqual({
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename=room-${fixture.publicRoom}.ndjson`,
      'cache-control': 'private, no-store',
      'x-content-trust': 'untrusted',
    });
  });

  it('[export.members-only] is for members of the room', async () => {
    const { outsider, removed, blocked, publicRoom, privateRoom } = fixture;
    for (const { key } of [outsider, removed]) {
      expect(await f.send('GET', buildExportPath(publicRoom), { key })).toMatchObject(
        buildProblem(403, 'membership_required', { roomId: publicRoom }),
      );
      expect(await f.send('GET', buildExportPath(privateRoom), { key })).toMatchObject(
        buildProblem(404, 'not_found'),
      );
    }
    expect(await f.sendForOutcome('GET', buildExportPath(publicRoom))).toBe('401 unauthenticated');
    expect(await f.sendForOutcome('GET', buildExportPath(publicRoom), { admin: true })).toBe(
      '401 unauthenticated',
    );
    expect(await f.sendForOutcome('GET', buildExportPath(publicRoom), { key: blocked.key })).toBe(
      '403 agent_blocked',
    );
  });

  it('[export.content] has the bytes of files as base64 on request', async () => {
    const { owner, publicRoom, threads } = fixture;
    const { id } = await f.postMessage(owner, threads.open, 'With files');
    // These lengths surround the boundaries of base64 groups and of pieces of a stream.
    const contents = [1, 2, 3, 65_535, 65_536, 65_537, 262_145].map((length) =>
      Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256),
    );
    for (const [index, bytes] of contents.entries())
      await f.attachFile(owner, id, { name: `${index}.bin`, bytes });
    const { text, records } = await exportRoom(app, owner.key, publicRoom, true);
    for (const line of text.trimEnd().split('\n')) expectLine(line);
    expect(records[0].withContent).toBe(true);
    const files = filterByType(records, 'file');
    expect(files.map(({ content }) => content)).toEqual(
      contents.map((bytes) => Buffer.from(bytes).toString('base64')),
    );
    expect(filterByType((await exportRoom(app, owner.key, publicRoom)).records, 'file')).toEqual(
      files.map((file) => ({ ...file, content: null })),
    );
  });

  it('[export.deleted] has tombstones of deleted messages and omits deleted threads', async () => {
    const { owner } = fixture;
    const room = await f.createRoom(owner, 'public');
    const kept = await f.createThread(owner, room, { body: 'kept' });
    const gone = await f.createThread(owner, room, { title: 'unspeakable', body: 'unsayable' });
    const { id } = await f.postMessage(owner, kept, 'unbearable');
    await f.attachFile(owner, id, { name: 'unseeable.txt', bytes: 'unreadable' });
    await f.postMessage(owner, kept, 'also kept');
    await f.ok('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
    await f.ok('DELETE', `/api/v1/admin/threads/${gone}`, { admin: true });
    const { text, records } = await exportRoom(app, owner.key, room, true);
    expect(text).not.toMatch(/unspeakable|unsayable|unbearable|unseeable/);
    expect(filterByType(records, 'thread').map((thread) => thread.id)).toEqual([kept]);
    const messages = filterByType(records, 'message');
    expect(
      messages.map(({ position, body, deleted, files }) => [position, body, deleted, files]),
    ).toEqual([
      [0, 'kept', false, []],
      [1, '', true, []],
      [2, 'also kept', false, []],
    ]);
    expect(records[0].threadCount).toBe(1);
  });

  it('[export.format] returns the same room whatever the number of pages', async () => {
    const { owner } = fixture;
    const room = await f.createRoom(owner, 'public');
    // There are more threads than one statement reads, and threads on both sides of the number of
    // messages that one reads.
    const more = [249, 250, 251, 600];
    const ids = (await runFewAtOnce(256, () => f.createThread(owner, room))).sort();
    const sizes = new Map(
      ids.map((id, index) => [
        id,
        1 + (index % 80 === 7 ? (more[Math.floor(index / 80)] as number) : 0),
      ]),
    );
    for (const [id, size] of sizes) if (size > 1) await insertMessages(app, id, size - 1, 'more');
    const { records } = await exportRoom(app, owner.key, room);
    expect(
      filterByType(records, 'thread').map(({ id, messageCount }) => [id, messageCount]),
    ).toEqual([...sizes]);
    const messages = filterByType(records, 'message').map(
      ({ threadId, position }) => `${threadId} ${position}`,
    );
    expect(messages).toEqual(
      [...sizes].flatMap(([id, size]) =>
        Array.from({ length: size }, (_, position) => `${id} ${position}`),
      ),
    );
  });

  it('[export.format] has every member and thread of a large room', async () => {
    const room = await f.createRoom(fixture.owner, 'public');
    const { db } = app.app.env;
    await db.run(sql`
      WITH a AS (
        INSERT INTO agents (id, handle, created_at, last_active_on)
        SELECT gen_random_uuid(), 'many-' || n, now(), now()
        FROM generate_series(1, 600) n
        RETURNING id
      )
      INSERT INTO members (room_id, agent_id, role, joined_at)
      SELECT ${room}, id, 'member', now()
      FROM a
    `);
    await db.run(sql`
      WITH t AS (
        INSERT INTO threads (
          id, room_id, title, kind, visibility, author_id, message_count, created_at,
          last_message_at
        )
        SELECT gen_random_uuid(), ${room}, 'One of many', 'discussion', 'public',
          ${fixture.owner.id},
          1, now(), now()
        FROM generate_series(1, 5100)
        RETURNING *
      )
      INSERT INTO messages (
        id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
      )
      SELECT gen_random_uuid(), id, 0, author_id, 'x', '', gen_random_uuid(), created_at
      FROM t
    `);
    const { records } = await exportRoom(app, fixture.owner.key, room);
    expect(
      ['member', 'thread', 'message'].map((type) => filterByType(records, type).length),
    ).toEqual([601, 5_100, 5_100]);
  });

  it('[export.format] keeps the largest bodies byte for byte', async () => {
    const { owner } = fixture;
    const room = await f.createRoom(owner, 'private');
    const id = await f.createThread(owner, room, { body: '\u0001"\\\u2028\u202e{"type":"end"}\n' });
    const bodies = [
      '\u0001'.repeat(65_536),
      '"'.repeat(65_536),
      '𝄞'.repeat(16_384),
      '\r\n'.repeat(32_768),
    ];
    for (const body of [...bodies, ...bodies, ...bodies, ...bodies, ...bodies])
      await f.postMessage(owner, id, body);
    const { records } = await exportRoom(app, owner.key, room);
    expect(filterByType(records, 'message').map(({ body }) => body)).toEqual([
      '\u0001"\\\u2028\u202e{"type":"end"}\n',
      ...Array(5).fill(bodies).flat(),
    ]);
  });
});
