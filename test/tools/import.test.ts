import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ADMIN_KEY, startApp, type TestApp } from '../support/app.ts';
import { factories, type Loose, until } from '../support/factories.ts';
import { folder, importFile, importHere, start, stateOf, writeFile } from './run-import.ts';

type Line = { room: string; day: string; thread: string; author: string; body: string };

// Each run of the command line is a new process, and some tests need six of them.
vi.setConfig({ testTimeout: 120_000 });

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));

/** Writes a file of statements; texts stand in it as they are. */
const fileOf = (lines: readonly (Line | string)[], pack = false): string =>
  writeFile(
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    pack,
  );

const say = (
  author: string,
  body: string,
  thread = 'Agenda',
  day = 'day-1',
  room = 'Meeting',
): Line => ({ room, day, thread, author, body });

/** Everything that the service has, as lines of the file: by room, thread and position. */
async function contentOf(app: TestApp): Promise<Line[]> {
  const { ok } = factories(app);
  const names = new Map(
    (await ok('GET', '/api/v1/agents?limit=100')).map((agent: Loose) => [
      agent.id,
      agent.displayName,
    ]),
  );
  const lines: Line[] = [];
  for (const room of await ok('GET', '/api/v1/rooms?limit=100')) {
    for (const thread of await ok('GET', `/api/v1/threads?limit=100&roomId=${room.id}`)) {
      for (let offset: number | null = 0; offset !== null; ) {
        const page: Loose = await ok(
          'GET',
          `/api/v1/threads/${thread.id}/messages?limit=100&offset=${offset}`,
        );
        for (const { authorId, body } of page.messages)
          lines.push(
            say(names.get(authorId) as string, body, thread.title, thread.tags[0], room.name),
          );
        offset = page.nextOffset;
      }
    }
  }
  return lines;
}

/** Statements thread by thread, for comparing: the threads' own order does not matter, that within a thread does. */
const byThread = (lines: readonly Line[]): Record<string, string[]> => {
  const threads = new Map<string, string[]>();
  for (const { room, day, thread, author, body } of lines) {
    const name = `${room}/${day}/${thread}`;
    threads.set(name, [...(threads.get(name) ?? []), `${author}: ${body}`]);
  }
  return Object.fromEntries(threads);
};

/** Statements of several threads, one after the other in turn. */
const interleaved = (threads: number, each: number): Line[] =>
  Array.from({ length: threads * each }, (_, index) =>
    say(
      `author-${index % 5}`,
      `Number ${index}, or ${index % 3 ? 'so' : 'not'}`,
      `Item ${index % threads}`,
    ),
  );

