import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { exportFormat } from '../../src/import/formats/export-format.ts';
import type { FilePart } from '../../src/import/import-plan.ts';
import { exportRoom, filterByType, insertMessages } from '../features/export/read-export.ts';
import { ADMIN_KEY, startApp, type TestApp } from '../support/app.ts';
import { afterFile } from '../support/each-file.ts';
import {
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../support/factories.ts';
import {
  importFile,
  importInProcess,
  readState,
  runImportCommand,
  startImport,
  writeImportFile,
} from './run-import.ts';

const PLACEHOLDER = '*(In the place of a message that was deleted.)*';

const source = await startApp();
const f = factories(source);

/** Creates a room with everything that a room can have. */
async function createRoom(
  visibility: 'public' | 'private',
): Promise<{ owner: TestAgent; room: string }> {
  const owner = await f.createAgent();
  const member = await f.createAgent();
  const guest = await f.createAgent();
  const mentioned = await f.createAgent();
  const displayName = '<b>"Ada" \\ 李 🙂</b>';
  await f.ok('PUT', '/api/v1/me', { key: member.key, body: { displayName } });
  const { id: room } = await f.ok('POST', '/api/v1/rooms', {
    key: owner.key,
    body: { name: '{"type":"end"}', description: 'Two\nlines \u202e', visibility },
  });
  for (const agent of [member, guest])
    await (visibility === 'public' ? f.joinRoom(agent, room) : f.addMember(owner, room, agent));

  const first = await f.createThread(member, room, {
    title: 'Which one? `x` *y*',
    kind: 'question',
    tags: ['a-b', '1'],
    body: `# Hello @${mentioned.handle}\r\n`,
    visibility: 'public',
  });
  const second = await f.postMessage(
    guest,
    first,
    `\u0001\u2028 "quoted" \\ @${member.handle} @nobody-at-all`,
  );
  const deleted = await f.postMessage(owner, first, 'to be deleted');
  const answer = await f.postMessage(owner, first, 'An answer to what was deleted', {
    replyToId: deleted.id,
  });
  await f.postMessage(member, first, '𝄞'.repeat(16_384), { replyToId: second.id });
  await f.postMessage(guest, first, '+1', { replyToId: answer.id });
  await f.postMessage(guest, first, '+1', { replyToId: answer.id });
  for (const [name, bytes] of [
    ['a b "c".txt', 'One.'],
    ['ünï.bin', '\u0000\u0001\u0002'],
  ] as const)
    await f.attachFile(guest, second.id, { name, bytes });
  await f.attachFile(owner, answer.id, {
    name: 'big.bin',
    bytes: Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251),
  });
  await f.ok('PUT', `/api/v1/threads/${first}/summary`, {
    key: owner.key,
    body: { summary: 'So:\n\n* be it', messageIds: [answer.id, second.id] },
  });
  await f.ok('DELETE', `/api/v1/admin/messages/${deleted.id}`, { admin: true });

  const hidden = await f.createThread(owner, room, {
    title: 'Members only',
    visibility: 'private',
  });
  const { id: early } = await f.postMessage(owner, hidden, 'Early');
  await f.ok('PUT', `/api/v1/threads/${hidden}/summary`, {
    key: owner.key,
    body: { summary: 'By the owner', messageIds: [early] },
  });
  const gone = await f.createThread(owner, room, { title: 'To be deleted' });
  await f.ok('DELETE', `/api/v1/admin/threads/${gone}`, { admin: true });
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${guest.id}`, { key: guest.key });
  return { owner, room };
}

/** Reads the key of the owner of the only room from the state that the import stores. */
const readOwnerKey = (state: string, ownerHandle: string): string =>
  readFileSync(state, 'utf8')
    .split('\n')
    .flatMap((line) => (line.includes('"account"') ? [JSON.parse(line).account] : []))
    .find(({ handle }) => handle === ownerHandle).apiKey;

/** Exports what was imported. */
async function exportBack(
  app: TestApp,
  state: string,
  ownerHandle: string,
  files = true,
): Promise<Json[]> {
  const key = readOwnerKey(state, ownerHandle);
  const rooms = (await factories(app).ok('GET', '/api/v1/rooms', { key })).filter(
    (room: Json) => room.ownerHandle === ownerHandle,
  );
  expect(rooms).toHaveLength(1);
  return (await exportRoom(app, key, rooms[0].id, files)).records;
}

/**
 * Reduces records to what is the same on every installation: no ids, times, receipts or urls.
 * Messages are identified by thread and position.
 */
function toComparable(records: readonly Json[], titles = true): Json {
  const places = new Map(
    filterByType(records, 'message').map(({ id, position }) => [id, position]),
  );
  const toComparableFile = ({ name, mediaType, size, sha256, content }: Json) => ({
    name,
    mediaType,
    size,
    sha256,
    content,
  });
  const room = records[0];
  return {
    room: [
      room.name,
      room.description,
      room.visibility,
      room.ownerHandle,
      room.memberCount,
      room.threadCount,
    ],
    members: filterByType(records, 'member')
      .map(({ handle, displayName, role }) => ({ handle, displayName, role }))
      .toSorted((a, b) => (a.handle < b.handle ? -1 : 1)),
    threads: filterByType(records, 'thread')
      .map(({ id, title, kind, tags, visibility, authorHandle, messageCount, summary }) => ({
        about: [titles && title, kind, tags, visibility, authorHandle, messageCount],
        summary: summary && [
          summary.text,
          summary.authorHandle,
          summary.messageIds.map((called: string) => places.get(called)),
        ],
        messages: filterByType(records, 'message')
          .filter(({ threadId }) => threadId === id)
          .map((message) => ({
            position: message.position,
            author: message.authorHandle,
            body: message.deleted ? PLACEHOLDER : message.body,
            answers: message.replyToId && places.get(message.replyToId),
            mentions: message.mentions,
            request: message.request && {
              state: message.request.state === 'claimed' ? 'open' : message.request.state,
              answer: message.request.answerId && places.get(message.request.answerId),
            },
            files: message.files.map(toComparableFile),
            contents: filterByType(records, 'file')
              .filter(({ messageId }) => messageId === message.id)
              .map(toComparableFile),
          })),
      }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

const countRows = (app: TestApp, table: 'agents' | 'messages') =>
  app.app.env.db.run(table === 'agents' ? sql`SELECT 1 FROM agents` : sql`SELECT 1 FROM messages`);

/** Adds a last line that matches any contents, as a forger would write it. */
const sealExport = (body: string) => {
  const counts: Record<string, number> = { room: 0, member: 0, thread: 0, message: 0, file: 0 };
  const before = body
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{"type":"end"'))
    .map((line) => `${line}\n`)
    .join('');
  for (const [, type = ''] of before.matchAll(/^\{"type":"(\w+)"/gm))
    counts[type] = (counts[type] ?? 0) + 1;
  const end = {
    type: 'end',
    lines: before.split('\n').length - 1,
    counts,
    bytes: Buffer.byteLength(before),
    sha256: createHash('sha256').update(before).digest('hex'),
  };
  return `${before}${JSON.stringify(end)}\n`;
};

describe('import of an export', () => {
  it.for(['public', 'private'] as const)(
    '[import.export] reproduces a %s room',
    async (visibility) => {
      const { owner, room } = await createRoom(visibility);
      const { text, records } = await exportRoom(source, owner.key, room, true);
      const target = await startApp();
      const { report, table, output, state } = await importInProcess(
        writeImportFile(text, visibility === 'private'),
        target,
        ADMIN_KEY,
      );
      expect(output).not.toMatch(/refused|cannot|not on the service/);
      expect(report).toMatchObject({
        faults: 0,
        refusals: 0,
        changes: 0,
        posted: 9,
        equal: 9,
        mentionDifferences: 0,
        attached: 3,
      });
      expect(table).toContain(
        'equal      the room on the service equals the export, except for ids, times, receipts, ' +
          'urls and the remarks',
      );
      expect(toComparable(await exportBack(target, state, owner.handle))).toEqual(
        toComparable(records),
      );
    },
  );

  it('[import.tombstones] keeps the place of a deleted message and says so', async () => {
    const { owner, room } = await createRoom('public');
    const { text } = await exportRoom(source, owner.key, room);
    const target = await startApp();
    const { output, table, state } = await importInProcess(writeImportFile(text), target);
    expect(output).toContain('1 messages were deleted: each is replaced by a message that says so');
    expect(table).toContain('remark     1 messages were deleted');
    const messages = filterByType(await exportBack(target, state, owner.handle), 'message');
    const [placeholder] = messages.filter(({ body }) => body === PLACEHOLDER);
    expect(placeholder).toMatchObject({ position: 2, authorHandle: owner.handle, deleted: false });
    expect(messages.find(({ body }) => body.startsWith('An answer'))).toMatchObject({
      position: 3,
      replyToId: placeholder.id,
    });
  });

  it('[import.export] omits files without bytes and says so', async () => {
    const { owner, room } = await createRoom('public');
    const { text, records } = await exportRoom(source, owner.key, room);
    const target = await startApp();
    const { report, table, state } = await importInProcess(writeImportFile(text), target);
    expect(report).toMatchObject({ faults: 0, equal: 9, attached: 0 });
    expect(table).toContain(
      'remark     3 files are left out, because the export lacks their content: export with ' +
        '?files=true to include it',
    );
    const bare = records
      .filter(({ type }) => type !== 'file')
      .map((record) => (record.type === 'message' ? { ...record, files: [] } : record));
    expect(toComparable(await exportBack(target, state, owner.handle))).toEqual(toComparable(bare));
  });

  it('[import.renamed] renames an agent whose handle is taken and reports it', async () => {
    const { owner, room } = await createRoom('public');
    const { text, records } = await exportRoom(source, owner.key, room, true);
    const taken = filterByType(records, 'message').find(({ mentions }) => mentions.length > 0)
      .mentions[0];
    const target = await startApp();
    await factories(target).createAgent(taken);
    const { report, table, output } = await importInProcess(writeImportFile(text), target);
    expect(output).toMatch(
      new RegExp(
        `author "${taken}" is registered as ${taken}-[0-9a-f]{8}: the name itself is taken`,
      ),
    );
    expect(report).toMatchObject({ faults: 0, equal: 9, mentionDifferences: 1 });
    expect(table).toContain('mentions   1 of them mention other agents than in the file');
    expect(table).not.toContain('equal      the room');
  });
});

describe('import of a mention', () => {
  it('[import.renamed] reports a handle that belonged to nobody and now does', async () => {
    const owner = await f.createAgent();
    const room = await f.createRoom(owner, 'public');
    const thread = await f.createThread(owner, room, { body: 'Is there a @late-comer?' });
    const late = await f.createAgent('late-comer');
    await f.joinRoom(late, room);
    await f.postMessage(late, thread, 'There is.');
    const target = await startApp();
    const { report, table } = await importInProcess(
      writeImportFile((await exportRoom(source, owner.key, room)).text),
      target,
    );
    expect(report).toMatchObject({ faults: 0, equal: 2, mentionDifferences: 1 });
    expect(table).toContain('mentions   1 of them mention other agents than in the file');
  });
});

/** Posts a request in a thread, and lets an agent take it. */
async function postTaken(author: TestAgent, thread: string, body: string, taker: TestAgent) {
  const { id } = await f.postMessage(author, thread, body, { request: true });
  const { fence } = await f.ok('POST', `/api/v1/messages/${id}/claim`, { key: taker.key });
  return { id: id as string, fence: fence as number };
}

/** Creates a room with requests in every state; the first message of its thread is one as well. */
async function createRequests() {
  const owner = await f.createAgent();
  const worker = await f.createAgent();
  const room = await f.createRoom(owner, 'private');
  await f.addMember(owner, room, worker);
  const thread = await f.createThread(owner, room, { body: 'Who reviews?', request: true });
  const first = (await exportRoom(source, owner.key, room)).records.find(
    ({ type }) => type === 'message',
  ).id;
  const cancelled = await postTaken(owner, thread, 'Not needed any more', worker);
  const cancel = `/api/v1/messages/${cancelled.id}/request/cancel`;
  await f.ok('POST', cancel, { key: owner.key });
  await f.postMessage(owner, thread, 'Still open', { request: true });
  await postTaken(owner, thread, 'Claimed', worker);
  const answered = await postTaken(owner, thread, 'To be answered', worker);
  await f.postMessage(worker, thread, 'In between');
  const { fence, id: answers } = answered;
  await f.postMessage(worker, thread, 'The answer', { answers, fence, replyToId: answers });
  const { fence: firstFence } = await f.ok('POST', `/api/v1/messages/${first}/claim`, {
    key: worker.key,
  });
  await f.postMessage(worker, thread, 'I did', { answers: first, fence: firstFence });
  const gone = await postTaken(owner, thread, 'To be deleted', worker);
  await f.ok('DELETE', `/api/v1/messages/${gone.id}`, { key: owner.key });
  return { owner, room };
}

/** Starts a proxy that breaks off each post of an answer until it is repaired. */
async function startBreakingProxy(target: string): Promise<{ url: string; repair(): void }> {
  let isBroken = true;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (isBroken && body.includes('"answers"')) return request.socket.destroy();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repair: () => {
      isBroken = false;
    },
  };
}

describe('import of requests', () => {
  it('[import.requests] keeps what is asked, answered and cancelled, and no claim', async () => {
    const { owner, room } = await createRequests();
    const { text, records } = await exportRoom(source, owner.key, room);
    expect(filterByType(records, 'message').map(({ request }) => request?.state ?? null)).toEqual([
      'answered',
      'cancelled',
      'open',
      'claimed',
      'answered',
      null,
      null,
      null,
      null,
    ]);
    const target = await startApp();
    const { report, table, state } = await importInProcess(
      writeImportFile(text),
      target,
      ADMIN_KEY,
    );
    expect(report).toMatchObject({ faults: 0, refusals: 0, changes: 0, posted: 9, equal: 9 });
    expect(table).toContain(
      'remark     1 requests were claimed: they are open, because claims are not imported',
    );
    expect(table).toContain('equal      the room on the service equals the export');
    const back = await exportBack(target, state, owner.handle);
    expect(toComparable(back)).toEqual(toComparable(records));
    for (const { request } of filterByType(back, 'message').filter((one) => one.request))
      expect(request.claim).toBeNull();
  });

  it('[import.requests] takes exports from before there were requests', async () => {
    const { owner, room } = await createRoom('public');
    const { text } = await exportRoom(source, owner.key, room);
    const older = sealExport(text.replaceAll(/,"request":null(?=[,}])/g, ''));
    expect(older).not.toContain('"request"');
    const { report } = await importInProcess(writeImportFile(older), await startApp());
    expect(report).toMatchObject({ faults: 0, equal: 9 });
  });

  it('[import.requests] goes on when killed while it holds the claim of an answer', async () => {
    const { owner, room } = await createRequests();
    const { text } = await exportRoom(source, owner.key, room);
    const file = writeImportFile(text);
    const target = await startApp();
    const proxy = await startBreakingProxy(target.url);
    await expect(importInProcess(file, target, ADMIN_KEY, proxy.url)).rejects.toThrow(
      /does not answer/,
    );
    expect(await target.app.env.db.run(sql`SELECT 1 FROM requests WHERE state = 'claimed'`)).toBe(
      1,
    );
    proxy.repair();
    const { report, table } = await importInProcess(file, target, ADMIN_KEY, proxy.url);
    expect(report).toMatchObject({ faults: 0, changes: 0, equal: 9 });
    expect(table).toContain('equal      the room on the service equals the export');
    expect(await target.app.env.db.run(sql`SELECT 1 FROM requests WHERE fence > 1`)).toBe(0);
  });

  it('[import.requests] posts an answer to none if its request is refused', async () => {
    const { owner, room } = await createRequests();
    const { text } = await exportRoom(source, owner.key, room);
    const long = sealExport(
      text.replace('"body":"To be answered"', `"body":"${'x'.repeat(65_537)}"`),
    );
    const { report, output } = await importInProcess(writeImportFile(long), await startApp());
    expect(output).toMatch(/line \d+: it answers a request that is not on the service/);
    expect(report).toMatchObject({ faults: 0, refusals: 1, posted: 8, equal: 8 });
  });

  it('[import.requests] leaves a request open whose answer is refused', async () => {
    const { owner, room } = await createRequests();
    const { text } = await exportRoom(source, owner.key, room);
    const long = sealExport(text.replace('"body":"The answer"', `"body":"${'x'.repeat(65_537)}"`));
    const target = await startApp();
    const { report, state } = await importInProcess(writeImportFile(long), target);
    expect(report).toMatchObject({ faults: 0, refusals: 1, posted: 8, equal: 8 });
    const back = filterByType(await exportBack(target, state, owner.handle), 'message');
    expect(back.find(({ body }) => body === 'To be answered').request.answerId).toBeNull();
  });
});

describe('import of a long export', async () => {
  const owner = await f.createAgent();
  const others = await runConcurrently(3, () => f.createAgent());
  const room = await f.createRoom(owner, 'private');
  for (const other of others) await f.addMember(owner, room, other);
  const threads = await runConcurrently(9, (index) =>
    f.createThread(others[index % 3] as TestAgent, room, {
      title: `Thread ${index}`,
      body: `First of ${index}`,
    }),
  );
  for (const [index, thread] of threads.entries()) {
    const { id: called } = await f.postMessage(owner, thread, 'Called');
    await insertMessages(source, thread, 60, 'x');
    const { id } = await f.postMessage(others[index % 3] as TestAgent, thread, 'Answered', {
      replyToId: called,
    });
    for (const name of ['one', 'two', 'three'])
      await f.attachFile(others[index % 3] as TestAgent, id, {
        name,
        bytes: `${name} of ${index}`,
      });
    await f.ok('PUT', `/api/v1/threads/${thread}/summary`, {
      key: owner.key,
      body: { summary: `Outcome ${index}`, messageIds: [id] },
    });
  }
  const { text, records } = await exportRoom(source, owner.key, room, true);
  const file = writeImportFile(text);
  const target = await startApp();
  const all = filterByType(records, 'message').length;
  const countFiles = () => target.app.env.db.run(sql`SELECT 1 FROM files`);
  const countSummaries = () =>
    target.app.env.db.run(sql`SELECT 1 FROM threads WHERE summary IS NOT NULL`);

  it('[import.export-rerun] ends with everything once when killed at any step', async () => {
    const moments: (() => Promise<boolean>)[] = [
      async () => (await countRows(target, 'agents')) >= 2,
      async () => (await countRows(target, 'messages')) >= 3,
      async () => (await countRows(target, 'messages')) >= 300,
      async () => (await countFiles()) >= 4,
      async () => (await countFiles()) >= 20,
      async () => (await countSummaries()) >= 2,
    ];
    for (const [index, moment] of moments.entries()) {
      const run = startImport(file, target.url, '--admin-key', ADMIN_KEY);
      await waitUntil(
        `moment ${index}`,
        async () => (await moment()) || run.child.exitCode !== null,
      );
      run.child.kill('SIGKILL');
      await run.code;
    }
    const { code, output } = await importFile(file, target.url, '--admin-key', ADMIN_KEY);
    expect(output).toContain(`compared   ${all} of ${all} messages are equal`);
    expect(output).toContain('equal      the room on the service equals the export');
    expect(code).toBe(0);
    expect({
      messages: await countRows(target, 'messages'),
      files: await countFiles(),
      agents: await countRows(target, 'agents'),
    }).toEqual({ messages: all, files: 27, agents: 4 });
    expect(toComparable(await exportBack(target, readState(file), owner.handle))).toEqual(
      toComparable(records),
    );
  });

  it('[import.export-rerun] completes although keys and half of its state are lost', async () => {
    target.clock.advance(8 * 24 * 3600 * 1000);
    await target.app.jobs.runDue();
    expect(await target.app.env.db.run(sql`SELECT 1 FROM idempotency_records`)).toBe(0);
    const lines = readFileSync(readState(file), 'utf8').split('\n');
    const threadLines = lines.filter((line) => line.startsWith('{"thread"'));
    writeFileSync(
      readState(file),
      lines
        .filter((line) => !line.startsWith('{"room"') && !threadLines.slice(0, 4).includes(line))
        .join('\n'),
    );
    const { code, output } = await importFile(file, target.url, '--admin-key', ADMIN_KEY);
    expect(output).toContain('posted 0 in');
    expect(code).toBe(0);
    expect({
      messages: await countRows(target, 'messages'),
      files: await countFiles(),
    }).toEqual({ messages: all, files: 27 });
  });

  it('[import.export-equal] reports differences on the service and fails', async () => {
    const { db } = target.app.env;
    await db.run(sql`
      UPDATE threads
      SET summary = 'Another'
      WHERE summary = 'Outcome 1'
    `);
    await db.run(sql`
      UPDATE messages
      SET reply_to_id = NULL
      WHERE body = 'Answered' AND thread_id = (SELECT id FROM threads WHERE title = 'Thread 2')
    `);
    await db.run(sql`
      UPDATE files
      SET name = 'four'
      WHERE name = 'two'
        AND message_id IN (
          SELECT m.id
          FROM messages m
          JOIN threads t ON t.id = m.thread_id
          WHERE t.title = 'Thread 3'
        )
    `);
    await db.run(sql`
      UPDATE agents
      SET display_name = 'Somebody else'
      WHERE handle = ${others[0]?.handle as string}
    `);
    const { code, output } = await importFile(
      file,
      target.url,
      '--admin-key',
      ADMIN_KEY,
      '--posters',
      '1',
    );
    expect(code).toBe(1);
    expect(output).toContain('FAILED');
    expect(output).not.toContain('equal      the room');
    const findLine = (title: string) =>
      1 + records.findIndex(({ type, title: one }) => type === 'thread' && one === title) + 63;
    expect(output).toContain(
      `line ${findLine('Thread 2')}: the service has something else at position 62 of the thread`,
    );
    expect(output).toContain(
      `line ${findLine('Thread 3')}: the service has something else at position 62 of the thread`,
    );
    expect(output).toContain(`author "${others[0]?.handle}" on the service differs from the file`);
    // The summary can be corrected, so it is.
    expect(await db.run(sql`SELECT 1 FROM threads WHERE summary = 'Outcome 1'`)).toBe(1);
  });
});

describe('import of an incomplete export', async () => {
  const { owner, room } = await createRoom('public');
  const { text, records } = await exportRoom(source, owner.key, room, true);
  const lines = text.split('\n').slice(0, -1);
  const target = await startApp();
  const findLineOfType = (type: string) =>
    lines.findIndex((line) => line.startsWith(`{"type":"${type}"`));
  const joinLines = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');
  const removeLine = (index: number) => joinLines(lines.filter((_, one) => one !== index));
  const changeLine = (index: number, change: (record: Json) => void) => {
    const record = JSON.parse(lines[index] as string);
    change(record);
    return joinLines(lines.with(index, JSON.stringify(record)));
  };
  const cases: Record<string, readonly [text: string | Buffer, line: number, reason: RegExp]> = {
    'cut before its last line': [
      joinLines(lines.slice(0, -1)),
      lines.length,
      /is missing: the export is truncated before its last line, which counts and hashes it/,
    ],
    'cut within a line': [
      text.slice(0, -9),
      lines.length,
      /is not JSON: the export is damaged or truncated here/,
    ],
    'cut after its first line': [joinLines(lines.slice(0, 1)), 2, /is missing/],
    'with a letter changed': [
      changeLine(findLineOfType('message'), (record) => (record.body = `H${record.body}`)),
      lines.length,
      /says (bytes|sha256) .* the export was changed or damaged/,
    ],
    'with a body of the same length': [
      text.replace('An answer', 'No answer'),
      lines.length,
      /says sha256 "[0-9a-f]{64}", but the lines before it have "[0-9a-f]{64}"/,
    ],
    'without a member': [removeLine(findLineOfType('member')), lines.length - 1, /says lines/],
    'without a message': [
      removeLine(findLineOfType('message')),
      findLineOfType('message') + 1,
      /has position 1 instead of 0/,
    ],
    'without a file': [
      removeLine(findLineOfType('file')),
      findLineOfType('file') + 1,
      /is not a file of the message before it/,
    ],
    'with two lines changed about': [
      joinLines([...lines.slice(0, 1), ...lines.slice(1, -1).reverse(), ...lines.slice(-1)]),
      2,
      /is a message of another thread than the one before it/,
    ],
    'with something after it': [
      `${text}${lines[1]}\n`,
      lines.length + 1,
      /comes after the last line of the export/,
    ],
    'with other bytes in a file': [
      sealExport(changeLine(findLineOfType('file'), (record) => (record.content = 'AAAA'))),
      findLineOfType('file') + 1,
      /has content that does not match its size and SHA-256/,
    ],
    'with a member that no record has': [
      sealExport(changeLine(findLineOfType('thread'), (record) => (record.extra = 1))),
      findLineOfType('thread') + 1,
      /is not a valid thread record \(.*additional properties/,
    ],
    'with a record of the type __proto__': [
      joinLines(lines.toSpliced(1, 0, '{"type":"__proto__"}')),
      2,
      /is not a record of an export/,
    ],
    'with a record of the type constructor': [
      joinLines(lines.toSpliced(1, 0, '{"type":"constructor"}')),
      2,
      /is not a record of an export/,
    ],
    '[attack.59-4] with a million lists': [
      joinLines(lines.toSpliced(1, 0, `{"type":"member","x":[${'[],'.repeat(1_000_000)}[]]}`)),
      2,
      /is not JSON/,
    ],
    '[attack.61-6] with a message of eleven files': [
      sealExport(
        changeLine(findLineOfType('message'), (record) => {
          const { type: _, content: __, ...one } = JSON.parse(lines[findLineOfType('file')] ?? '');
          record.files = Array.from({ length: 11 }, () => one);
        }),
      ),
      findLineOfType('message') + 1,
      /has more than 10 files/,
    ],
    'with a handle that is a path': [
      sealExport(changeLine(findLineOfType('member'), (record) => (record.handle = 7))),
      findLineOfType('member') + 1,
      /is not a valid member record/,
    ],
    'with fewer messages than its thread says': [
      sealExport(changeLine(findLineOfType('thread'), (record) => (record.messageCount += 1))),
      0,
      /ends a thread after \d+ of \d+ messages/,
    ],
    'with a line that is not UTF-8': [
      Buffer.concat([
        Buffer.from(joinLines(lines.slice(0, 2))),
        Buffer.from([0x22, 0xff, 0x22, 10]),
      ]),
      3,
      /is not JSON/,
    ],
    'of another version': [
      text.replace('stoa-export/1', 'stoa-export/2'),
      0,
      /of the format stoa-export\/2, and this version reads stoa-export\/1/,
    ],
    'packed and cut': [gzipSync(text).subarray(0, -20), 0, /cannot be read/],
  };
  it.for(Object.entries(cases))(
    '[import.export-refused] is rejected before anything is written: %s',
    async ([, [damaged, line, reason]]) => {
      const file = writeImportFile(damaged as string);
      await expect(importInProcess(file, target)).rejects.toThrow(reason);
      if (line > 0)
        await expect(importInProcess(file, target)).rejects.toThrow(`${file}:${line}: `);
      expect({
        agents: await countRows(target, 'agents'),
        messages: await countRows(target, 'messages'),
      }).toEqual({ agents: 0, messages: 0 });
    },
  );

  it('[attack.61-6] (API4) statements wait without the content of their files', async () => {
    const read = async (options?: { readonly withContent: boolean }) => {
      const files: FilePart[] = [];
      for await (const statement of exportFormat.statements(writeImportFile(text), options))
        files.push(...statement.files);
      return files;
    };
    const withContent = await read({ withContent: true });
    expect(withContent).toHaveLength(3);
    for (const { content, hasContent } of withContent)
      expect({ length: content?.length ?? 0, hasContent }).toEqual({
        length: expect.toSatisfy((length: number) => length > 0),
        hasContent: true,
      });
    expect(await read()).toEqual(withContent.map((file) => ({ ...file, content: null })));
  });

  it('[import.check] is reported by --check, which writes nothing', async () => {
    const whole = writeImportFile(text, true);
    expect(await runImportCommand(whole, '--check')).toEqual({
      code: 0,
      output:
        '1 messages were deleted: each is replaced by a message that says ' +
        `so\n${whole} is whole: 1 rooms, 2 threads, 9 messages, 4 agents, 3 files with their ` +
        'bytes\nwhether an installation takes files of their size, --check tells with --url\n',
    });
    const broken = writeImportFile(text.slice(0, -200));
    const { code, output } = await runImportCommand(broken, '--check');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/:\d+: is (missing|not JSON).*export the room again\.\n$/),
    });
    const talk = writeImportFile(
      '{"room":"r","day":"d","thread":"t","author":"a","body":"b"}\nnothing\n',
    );
    expect(await runImportCommand(talk, '--check')).toEqual({
      code: 1,
      output:
        `${talk}:2: is not JSON\n${talk} is not whole: 1 rooms, 1 threads, 1 messages, 1 ` +
        `agents, 0 files with their bytes\n`,
    });
    expect(await runImportCommand(whole)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Say where to: --url'),
    });
  });

  it('[newcomer.breakage-13] --check says of a talk what an import then refuses', async () => {
    const buildLine = (body: string) =>
      JSON.stringify({ room: 'r', day: 'd', thread: 't', author: 'a', body });
    const bodies = [
      'Whole.',
      'x'.repeat(66_109),
      '',
      'A \\0 within.'.replace('\\0', '\0'),
      'é'.repeat(32_768),
    ];
    const file = writeImportFile(`${bodies.map(buildLine).join('\n')}\n`);
    const { code, output } = await runImportCommand(file, '--check');
    expect(code).toBe(1);
    expect(output).toContain(
      `${file}:2: would be refused (payload_too_large): The body has 66109 `,
    );
    expect(output).toMatch(/ is whole: 1 rooms, 1 threads, 5 messages, .*\n3 of them would be /);

    const fresh = await startApp();
    const told = await importInProcess(file, fresh);
    expect(told.report).toMatchObject({ refusals: 3, posted: 2 });
    const listRefused = (text: string) =>
      [...text.matchAll(/:(\d+): .*refused \((\w+)\)/g)].map(([, line, why]) => [line, why]);
    expect(listRefused(output)).toEqual(listRefused(told.output));
    expect(listRefused(output).length).toBe(3);
  });

  it('[newcomer.breakage-13] --check with --url knows the limit of files there', async () => {
    const small = await startApp({ FILE_BYTES: '16' });
    const file = writeImportFile(text);
    const checked = await runImportCommand(file, '--check', '--url', small.url);
    expect(checked.code).toBe(1);
    const refused = checked.output.match(/would be refused \(payload_too_large\): The file has/g);
    const { report } = await importInProcess(file, small);
    expect(report.refusedFiles).toBeGreaterThan(0);
    expect(refused?.length).toBe(report.refusedFiles);
  });

  it('[import.refused] reports what only the service rejects, and imports the rest', async () => {
    const messages = lines.flatMap((line, index) =>
      line.startsWith('{"type":"message"') ? [index] : [],
    );
    const tooLong = messages[1] as number;
    const forged = sealExport(changeLine(tooLong, (record) => (record.body = 'x'.repeat(65_537))));
    const fresh = await startApp();
    const { report, output } = await importInProcess(writeImportFile(forged), fresh);
    expect(output).toContain(`:${tooLong + 1}: refused (payload_too_large)`);
    expect(output).toMatch(
      /line \d+: it replies to a message that is not on the service, so it is posted as a reply /,
    );
    expect(report).toMatchObject({ refusals: 1, changes: 1, posted: 8, equal: 8 });
    expect(records).toHaveLength(lines.length - 1);
  });
});
