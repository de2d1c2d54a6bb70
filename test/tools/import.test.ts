import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ADMIN_KEY, startApp, type TestApp } from '../support/app.ts';
import { factories, type Json, waitUntil } from '../support/factories.ts';
import {
  importFile,
  importFolder,
  importInProcess,
  readState,
  startImport,
  writeImportFile,
} from './run-import.ts';

type Line = { room: string; day: string; thread: string; author: string; body: string };

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** Writes a file of statements with verbatim texts. */
const writeLines = (lines: readonly (Line | string)[], pack = false): string =>
  writeImportFile(
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    pack,
  );

const buildLine = (
  author: string,
  body: string,
  thread = 'Agenda',
  day = 'day-1',
  room = 'Meeting',
): Line => ({ room, day, thread, author, body });

/** Reads everything that the service has, as lines of the file: by room, thread and position. */
async function listContent(app: TestApp): Promise<Line[]> {
  const { ok: expectOk } = factories(app);
  const names = new Map(
    (await expectOk('GET', '/api/v1/agents?limit=100')).map((agent: Json) => [
      agent.id,
      agent.displayName,
    ]),
  );
  const lines: Line[] = [];
  for (const room of await expectOk('GET', '/api/v1/rooms?limit=100')) {
    for (const thread of await expectOk('GET', `/api/v1/threads?limit=100&roomId=${room.id}`)) {
      for (let offset: number | null = 0; offset !== null; ) {
        const page: Json = await expectOk(
          'GET',
          `/api/v1/threads/${thread.id}/messages?limit=100&offset=${offset}`,
        );
        for (const { authorId, body } of page.messages)
          lines.push(
            buildLine(names.get(authorId) as string, body, thread.title, thread.tags[0], room.name),
          );
        offset = page.nextOffset;
      }
    }
  }
  return lines;
}

/** Sorts statements by thread for comparison, because only the order within a thread matters. */
const groupByThread = (lines: readonly Line[]): Record<string, string[]> => {
  const threads = new Map<string, string[]>();
  for (const { room, day, thread, author, body } of lines) {
    const name = `${room}/${day}/${thread}`;
    threads.set(name, [...(threads.get(name) ?? []), `${author}: ${body}`]);
  }
  return Object.fromEntries(threads);
};

/** Interleaves the statements of several threads. */
const buildInterleaved = (threads: number, each: number): Line[] =>
  Array.from({ length: threads * each }, (_, index) =>
    buildLine(
      `author-${index % 5}`,
      `Number ${index}, or ${index % 3 ? 'so' : 'not'}`,
      `Item ${index % threads}`,
    ),
  );

describe('import', async () => {
  const app = await startApp();

  it('[import.structure] maps authors to agents, meetings to rooms, items to threads', async () => {
    const lines = [
      buildLine('ada', 'Hello\r\n', 'Opening', 'feb-1', '2024-02'),
      buildLine(
        'Grace Hopper',
        '  **Markdown**, kept 𝄞\u0000'.replace('\0', ''),
        'Opening',
        'feb-1',
        '2024-02',
      ),
      buildLine('admin', 'Day two', 'Opening', 'feb-2', '2024-02'),
      buildLine('ada', '+1', 'Opening', 'feb-2', '2024-02'),
      buildLine('ada', '+1', 'Opening', 'feb-2', '2024-02'),
      buildLine('grace-hopper', 'Elsewhere', 'Opening', 'april-8', '2024-04'),
    ];
    const { code, output } = await importFile(writeLines(lines), app.url);
    expect(output).toMatch(/rooms +2 +2\nthreads +3 +3\nmessages +6 +6 +0\nauthors +4 +4\n/);
    expect(code).toBe(0);
    expect(groupByThread(await listContent(app))).toEqual(groupByThread(lines));

    const { ok: expectOk } = factories(app);
    const agents: Json[] = await expectOk('GET', '/api/v1/agents');
    expect(agents.map(({ displayName }) => displayName).sort()).toEqual([
      'Grace Hopper',
      'ada',
      'admin',
      'grace-hopper',
    ]);
    expect(agents.map(({ handle }) => handle).sort()).toEqual([
      'ada',
      expect.stringMatching(/^admin-[0-9a-f]{8}$/),
      'grace-hopper',
      expect.stringMatching(/^grace-hopper-[0-9a-f]{8}$/),
    ]);
    const rooms: Json[] = await expectOk('GET', '/api/v1/rooms');
    expect(
      rooms
        .map(({ name, visibility, ownerHandle, memberCount }) => [
          name,
          visibility,
          ownerHandle,
          memberCount,
        ])
        .sort(),
    ).toEqual([
      ['2024-02', 'public', 'ada', 3],
      ['2024-04', 'public', 'grace-hopper', 1],
    ]);
  });
});