describe('an import', async () => {
  const app = await startApp();

  it('[import.structure] makes an agent of an author, a public room of a meeting, a thread of an agenda item', async () => {
    const lines = [
      say('ada', 'Hello\r\n', 'Opening', 'feb-1', '2024-02'),
      say(
        'Grace Hopper',
        '  **Markdown**, kept 𝄞\u0000'.replace('\0', ''),
        'Opening',
        'feb-1',
        '2024-02',
      ),
      say('admin', 'Day two', 'Opening', 'feb-2', '2024-02'),
      say('ada', '+1', 'Opening', 'feb-2', '2024-02'),
      say('ada', '+1', 'Opening', 'feb-2', '2024-02'),
      say('grace-hopper', 'Elsewhere', 'Opening', 'april-8', '2024-04'),
    ];
    const { code, output } = await importFile(fileOf(lines), app.url);
    expect(output).toMatch(/rooms +2 +2\nthreads +3 +3\nmessages +6 +6 +0\nauthors +4 +4\n/);
    expect(code).toBe(0);
    expect(byThread(await contentOf(app))).toEqual(byThread(lines));

    const { ok } = factories(app);
    const agents: Loose[] = await ok('GET', '/api/v1/agents');
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
    const rooms: Loose[] = await ok('GET', '/api/v1/rooms');
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

describe('an import of a long talk', async () => {
  const app = await startApp();
  const lines = interleaved(12, 80);
  const file = fileOf(lines, true);

  it('[import.rerun] [import.order] killed again and again, it ends with every statement once and in order', async () => {
    for (const enough of [1, 40, 41, 400]) {
      const run = start(file, app.url);
      await until(
        `${enough} messages`,
        async () => (await contentCount(app)) >= enough || run.child.exitCode !== null,
      );
      run.child.kill('SIGKILL');
      expect(await run.code).toBeNull();
    }
    const { code, output } = await importFile(file, app.url);
    expect(output).toMatch(/found \d\d\d from earlier runs/);
    expect(code).toBe(0);
    expect(byThread(await contentOf(app))).toEqual(byThread(lines));
    expect(await contentCount(app)).toBe(lines.length);
  });

  it('[import.rerun] also when the service has forgotten the keys and the last entries of the state are lost', async () => {
    app.clock.advance(8 * 24 * 3600 * 1000);
    await app.app.jobs.runDue();
    expect(await app.app.env.db.run(sql`SELECT 1 FROM idempotency_records`)).toBe(0);
    const path = stateOf(file);
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
    expect(byThread(await contentOf(app))).toEqual(byThread(lines));
  });

  it('[import.rerun] leaves alone what others say in its threads', async () => {
    const f = factories(app);
    const guest = await f.agent('guest-speaker');
    const [room] = await f.ok('GET', '/api/v1/rooms');
    await f.join(guest, room.id);
    for (const { id } of await f.ok('GET', `/api/v1/threads?roomId=${room.id}`))
      await f.post(guest, id, 'May I?');
    expect(await importFile(file, app.url)).toMatchObject({
      code: 0,
      output: expect.stringContaining('compared   960 of 960'),
    });
    expect(await contentCount(app)).toBe(lines.length + 12);
  });

  it('[import.rerun] its state, which has keys in it, is for its owner only', () => {
    const modes = [join(folder, 'stoa'), stateOf(file)].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });
});

const contentCount = async (app: TestApp): Promise<number> =>
  app.app.env.db.run(sql`SELECT 1 FROM messages`);

describe('an import of a file with faults', async () => {
  const app = await startApp();
  const LONG = 'x'.repeat(65_537);

  it('[import.refused] goes on after what the service refuses, and says where and why', async () => {
    const lines = [
      say('ada', LONG),
      say('bob', 'opens the thread'),
      say('ada', ''),
      say('ada', 'y'.repeat(700_000)),
      say('ada', 'b\u0000d'),
      say('bob', 'last'),
    ];
    const file = fileOf(lines);
    const { code, output } = await importFile(file, app.url);
    expect(output).toContain(`${file}:1: refused (payload_too_large): The body has 65537 bytes`);
    expect(output).toContain(`${file}:3: refused (invalid_request): /body/body`);
    expect(output).toContain(`${file}:4: refused (payload_too_large)`);
    expect(output).toContain(`${file}:5: refused (invalid_request): /body/body: a NUL`);
    expect(output).toMatch(/messages +6 +2 +4\n/);
    expect(output).toContain('compared   2 of 2');
    expect(code).toBe(0);
    expect(byThread(await contentOf(app))).toEqual({
      'Meeting/day-1/Agenda': ['bob: opens the thread', 'bob: last'],
    });
    expect(await importFile(file, app.url)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/messages +6 +2 +4\n/),
    });
  });

  it('[import.input] names each line that is no statement, imports the others, and fails', async () => {
    const lines = [
      say('ada', 'one', 'Faults'),
      'not json',
      '',
      '[]',
      '{"room":"Meeting"}',
      say('', 'nobody', 'Faults'),
      say('ada', 'two', 'Faults'),
    ];
    const file = fileOf(lines, true);
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
    expect(byThread(await contentOf(app))['Meeting/day-1/Faults']).toEqual([
      'ada: one',
      'ada: two',
    ]);
  });

  it('[import.input] takes nothing from a file that is broken off or that is none', async () => {
    const before = await contentCount(app);
    const broken = join(folder, 'broken.ndjson.gz');
    writeFileSync(broken, gzipSync(JSON.stringify(say('ada', 'lost'))).subarray(0, -9));
    expect(await importFile(broken, app.url)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /broken.ndjson.gz cannot be read beyond line \d .*: get the file again/,
      ),
    });
    expect(await importFile(join(folder, 'none'), app.url)).toMatchObject({
      code: 1,
      output: expect.stringContaining('none cannot be read'),
    });
    expect(await contentCount(app)).toBe(before);
  });

  it('[import.structure] shortens a title that is too long, cleans one with hidden characters, and says so', async () => {
    const title = 'ä'.repeat(201);
    const { code, output } = await importFile(
      fileOf([say('ada', 'a', title), say('ada', 'b', 'safe\u202Etxt')]),
      app.url,
    );
    expect(output).toContain('the title is changed or shortened');
    expect(code).toBe(0);
    expect(Object.keys(byThread(await contentOf(app)))).toEqual(
      expect.arrayContaining([`Meeting/day-1/${'ä'.repeat(199)}…`, 'Meeting/day-1/safe txt']),
    );
  });

  it('[import.read-back] fails when the service does not have what was posted, byte for byte', async () => {
    const { db } = app.app.env;
    await db.run(
      sql`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.body := 'spoilt '; RETURN NEW; END $$`,
    );
    await db.run(
      sql`CREATE TRIGGER spoil BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.body = 'spoilt') EXECUTE FUNCTION spoil()`,
    );
    const lines = [
      say('ada', 'good', 'Spoilt'),
      say('ada', 'spoilt', 'Spoilt'),
      say('ada', 'good too', 'Spoilt'),
    ];
    const { report, output } = await importHere(fileOf(lines), app);
    await db.run(sql`DROP TRIGGER spoil ON messages`);
    expect(report).toMatchObject({ posted: 3, equal: 1, faults: 1 });
    expect(output).toMatch(/line 2: the service has something else at position 1 of the thread/);
  });

  it('[import.rerun] ends with a sentence when the service is not there or does not know its agents', async () => {
    const file = fileOf([say('ada', 'x', 'Nowhere')]);
    const fresh = await startApp();
    const state = join(folder, 'kept-state');
    expect((await importFile(file, fresh.url, '--state', state)).code).toBe(0);
    const elsewhere = await importFile(file, app.url, '--state', state);
    expect(elsewhere).toMatchObject({
      code: 1,
      output: expect.stringContaining(`delete ${state} to import from the start`),
    });
    expect(await importFile(fileOf([say('ada', 'y')]), app.url, '--state', state)).toMatchObject({
      code: 1,
      output: expect.stringContaining('belongs to the import of another file'),
    });
    await expect(importHere(file, app, undefined, 'http://127.0.0.1:1')).rejects.toThrow(
      /does not answer .*Run the same command again/,
    );
    expect(await importFile(file, 'nowhere')).toMatchObject({
      code: 1,
      output: expect.stringContaining('--url must be an address'),
    });
  });
});

