import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ADMIN_KEY, startApp, type TestApp } from '../support/app.ts';
import { exportOf, fill, ofType } from '../features/export/read-export.ts';
import { factories, type Loose, type TestAgent, together, until } from '../support/factories.ts';
import { importFile, importHere, importWords, start, stateOf, writeFile } from './run-import.ts';

// Each run of the command line is a new process.
vi.setConfig({ testTimeout: 180_000 });

const PLACEHOLDER = '*(In the place of a message that was deleted.)*';

const source = await startApp();
const f = factories(source);

/** A room with everything in it that a room can have. */
async function createRoom(
  visibility: 'public' | 'private',
): Promise<{ owner: TestAgent; room: string }> {
  const [owner, member, guest, mentioned] = [
    await f.agent(),
    await f.agent(),
    await f.agent(),
    await f.agent(),
  ];
  const displayName = '<b>"Ada" \\ 李 🙂</b>';
  await f.ok('PUT', '/api/v1/me', { key: member.key, body: { displayName } });
  const { id: room } = await f.ok('POST', '/api/v1/rooms', {
    key: owner.key,
    body: { name: '{"type":"end"}', description: 'Two\nlines \u202e', visibility },
  });
  for (const agent of [member, guest])
    await (visibility === 'public' ? f.join(agent, room) : f.invite(owner, room, agent));

  const first = await f.thread(member, room, {
    title: 'Which one? `x` *y*',
    kind: 'question',
    tags: ['a-b', '1'],
    body: `# Hello @${mentioned.handle}\r\n`,
    visibility: 'public',
  });
  const second = await f.post(
    guest,
    first,
    `\u0001\u2028 "quoted" \\ @${member.handle} @nobody-at-all`,
  );
  const deleted = await f.post(owner, first, 'to be deleted');
  const answer = await f.post(owner, first, 'An answer to what was deleted', {
    replyToId: deleted.id,
  });
  await f.post(member, first, '𝄞'.repeat(16_384), { replyToId: second.id });
  await f.post(guest, first, '+1', { replyToId: answer.id });
  await f.post(guest, first, '+1', { replyToId: answer.id });
  for (const [name, bytes] of [
    ['a b "c".txt', 'One.'],
    ['ünï.bin', '\u0000\u0001\u0002'],
  ] as const)
    await f.attach(guest, second.id, { name, bytes });
  await f.attach(owner, answer.id, {
    name: 'big.bin',
    bytes: Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251),
  });
  await f.ok('PUT', `/api/v1/threads/${first}/summary`, {
    key: owner.key,
    body: { summary: 'So:\n\n* be it', messageIds: [answer.id, second.id] },
  });
  await f.ok('DELETE', `/api/v1/admin/messages/${deleted.id}`, { admin: true });

  const hidden = await f.thread(owner, room, { title: 'Members only', visibility: 'private' });
  const { id: early } = await f.post(owner, hidden, 'Early');
  await f.ok('PUT', `/api/v1/threads/${hidden}/summary`, {
    key: owner.key,
    body: { summary: 'By the owner', messageIds: [early] },
  });
  const gone = await f.thread(owner, room, { title: 'To be deleted' });
  await f.ok('DELETE', `/api/v1/admin/threads/${gone}`, { admin: true });
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${guest.id}`, { key: guest.key });
  return { owner, room };
}

/** Key of the owner of the only room, from the state that the import keeps. */
const ownerKeyIn = (state: string, ownerHandle: string): string =>
  readFileSync(state, 'utf8')
    .split('\n')
    .flatMap((line) => (line.includes('"account"') ? [JSON.parse(line).account] : []))
    .find(({ handle }) => handle === ownerHandle).apiKey;

/** The export of what was imported. */
async function exportBack(
  app: TestApp,
  state: string,
  ownerHandle: string,
  files = true,
): Promise<Loose[]> {
  const key = ownerKeyIn(state, ownerHandle);
  const rooms = (await factories(app).ok('GET', '/api/v1/rooms', { key })).filter(
    (room: Loose) => room.ownerHandle === ownerHandle,
  );
  expect(rooms).toHaveLength(1);
  return (await exportOf(app, key, rooms[0].id, files)).records;
}

/** What is the same on every installation: no ids, times, receipts or urls; messages are known by thread and position. */
function essence(records: readonly Loose[], titles = true): Loose {
  const places = new Map(ofType(records, 'message').map(({ id, position }) => [id, position]));
  const file = ({ name, mediaType, size, sha256, content }: Loose) => ({
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
    members: ofType(records, 'member')
      .map(({ handle, displayName, role }) => ({ handle, displayName, role }))
      .toSorted((a, b) => (a.handle < b.handle ? -1 : 1)),
    threads: ofType(records, 'thread')
      .map(({ id, title, kind, tags, visibility, authorHandle, messageCount, summary }) => ({
        about: [titles && title, kind, tags, visibility, authorHandle, messageCount],
        summary: summary && [
          summary.text,
          summary.authorHandle,
          summary.messageIds.map((called: string) => places.get(called)),
        ],
        messages: ofType(records, 'message')
          .filter(({ threadId }) => threadId === id)
          .map((message) => ({
            position: message.position,
            author: message.authorHandle,
            body: message.deleted ? PLACEHOLDER : message.body,
            answers: message.replyToId && places.get(message.replyToId),
            mentions: message.mentions,
            files: message.files.map(file),
            contents: ofType(records, 'file')
              .filter(({ messageId }) => messageId === message.id)
              .map(file),
          })),
      }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

const rowsOf = (app: TestApp, table: 'agents' | 'messages') =>
  app.app.env.db.run(table === 'agents' ? sql`SELECT 1 FROM agents` : sql`SELECT 1 FROM messages`);

describe('an export that is imported', () => {
  it.for(['public', 'private'] as const)(
    '[import.export] is the same room again, of a %s one',
    async (visibility) => {
      const { owner, room } = await createRoom(visibility);
      const { text, records } = await exportOf(source, owner.key, room, true);
      const target = await startApp();
      const { report, table, output, state } = await importHere(
        writeFile(text, visibility === 'private'),
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
        addressed: 0,
        attached: 3,
      });
      expect(table).toContain(
        'equal      the room on the service is that of the export, but for ids, times, receipts and urls, and for what is remarked',
      );
      expect(essence(await exportBack(target, state, owner.handle))).toEqual(essence(records));
    },
  );

  it('[import.tombstones] keeps the place of a deleted message, and says so', async () => {
    const { owner, room } = await createRoom('public');
    const { text } = await exportOf(source, owner.key, room);
    const target = await startApp();
    const { output, table, state } = await importHere(writeFile(text), target);
    expect(output).toContain(
      '1 messages were deleted: in the place of each stands a message that says so',
    );
    expect(table).toContain('remark     1 messages were deleted');
    const messages = ofType(await exportBack(target, state, owner.handle), 'message');
    const [placeholder] = messages.filter(({ body }) => body === PLACEHOLDER);
    expect(placeholder).toMatchObject({ position: 2, authorHandle: owner.handle, deleted: false });
    expect(messages.find(({ body }) => body.startsWith('An answer'))).toMatchObject({
      position: 3,
      replyToId: placeholder.id,
    });
  });

  it('[import.export] without the bytes of files it has all but the files, and says so', async () => {
    const { owner, room } = await createRoom('public');
    const { text, records } = await exportOf(source, owner.key, room);
    const target = await startApp();
    const { report, table, state } = await importHere(writeFile(text), target);
    expect(report).toMatchObject({ faults: 0, equal: 9, attached: 0 });
    expect(table).toContain(
      'remark     3 files are left out, because the export has not their bytes: export with ?files=true to have them',
    );
    const bare = records
      .filter(({ type }) => type !== 'file')
      .map((record) => (record.type === 'message' ? { ...record, files: [] } : record));
    expect(essence(await exportBack(target, state, owner.handle))).toEqual(essence(bare));
  });

  it('[import.renamed] gives another handle to an agent whose handle is taken, and tells what that changes', async () => {
    const { owner, room } = await createRoom('public');
    const { text, records } = await exportOf(source, owner.key, room, true);
    const taken = ofType(records, 'message').find(({ mentions }) => mentions.length > 0)
      .mentions[0];
    const target = await startApp();
    await factories(target).agent(taken);
    const { report, table, output } = await importHere(writeFile(text), target);
    expect(output).toMatch(
      new RegExp(
        `author "${taken}" is registered as ${taken}-[0-9a-f]{8}: the name itself is taken`,
      ),
    );
    expect(report).toMatchObject({ faults: 0, equal: 9, addressed: 1 });
    expect(table).toContain('mentions   1 of them address others than in the file');
    expect(table).not.toContain('equal      the room');
  });
});

describe('a mention', () => {
  it('[import.renamed] of a handle that was nobody when it was written is told: now it is somebody', async () => {
    const owner = await f.agent();
    const room = await f.room(owner, 'public');
    const thread = await f.thread(owner, room, { body: 'Is there a @late-comer?' });
    const late = await f.agent('late-comer');
    await f.join(late, room);
    await f.post(late, thread, 'There is.');
    const target = await startApp();
    const { report, table } = await importHere(
      writeFile((await exportOf(source, owner.key, room)).text),
      target,
    );
    expect(report).toMatchObject({ faults: 0, equal: 2, addressed: 1 });
    expect(table).toContain('mentions   1 of them address others than in the file');
  });
});

describe('an import of a long export', async () => {
  const owner = await f.agent();
  const others = await together(3, () => f.agent());
  const room = await f.room(owner, 'private');
  for (const other of others) await f.invite(owner, room, other);
  const threads = await together(9, (index) =>
    f.thread(others[index % 3] as TestAgent, room, {
      title: `Thread ${index}`,
      body: `First of ${index}`,
    }),
  );
  for (const [index, thread] of threads.entries()) {
    const { id: called } = await f.post(owner, thread, 'Called');
    await fill(source, thread, 60, 'x');
    const { id } = await f.post(others[index % 3] as TestAgent, thread, 'Answered', {
      replyToId: called,
    });
    for (const name of ['one', 'two', 'three'])
      await f.attach(others[index % 3] as TestAgent, id, { name, bytes: `${name} of ${index}` });
    await f.ok('PUT', `/api/v1/threads/${thread}/summary`, {
      key: owner.key,
      body: { summary: `Outcome ${index}`, messageIds: [id] },
    });
  }
  const { text, records } = await exportOf(source, owner.key, room, true);
  const file = writeFile(text);
  const target = await startApp();
  const all = ofType(records, 'message').length;
  const filesThere = () => target.app.env.db.run(sql`SELECT 1 FROM files`);
  const summariesThere = () =>
    target.app.env.db.run(sql`SELECT 1 FROM threads WHERE summary IS NOT NULL`);

  it('[import.export-rerun] killed again and again, at any step, it ends with everything once', async () => {
    const moments: (() => Promise<boolean>)[] = [
      async () => (await rowsOf(target, 'agents')) >= 2,
      async () => (await rowsOf(target, 'messages')) >= 3,
      async () => (await rowsOf(target, 'messages')) >= 300,
      async () => (await filesThere()) >= 4,
      async () => (await filesThere()) >= 20,
      async () => (await summariesThere()) >= 2,
    ];
    for (const [index, moment] of moments.entries()) {
      const run = start(file, target.url, '--admin-key', ADMIN_KEY);
      await until(`moment ${index}`, async () => (await moment()) || run.child.exitCode !== null);
      run.child.kill('SIGKILL');
      await run.code;
    }
    const { code, output } = await importFile(file, target.url, '--admin-key', ADMIN_KEY);
    expect(output).toContain(`compared   ${all} of ${all} messages are equal`);
    expect(output).toContain('equal      the room on the service is that of the export');
    expect(code).toBe(0);
    expect([
      await rowsOf(target, 'messages'),
      await filesThere(),
      await rowsOf(target, 'agents'),
    ]).toEqual([all, 27, 4]);
    expect(essence(await exportBack(target, stateOf(file), owner.handle))).toEqual(
      essence(records),
    );
  });

  it('[import.export-rerun] also when the service has forgotten the keys and half of the state is lost', async () => {
    target.clock.advance(8 * 24 * 3600 * 1000);
    await target.app.jobs.runDue();
    expect(await target.app.env.db.run(sql`SELECT 1 FROM idempotency_records`)).toBe(0);
    const lines = readFileSync(stateOf(file), 'utf8').split('\n');
    const threadLines = lines.filter((line) => line.startsWith('{"thread"'));
    writeFileSync(
      stateOf(file),
      lines
        .filter((line) => !line.startsWith('{"room"') && !threadLines.slice(0, 4).includes(line))
        .join('\n'),
    );
    const { code, output } = await importFile(file, target.url, '--admin-key', ADMIN_KEY);
    expect(output).toContain('posted 0 in');
    expect(code).toBe(0);
    expect([await rowsOf(target, 'messages'), await filesThere()]).toEqual([all, 27]);
  });

  it('[import.export-equal] tells what is different on the service, and fails', async () => {
    const { db } = target.app.env;
    await db.run(sql`UPDATE threads SET summary = 'Another' WHERE summary = 'Outcome 1'`);
    await db.run(
      sql`UPDATE messages SET reply_to_id = NULL WHERE body = 'Answered' AND thread_id = (SELECT id FROM threads WHERE title = 'Thread 2')`,
    );
    await db.run(
      sql`UPDATE files SET name = 'four' WHERE name = 'two' AND message_id IN (SELECT m.id FROM messages m JOIN threads t ON t.id = m.thread_id WHERE t.title = 'Thread 3')`,
    );
    await db.run(
      sql`UPDATE agents SET display_name = 'Somebody else' WHERE handle = ${others[0]?.handle as string}`,
    );
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
    const lineOf = (title: string) =>
      1 + records.findIndex(({ type, title: one }) => type === 'thread' && one === title) + 63;
    expect(output).toContain(
      `line ${lineOf('Thread 2')}: the service has something else at position 62 of the thread`,
    );
    expect(output).toContain(
      `line ${lineOf('Thread 3')}: the service has something else at position 62 of the thread`,
    );
    expect(output).toContain(
      `author "${others[0]?.handle}" is not on the service as the file has it`,
    );
    // What can be put right is: the summary.
    expect(await db.run(sql`SELECT 1 FROM threads WHERE summary = 'Outcome 1'`)).toBe(1);
  });
});

describe('an export that is not whole', async () => {
  const { owner, room } = await createRoom('public');
  const { text, records } = await exportOf(source, owner.key, room, true);
  const lines = text.split('\n').slice(0, -1);
  const target = await startApp();
  const at = (type: string) => lines.findIndex((line) => line.startsWith(`{"type":"${type}"`));
  const join = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');
  const without = (index: number) => join(lines.filter((_, one) => one !== index));
  const changed = (index: number, change: (record: Loose) => void) => {
    const record = JSON.parse(lines[index] as string);
    change(record);
    return join(lines.with(index, JSON.stringify(record)));
  };
  /** With a last line that fits whatever stands before it, as a forger would write it. */
  const sealed = (body: string) => {
    const counts: Record<string, number> = { room: 0, member: 0, thread: 0, message: 0, file: 0 };
    const before = join(
      body.split('\n').filter((line) => line !== '' && !line.startsWith('{"type":"end"')),
    );
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

  const cases: Record<string, readonly [text: string | Buffer, line: number, reason: RegExp]> = {
    'cut before its last line': [
      join(lines.slice(0, -1)),
      lines.length,
      /is missing: the export breaks off before the line that counts and hashes it/,
    ],
    'cut within a line': [
      text.slice(0, -9),
      lines.length,
      /is not JSON: the export is damaged or breaks off here/,
    ],
    'cut after its first line': [join(lines.slice(0, 1)), 2, /is missing/],
    'with a letter changed': [
      changed(at('message'), (record) => (record.body = `H${record.body}`)),
      lines.length,
      /says (bytes|sha256) .* the export was changed or damaged/,
    ],
    'with a body of the same length': [
      text.replace('An answer', 'No answer'),
      lines.length,
      /says sha256 "[0-9a-f]{64}", but before it are "[0-9a-f]{64}"/,
    ],
    'without a member': [without(at('member')), lines.length - 1, /says lines/],
    'without a message': [
      without(at('message')),
      at('message') + 1,
      /has position 1 where 0 must follow/,
    ],
    'without a file': [without(at('file')), at('file') + 1, /is no file of the message before it/],
    'with two lines changed about': [
      join([...lines.slice(0, 1), ...lines.slice(1, -1).reverse(), ...lines.slice(-1)]),
      2,
      /is a message of a thread that does not stand before it/,
    ],
    'with something after it': [
      `${text}${lines[1]}\n`,
      lines.length + 1,
      /stands after the last line of the export/,
    ],
    'with other bytes in a file': [
      sealed(changed(at('file'), (record) => (record.content = 'AAAA'))),
      at('file') + 1,
      /has other bytes than its own SHA-256 says/,
    ],
    'with a member that no record has': [
      sealed(changed(at('thread'), (record) => (record.extra = 1))),
      at('thread') + 1,
      /is no thread as an export has it \(.*additional properties/,
    ],
    'with a handle that is a path': [
      sealed(changed(at('member'), (record) => (record.handle = 7))),
      at('member') + 1,
      /is no member as an export has it/,
    ],
    'with fewer messages than its thread says': [
      sealed(changed(at('thread'), (record) => (record.messageCount += 1))),
      0,
      /ends a thread after \d+ of \d+ messages/,
    ],
    'with a line that is not UTF-8': [
      Buffer.concat([Buffer.from(join(lines.slice(0, 2))), Buffer.from([0x22, 0xff, 0x22, 10])]),
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
    '[import.export-refused] is refused before anything is written: %s',
    async ([, [damaged, line, reason]]) => {
      const file = writeFile(damaged as string);
      await expect(importHere(file, target)).rejects.toThrow(reason);
      if (line > 0) await expect(importHere(file, target)).rejects.toThrow(`${file}:${line}: `);
      expect([await rowsOf(target, 'agents'), await rowsOf(target, 'messages')]).toEqual([0, 0]);
    },
  );

  it('[import.check] is told by --check, which writes nothing', async () => {
    const whole = writeFile(text, true);
    expect(await importWords(whole, '--check')).toEqual({
      code: 0,
      output: `1 messages were deleted: in the place of each stands a message that says so\n${whole} is whole: 1 rooms, 2 threads, 9 messages, 4 agents, 3 files with their bytes\n`,
    });
    const broken = writeFile(text.slice(0, -200));
    const { code, output } = await importWords(broken, '--check');
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/:\d+: is (missing|not JSON).*get it again\.\n$/),
    ]);
    const talk = writeFile(
      '{"room":"r","day":"d","thread":"t","author":"a","body":"b"}\nnothing\n',
    );
    expect(await importWords(talk, '--check')).toEqual({
      code: 1,
      output: `${talk}:2: is not JSON\n${talk} is not whole: 1 rooms, 1 threads, 1 messages, 1 agents, 0 files with their bytes\n`,
    });
    expect(await importWords(whole)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Say where to: --url'),
    });
  });

  it('[import.refused] but what only the service refuses is told, and the rest is imported', async () => {
    const messages = lines.flatMap((line, index) =>
      line.startsWith('{"type":"message"') ? [index] : [],
    );
    const tooLong = messages[1] as number;
    const forged = sealed(changed(tooLong, (record) => (record.body = 'x'.repeat(65_537))));
    const fresh = await startApp();
    const { report, output } = await importHere(writeFile(forged), fresh);
    expect(output).toContain(`:${tooLong + 1}: refused (payload_too_large)`);
    expect(output).toMatch(
      /line \d+: it answers a message that is not on the service, so it stands there as an answer to none/,
    );
    expect(report).toMatchObject({ refusals: 1, changes: 1, posted: 8, equal: 8 });
    expect(records).toHaveLength(lines.length - 1);
  });
});
