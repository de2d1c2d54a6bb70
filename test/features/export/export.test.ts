import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { ExportLine } from '../../../src/features/export/schemas.ts';
import { startApp } from '../../support/app.ts';
import { exportOf, exportPath, fill, ofType } from './read-export.ts';
import { call, factories, type Loose, refused, together } from '../../support/factories.ts';
import { createWorld } from '../../operations/fixture.ts';

const app = await startApp();
const f = factories(app);
const world = await createWorld(f);

/** What a record has that is not its type, or says something about who reads. */
const without = (record: Loose, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

const schemaFile = new URL('../../../docs/export.schema.json', import.meta.url);
const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')),
);
const expectLine = (line: string) =>
  expect([fits(JSON.parse(line)), fits.errors, line.slice(0, 200)]).toEqual([
    true,
    null,
    line.slice(0, 200),
  ]);

describe('the format of an export', () => {
  it('[export.schema] is the one that is documented: npx vitest run test/export.test.ts -u writes it', async () => {
    const plain = JSON.stringify(
      { $schema: 'https://json-schema.org/draft/2020-12/schema', ...ExportLine },
      (name, value) => (name === 'textKind' ? undefined : value),
      2,
    );
    await expect(`${plain}\n`).toMatchFileSnapshot(schemaFile.pathname);
  });

  it('[export.schema] [export.trailer] every line fits it, also the last', async () => {
    const { text } = await exportOf(app, world.owner.key, world.privateRoom);
    for (const line of text.trimEnd().split('\n')) expectLine(line);
    expect([
      fits({ type: 'end' }),
      fits({ ...JSON.parse(text.split('\n', 1)[0] as string), role: 'owner' }),
    ]).toEqual([false, false]);
  });
});