describe('import of a long talk', async () => {
  const app = await startApp();
  const lines = buildInterleaved(12, 80);
  const file = writeLines(lines, true);

  it('[import.rerun] [import.order] keeps order when killed', async () => {
    for (const enough of [1, 40, 41, 400]) {
      const run = startImport(file, app.url);
      await waitUntil(
        `${enough} messages`,
        async () => (await countContent(app)) >= enough || run.child.exitCode !== null,
      );
      run.child.kill('SIGKILL');
      expect(await run.code).toBeNull();
    }
    const { code, output } = await importFile(file, app.url);
    expect(output).toMatch(/found \d\d\d from earlier runs/);
    expect(code).toBe(0);
    expect(groupByThread(await listContent(app))).toEqual(groupByThread(lines));
    expect(await countContent(app)).toBe(lines.length);
  });

  it('[import.rerun] completes although keys and state are lost', async () => {
    app.clock.advance(8 * 24 * 3600 * 1000);
    await app.app.jobs.runDue();
    expect(await app.app.env.db.run(sql`SELECT 1 FROM idempotency_records`)).toBe(0);
    const path = readState(file);
    const entries = readFileSync(path, 'utf8').split('\n');
    const kept = entries.filter(
      (entry) =>
        !entry.startsWith('{"room"') && !entry.includes('Item 3') && !entry.includes('Item 7'),
    );
    expect(kept.length).toBe(entries.length - 3);
    writeFileSync(path, `${kept.join('\n')}{"thread":"torn by a ki`);

    const { code, output } = await importFile(file, app.url);
    expect(output).toContain(`posted 0 in`);
    expect(code).toBe(0);
    expect(groupByThread(await listContent(app))).toEqual(groupByThread(lines));
  });

  it('[import.rerun] leaves alone what others say in its threads', async () => {
    const f = factories(app);
    const guest = await f.createAgent('guest-speaker');
    const [room] = await f.ok('GET', '/api/v1/rooms');
    await f.joinRoom(guest, room.id);
    for (const { id } of await f.ok('GET', `/api/v1/threads?roomId=${room.id}`))
      await f.postMessage(guest, id, 'May I?');
    expect(await importFile(file, app.url)).toMatchObject({
      code: 0,
      output: expect.stringContaining('compared   960 of 960'),
    });
    expect(await countContent(app)).toBe(lines.length + 12);
  });

  it('[import.rerun] stores state with keys for its owner only', () => {
    const modes = [join(importFolder, 'stoa'), readState(file)].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600]);
  });
});

const countContent = async (app: TestApp): Promise<number> =>
  app.app.env.db.run(sql`SELECT 1 FROM messages`);

