import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Findings, findingsOf, type VerifyLogFlags } from '../../../src/cli/verify-log.ts';
import { startApp } from '../../support/app.ts';
import { bytesAt, fillLog } from '../../log.ts';
import { command, folder, freePort } from '../../support/service.ts';

const app = await startApp();
const place = folder();
const file = join(place, 'checkpoint');
const verify = (flags: Omit<VerifyLogFlags, 'url'>, url = app.url) => findingsOf({ url, ...flags });
const text = async (path: string, url = app.url) => (await bytesAt({ url }, path)).toString('utf8');

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** The same log as somebody shows it who changes what stands at an address. */
async function shownBy(change: (path: string, bytes: Buffer) => Buffer | null): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(app.url + request.url);
    const bytes = answer.ok
      ? change((request.url ?? '').replace('/log/', ''), Buffer.from(await answer.arrayBuffer()))
      : null;
    response.writeHead(bytes ? 200 : 404).end(bytes);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const flipped = (bytes: Buffer, at: number) =>
  Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));

function expectBroken({ code, lines }: Findings, fault: string): void {
  expect([code, lines]).toEqual([
    1,
    [expect.stringMatching(new RegExp(`^BROKEN +${fault}: .*\\.$`))],
  ]);
}

describe('verify-log', () => {
  it('[log.verify-command] proves a whole log the first time, keeps its checkpoint, and proves from there what came since', async () => {
    await fillLog(app, 600);
    const first = await command(`verify-log --url ${app.url} --since none --save ${file}`);
    expect([first.code, first.err]).toEqual([0, '']);
    for (const line of [
      /^The log .*\/log has 600 entries\.$/m,
      /^proven +its checkpoint is signed/m,
      /^proven +all 600 entries/m,
    ])
      expect(first.out).toMatch(line);
    for (const line of [
      /^not proven +that this is the right key/m,
      /^not proven +that nothing was rewritten before now/m,
    ])
      expect(first.out).toMatch(line);
    expect(readFileSync(file, 'utf8')).toBe(await text('checkpoint'));

    await fillLog(app, 300);
    const key = join(place, 'key');
    writeFileSync(key, await text('vkey'));
    const second = await verify({ since: file, save: file, key });
    expect(second.code).toBe(0);
    expect(second.lines).toEqual([
      expect.stringMatching(/has 900 entries\.$/),
      expect.stringMatching(/^proven +its checkpoint/),
      expect.stringMatching(/^proven +it begins with the 600 entries/),
      expect.stringMatching(/^proven +the 300 entries since then/),
      expect.stringMatching(/^not proven +that others are shown the same log/),
      expect.stringMatching(/^not proven +that what an entry stands for/),
    ]);
    expect(readFileSync(file, 'utf8')).toBe(await text('checkpoint'));
  });

  it('[log.verify-command] [log.tampering] names what does not fit, and keeps the checkpoint that it had', async () => {
    const before = readFileSync(file, 'utf8');
    await fillLog(app, 5);
    const since = { since: file, save: file };
    const wrongs: readonly (readonly [
      fault: string,
      change: (path: string, bytes: Buffer) => Buffer | null,
    ])[] = [
      [
        'bad_signature',
        (path, bytes) =>
          path === 'checkpoint'
            ? Buffer.from(bytes.toString().replace('\n905\n', '\n906\n'))
            : bytes,
      ],
      [
        'checkpoint_malformed',
        (path, bytes) =>
          path === 'checkpoint' ? Buffer.concat([bytes, Buffer.alloc(200_000)]) : bytes,
      ],
      ['key_malformed', (path, bytes) => (path === 'vkey' ? flipped(bytes, 3) : bytes)],
      [
        'entry_mismatch',
        (path, bytes) => (path.startsWith('tile/entries/003') ? flipped(bytes, 40) : bytes),
      ],
      ['rewritten', (path, bytes) => (path === 'tile/0/003.p/137' ? flipped(bytes, 40) : bytes)],
      ['tile_size', (path, bytes) => (path.startsWith('tile/') ? bytes.subarray(32) : bytes)],
      ['tile_missing', (path, bytes) => (path.startsWith('tile/0/003') ? null : bytes)],
    ];
    for (const [fault, change] of wrongs)
      expectBroken(await verify(since, await shownBy(change)), fault);
    expectBroken(
      await verify(
        { since: 'none' },
        await shownBy((path, bytes) => (path === 'tile/1/000.p/3' ? flipped(bytes, 40) : bytes)),
      ),
      'tile_mismatch',
    );
    expect(readFileSync(file, 'utf8')).toBe(before);

    const old = await shownBy((path, bytes) =>
      path === 'checkpoint' ? Buffer.from(before) : bytes,
    );
    expect((await verify({ since: file }, old)).code).toBe(0);
    writeFileSync(join(place, 'newer'), await text('checkpoint'));
    expectBroken(await verify({ since: join(place, 'newer') }, old), 'shrunk');
  });

  it('[log.verify-command] tells another log from this one by its key, and ends with 1', async () => {
    const other = await startApp();
    await fillLog(other, 1_000);
    const key = (await text('vkey')).trim();
    for (const flags of [{ since: file }, { since: 'none', key }])
      expectBroken(await verify(flags, other.url), 'unknown_key');
    const { code, out, err } = await command(`verify-log --url ${other.url} --key ${key}`);
    expect([code, out, err]).toEqual([1, expect.stringMatching(/^BROKEN +unknown_key: .*\n$/), '']);
  });

  it('[log.verify-command] waits when it is told to slow down', async () => {
    const slow = await app.another({ RATE_LIMITS: 'reads=6/s' });
    const time = setInterval(() => app.clock.advance(100), 50);
    const { code, lines } = await verify({}, slow.url);
    clearInterval(time);
    expect([code, lines[0]]).toEqual([0, expect.stringContaining('905 entries')]);
    expect(slow.logs.filter((line) => line.includes('"status":429')).length).toBeGreaterThan(0);
  });

  it('[log.verify-command] ends with 2 where it could not be checked, in one sentence', async () => {
    const missing = join(place, 'nothing');
    const cases = [
      await verify({}, 'nowhere'),
      await verify({ since: missing }),
      await verify({ key: missing }),
      await verify({}, await shownBy(() => null)),
    ];
    for (const { code, lines } of cases)
      expect([code, lines]).toEqual([
        2,
        [expect.stringMatching(/^The log could not be checked: .*/)],
      ]);
    expect(cases[1]?.lines[0]).toContain('give the file');
    const nobody = await command(`verify-log --url http://127.0.0.1:${await freePort()}`);
    expect([nobody.code, nobody.out, nobody.err]).toEqual([
      2,
      '',
      expect.stringMatching(/^The log could not be checked: .*ECONNREFUSED.*\n$/),
    ]);
    expect(existsSync(missing)).toBe(false);
  });
});