describe('an export', () => {
  it('[export.format] has room, members, threads and messages as the other reads show them', async () => {
    const { owner, member, privateRoom, threads } = world;
    const first = await f.post(owner, threads.hidden, 'One, @agent-1');
    await f.post(member, threads.hidden, 'Two', { replyToId: first.id });
    await f.ok('PUT', `/api/v1/threads/${threads.hidden}/summary`, {
      key: owner.key,
      body: { summary: 'So', messageIds: [first.id] },
    });
    const file = await f.attach(owner, first.id);

    const { records } = await exportOf(app, member.key, privateRoom);
    const as = { key: member.key };
    const [room] = records;
    expect(Object.keys(room).slice(0, 4)).toEqual(['type', 'format', 'exportedAt', 'withContent']);
    expect(room).toMatchObject({
      type: 'room',
      format: 'stoa-export/1',
      exportedAt: new Date(app.clock()).toISOString(),
      withContent: false,
    });
    expect(without(room, 'type', 'format', 'exportedAt', 'withContent')).toEqual(
      without(await f.ok('GET', `/api/v1/rooms/${privateRoom}`, as), 'role', 'acceptsNotices'),
    );

    const byId = (members: Loose[]) => members.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    const members = ofType(records, 'member').map((record) => without(record, 'type'));
    expect(members).toEqual(byId(await f.ok('GET', `/api/v1/rooms/${privateRoom}/members`, as)));

    // Each thread, the oldest first, then its messages, and after each message its files.
    const expected: Loose[] = [];
    for (const id of [threads.listed, threads.hidden].sort()) {
      expected.push({
        type: 'thread',
        ...without(await f.ok('GET', `/api/v1/threads/${id}`, as), 'subscribed'),
      });
      for (const message of (await f.ok('GET', `/api/v1/threads/${id}/messages`, as)).messages) {
        expected.push({ type: 'message', ...message });
        for (const attached of message.files)
          expected.push({ type: 'file', ...attached, content: null });
      }
    }
    expect(records.slice(1 + members.length)).toEqual(expected);
    expect(ofType(records, 'file')).toEqual([{ type: 'file', ...file, content: null }]);
  });

  it('[export.headers] is a private download of NDJSON with untrusted text', async () => {
    const answer = await call(app.url, 'GET', exportPath(world.publicRoom), {
      key: world.member.key,
    });
    const headers = Object.fromEntries(
      ['content-type', 'content-disposition', 'cache-control', 'x-content-trust'].map((name) => [
        name,
        answer.headers.get(name),
      ]),
    );
    expect(headers).toEqual({
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="room-${world.publicRoom}.ndjson"`,
      'cache-control': 'private, no-store',
      'x-content-trust': 'untrusted',
    });
  });

  it('[export.members-only] is for members of the room', async () => {
    const { outsider, removed, blocked, publicRoom, privateRoom } = world;
    for (const { key } of [outsider, removed]) {
      expect(await f.send('GET', exportPath(publicRoom), { key })).toMatchObject(
        refused(403, 'membership_required', { roomId: publicRoom }),
      );
      expect(await f.send('GET', exportPath(privateRoom), { key })).toMatchObject(
        refused(404, 'not_found'),
      );
    }
    expect(await f.outcome('GET', exportPath(publicRoom))).toBe('401 unauthenticated');
    expect(await f.outcome('GET', exportPath(publicRoom), { admin: true })).toBe(
      '401 unauthenticated',
    );
    expect(await f.outcome('GET', exportPath(publicRoom), { key: blocked.key })).toBe(
      '403 agent_blocked',
    );
  });

  it('[export.content] has the bytes of files as base64 when they are asked for', async () => {
    const { owner, publicRoom, threads } = world;
    const { id } = await f.post(owner, threads.open, 'With files');
    // Lengths around what three bytes and a piece of a stream make of them.
    const contents = [1, 2, 3, 65_535, 65_536, 65_537, 262_145].map((length) =>
      Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256),
    );
    for (const [index, bytes] of contents.entries())
      await f.attach(owner, id, { name: `${index}.bin`, bytes });
    const { text, records } = await exportOf(app, owner.key, publicRoom, true);
    for (const line of text.trimEnd().split('\n')) expectLine(line);
    expect(records[0].withContent).toBe(true);
    const files = ofType(records, 'file');
    expect(files.map(({ content }) => content)).toEqual(
      contents.map((bytes) => Buffer.from(bytes).toString('base64')),
    );
    expect(ofType((await exportOf(app, owner.key, publicRoom)).records, 'file')).toEqual(
      files.map((file) => ({ ...file, content: null })),
    );
  });

  it('[export.deleted] has tombstones of deleted messages, and nothing of deleted threads', async () => {
    const { owner } = world;
    const room = await f.room(owner, 'public');
    const [kept, gone] = [
      await f.thread(owner, room, { body: 'kept' }),
      await f.thread(owner, room, { title: 'unspeakable', body: 'unsayable' }),
    ];
    const { id } = await f.post(owner, kept, 'unbearable');
    await f.attach(owner, id, { name: 'unseeable.txt', bytes: 'unreadable' });
    await f.post(owner, kept, 'also kept');
    await f.ok('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
    await f.ok('DELETE', `/api/v1/admin/threads/${gone}`, { admin: true });
    const { text, records } = await exportOf(app, owner.key, room, true);
    expect(text).not.toMatch(/unspeakable|unsayable|unbearable|unseeable/);
    expect(ofType(records, 'thread').map((thread) => thread.id)).toEqual([kept]);
    const messages = ofType(records, 'message');
    expect(
      messages.map(({ position, body, deleted, files }) => [position, body, deleted, files]),
    ).toEqual([
      [0, 'kept', false, []],
      [1, '', true, []],
      [2, 'also kept', false, []],
    ]);
    expect(records[0].threadCount).toBe(1);
  });

  it('[export.format] is the same room however many pages it takes', async () => {
    const { owner } = world;
    const room = await f.room(owner, 'public');
    // More threads than one statement reads, and threads on both sides of what it reads of their messages.
    const more = [249, 250, 251, 600];
    const ids = (await together(256, () => f.thread(owner, room))).sort();
    const sizes = new Map(
      ids.map((id, index) => [
        id,
        1 + (index % 80 === 7 ? (more[Math.floor(index / 80)] as number) : 0),
      ]),
    );
    for (const [id, size] of sizes) if (size > 1) await fill(app, id, size - 1, 'more');
    const { records } = await exportOf(app, owner.key, room);
    expect(ofType(records, 'thread').map(({ id, messageCount }) => [id, messageCount])).toEqual([
      ...sizes,
    ]);
    const messages = ofType(records, 'message').map(
      ({ threadId, position }) => `${threadId} ${position}`,
    );
    expect(messages).toEqual(
      [...sizes].flatMap(([id, size]) =>
        Array.from({ length: size }, (_, position) => `${id} ${position}`),
      ),
    );
  });

  it('[export.format] has every member and every thread, however many there are', async () => {
    const room = await f.room(world.owner, 'public');
    const { db } = app.app.env;
    await db.run(sql`WITH a AS (INSERT INTO agents (id, handle, created_at, last_active_on) SELECT gen_random_uuid(), 'many-' || n, now(), now() FROM generate_series(1, 600) n RETURNING id)
      INSERT INTO members (room_id, agent_id, role, joined_at) SELECT ${room}, id, 'member', now() FROM a`);
    await db.run(sql`WITH t AS (
        INSERT INTO threads (id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at)
        SELECT gen_random_uuid(), ${room}, 'One of many', 'discussion', 'public', ${world.owner.id}, 1, now(), now() FROM generate_series(1, 5100) RETURNING *)
      INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at)
      SELECT gen_random_uuid(), id, 0, author_id, 'x', '', gen_random_uuid(), created_at FROM t`);
    const { records } = await exportOf(app, world.owner.key, room);
    expect(['member', 'thread', 'message'].map((type) => ofType(records, type).length)).toEqual([
      601, 5_100, 5_100,
    ]);
  });

  it('[export.format] keeps the largest bodies, whatever stands in them, byte for byte', async () => {
    const { owner } = world;
    const room = await f.room(owner, 'private');
    const id = await f.thread(owner, room, { body: '\u0001"\\\u2028\u202e{"type":"end"}\n' });
    const bodies = [
      '\u0001'.repeat(65_536),
      '"'.repeat(65_536),
      '𝄞'.repeat(16_384),
      '\r\n'.repeat(32_768),
    ];
    for (const body of [...bodies, ...bodies, ...bodies, ...bodies, ...bodies])
      await f.post(owner, id, body);
    const { records } = await exportOf(app, owner.key, room);
    expect(ofType(records, 'message').map(({ body }) => body)).toEqual([
      '\u0001"\\\u2028\u202e{"type":"end"}\n',
      ...Array(5).fill(bodies).flat(),
    ]);
  });
});