describe('import of a file with faults', async () => {
  const app = await startApp();
  const LONG = 'x'.repeat(65_537);

  it('[import.refused] continues after a refusal and says where and why', async () => {
    const lines = [
      buildLine('ada', LONG),
      buildLine('bob', 'opens the thread'),
      buildLine('ada', ''),
      buildLine('ada', 'y'.repeat(700_000)),
      buildLine('ada', 'b\u0000d'),
      buildLine('bob', 'last'),
    ];
    const file = writeLines(lines);
    const { code, output } = await importFile(file, app.url);
    expect(output).toContain(`${file}:1: refused (payload_too_large): The body has 65537 bytes`);
    expect(output).toContain(`${file}:3: refused (invalid_request): /body/body`);
    expect(output).toContain(`${file}:4: refused (payload_too_large)`);
    expect(output).toContain(`${file}:5: refused (invalid_request): /body/body: a NUL`);
    expect(output).toMatch(/messages +6 +2 +4\n/);
    expect(output).toContain('compared   2 of 2');
    expect(code).toBe(0);
    expect(groupByThread(await listContent(app))).toEqual({
      'Meeting/day-1/Agenda': ['bob: opens the thread', 'bob: last'],
    });
    expect(await importFile(file, app.url)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/messages +6 +2 +4\n/),
    });
  });

  it('[import.input] names invalid lines, imports the others, and fails', async () => {
    const lines = [
      buildLine('ada', 'one', 'Faults'),
      'not json',
      '',
      '[]',
      '{"room":"Meeting"}',
      buildLine('', 'nobody', 'Faults'),
      buildLine('ada', 'two', 'Faults'),
    ];
    const file = writeLines(lines, true);
    const { code, output } = await importFile(file, app.url);
    expect(
      [...output.matchAll(/:(\d+): (.+); the line is left out/g)].map(
        ([, line, fault]) => `${line} ${fault}`,
      ),
    ).toEqual([
      '2 is not JSON',
      '4 is not a JSON object',
      '5 has no text "day"',
      '6 has no text "author"',
    ]);
    expect(output).toContain(`${file}:2: is not JSON`);
    expect(output).toMatch(/statements: 2 of 2, \d+\/s/);
    expect(output).toContain('FAILED');
    expect(code).toBe(1);
    expect(groupByThread(await listContent(app))['Meeting/day-1/Faults']).toEqual([
      'ada: one',
      'ada: two',
    ]);
  });

  it('[import.input] takes nothing from a broken or foreign file', async () => {
    const before = await countContent(app);
    const broken = join(importFolder, 'broken.ndjson.gz');
    writeFileSync(broken, gzipSync(JSON.stringify(buildLine('ada', 'lost'))).subarray(0, -9));
    expect(await importFile(broken, app.url)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /broken.ndjson.gz cannot be read beyond line \d .*: get the file again/,
      ),
    });
    expect(await importFile(join(importFolder, 'none'), app.url)).toMatchObject({
      code: 1,
      output: expect.stringContaining('none cannot be read'),
    });
    expect(await countContent(app)).toBe(before);
  });

  it('[import.structure] shortens long titles, cleans hidden characters and says so', async () => {
    const title = 'ä'.repeat(201);
    const { code, output } = await importFile(
      writeLines([buildLine('ada', 'a', title), buildLine('ada', 'b', 'safe\u202Etxt')]),
      app.url,
    );
    expect(output).toContain('the title is changed or shortened');
    expect(code).toBe(0);
    expect(Object.keys(groupByThread(await listContent(app)))).toEqual(
      expect.arrayContaining([`Meeting/day-1/${'ä'.repeat(199)}…`, 'Meeting/day-1/safe txt']),
    );
  });

  it('[import.read-back] fails when what was posted is not stored byte for byte', async () => {
    const { db } = app.app.env;
    await db.run(
      sql`
        CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN NEW.body := 'spoilt '; RETURN NEW; END $$
      `,
    );
    await db.run(sql`
      CREATE TRIGGER spoil BEFORE
      INSERT ON messages FOR EACH ROW WHEN (NEW.body = 'spoilt') EXECUTE FUNCTION spoil()
    `);
    const lines = [
      buildLine('ada', 'good', 'Spoilt'),
      buildLine('ada', 'spoilt', 'Spoilt'),
      buildLine('ada', 'good too', 'Spoilt'),
    ];
    const { report, output } = await importInProcess(writeLines(lines), app);
    await db.run(sql`DROP TRIGGER spoil ON messages`);
    expect(report).toMatchObject({ posted: 3, equal: 1, faults: 1 });
    expect(output).toMatch(/line 2: the service has something else at position 1 of the thread/);
  });

  it('[import.rerun] ends with a sentence when the service or its agents are gone', async () => {
    const file = writeLines([buildLine('ada', 'x', 'Nowhere')]);
    const fresh = await startApp();
    const state = join(importFolder, 'kept-state');
    expect((await importFile(file, fresh.url, '--state', state)).code).toBe(0);
    const elsewhere = await importFile(file, app.url, '--state', state);
    expect(elsewhere).toMatchObject({
      code: 1,
      output: expect.stringContaining(`delete ${state} to import from the start`),
    });
    expect(
      await importFile(writeLines([buildLine('ada', 'y')]), app.url, '--state', state),
    ).toMatchObject({
      code: 1,
      output: expect.stringContaining('belongs to the import of another file'),
    });
    await expect(importInProcess(file, app, undefined, 'http://127.0.0.1:1')).rejects.toThrow(
      /does not answer .*Run the same command again/,
    );
    expect(await importFile(file, 'nowhere')).toMatchObject({
      code: 1,
      output: expect.stringContaining('--url must be an address'),
    });
  });
});

describe('import under rate limits', async () => {
  const app = await startApp({ RATE_LIMITS: 'registrations=2/h,writes=20/m' });
  const lines = buildInterleaved(4, 40);

  it('[import.admin-key] waits as needed without an administrator key', async () => {
    const { report, waits, output } = await importInProcess(writeLines(lines), app);
    expect(report).toMatchObject({ posted: 160, equal: 160, faults: 0, refusals: 0 });
    // The file needs five registrations at two an hour, and some 40 acts of each author at 20 a
    // minute.
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(1.5 * 3600 * 1000);
    expect(output).toMatch(/waiting \d+ s: the service asks to/);
  });

  it('[import.admin-key] does not wait with one', async () => {
    const more = lines.map((line) => ({ ...line, room: 'Another', author: `new-${line.author}` }));
    const { report, waits } = await importInProcess(writeLines(more), app, ADMIN_KEY);
    expect(report).toMatchObject({ posted: 160, equal: 160, faults: 0 });
    expect(waits).toEqual([]);
  });
});

describe('import of real data', async () => {
  const app = await startApp();
  const real = existsSync(data)
    ? readdirSync(data).find((name) => name.endsWith('.ndjson.gz'))
    : undefined;

  it.skipIf(real === undefined)(
    '[import.structure] [import.read-back] keeps a slice byte for byte',
    async () => {
      const slice = gunzipSync(readFileSync(join(data, real as string)))
        .toString()
        .split('\n')
        .slice(0, 400);
      const { code, output } = await importFile(
        writeLines(slice),
        app.url,
        '--admin-key',
        ADMIN_KEY,
      );
      expect(output).toContain('compared   400 of 400 messages are equal');
      expect(code).toBe(0);
      expect(groupByThread(await listContent(app))).toEqual(
        groupByThread(slice.map((line) => JSON.parse(line) as Line)),
      );
    },
  );
});