describe('an import under rate limits', async () => {
  const app = await startApp({ RATE_LIMITS: 'registrations=2/h,writes=20/m' });
  const lines = interleaved(4, 40);

  it('[import.admin-key] waits as long as it is told without an administrator key, and completes', async () => {
    const { report, waits, output } = await importHere(fileOf(lines), app);
    expect(report).toMatchObject({ posted: 160, equal: 160, faults: 0, refusals: 0 });
    // Five registrations at two an hour, and some 40 acts of each author at 20 a minute.
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(1.5 * 3600 * 1000);
    expect(output).toMatch(/waiting \d+ s: the service asks to/);
  });

  it('[import.admin-key] does not wait with one', async () => {
    const more = lines.map((line) => ({ ...line, room: 'Another', author: `new-${line.author}` }));
    const { report, waits } = await importHere(fileOf(more), app, ADMIN_KEY);
    expect(report).toMatchObject({ posted: 160, equal: 160, faults: 0 });
    expect(waits).toEqual([]);
  });
});

describe('an import of real data', async () => {
  const app = await startApp();
  const real = existsSync(data)
    ? readdirSync(data).find((name) => name.endsWith('.ndjson.gz'))
    : undefined;

  it.skipIf(real === undefined)(
    '[import.structure] [import.read-back] keeps a slice of it byte for byte',
    async () => {
      const slice = gunzipSync(readFileSync(join(data, real as string)))
        .toString()
        .split('\n')
        .slice(0, 400);
      const { code, output } = await importFile(fileOf(slice), app.url, '--admin-key', ADMIN_KEY);
      expect(output).toContain('compared   400 of 400 messages are equal');
      expect(code).toBe(0);
      expect(byThread(await contentOf(app))).toEqual(
        byThread(slice.map((line) => JSON.parse(line) as Line)),
      );
    },
  );
});
