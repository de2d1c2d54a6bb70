import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startApp } from './app.ts';
import { bytesAt, fillLog } from './log.ts';
import { command, type Ended, folder } from './service.ts';

const app = await startApp({ RATE_LIMITS: 'reads=100/s' });
const place = folder();
const file = join(place, 'checkpoint');
const verify = (flags: string, url = app.url) => command(`verify-log --url ${url} ${flags}`.trim());
const text = async (path: string, url = app.url) => (await bytesAt({ url }, path)).toString('utf8');

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** The same log as somebody shows it who changes what stands at an address. */
async function shownBy(change: (path: string, bytes: Buffer) => Buffer | null): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(app.url + request.url);
    const bytes = answer.ok ? change((request.url ?? '').replace('/log/', ''), Buffer.from(await answer.arrayBuffer())) : null;
    response.writeHead(bytes ? 200 : 404).end(bytes);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const flipped = (bytes: Buffer, at: number) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));

function expectBroken({ code, out, err }: Ended, fault: string): void {
  expect(out).toMatch(new RegExp(`^BROKEN +${fault}: .*\\.\n$`));
  expect([code, err]).toEqual([1, '']);
}

describe('verify-log', () => {
  it('[log.verify-command] proves a whole log the first time, keeps its checkpoint, and proves from there what came since', async () => {
    await fillLog(app, 600);
    const first = await verify(`--since none --save ${file}`);
    expect([first.code, first.err]).toEqual([0, '']);
    for (const line of [
      /^The log .*\/log has 600 entries\.$/m,
      /^proven +its checkpoint is signed/m,
      /^proven +all 600 entries/m,
      /^not proven +that this is the right key/m,
    ])
      expect(first.out).toMatch(line);
    expect(first.out).toMatch(/^not proven +that nothing was rewritten before now/m);
    expect(readFileSync(file, 'utf8')).toBe(await text('checkpoint'));

    await fillLog(app, 300);
    const key = (await text('vkey')).trim();
    writeFileSync(join(place, 'key'), `${key}\n`);
    const second = await verify(`--since ${file} --save ${file} --key ${join(place, 'key')}`);
    expect([second.code, second.err]).toEqual([0, '']);
    for (const line of [/^proven +it begins with the 600 entries/m, /^proven +the 300 entries since then/m, /^not proven +that others are shown the same log/m])
      expect(second.out).toMatch(line);
    expect(second.out).not.toContain('right key');
    expect(readFileSync(file, 'utf8')).toBe(await text('checkpoint'));
  });

  it('[log.verify-command] [log.tampering] names what does not fit, and keeps the checkpoint that it had', async () => {
    const before = readFileSync(file, 'utf8');
    await fillLog(app, 5);
    const since = `--since ${file} --save ${file}`;
    const wrongs: readonly (readonly [fault: string, change: (path: string, bytes: Buffer) => Buffer | null])[] = [
      ['bad_signature', (path, bytes) => (path === 'checkpoint' ? Buffer.from(bytes.toString().replace('\n905\n', '\n906\n')) : bytes)],
      ['key_malformed', (path, bytes) => (path === 'vkey' ? flipped(bytes, 3) : bytes)],
      ['entry_mismatch', (path, bytes) => (path.startsWith('tile/entries/003') ? flipped(bytes, 40) : bytes)],
      ['rewritten', (path, bytes) => (path === 'tile/0/003.p/137' ? flipped(bytes, 40) : bytes)],
      ['tile_size', (path, bytes) => (path.startsWith('tile/') ? bytes.subarray(32) : bytes)],
      ['tile_missing', (path, bytes) => (path.startsWith('tile/0/003') ? null : bytes)],
    ];
    for (const [fault, change] of wrongs) expectBroken(await verify(since, await shownBy(change)), fault);
    const old = await shownBy((path, bytes) => (path === 'checkpoint' ? Buffer.from(before) : bytes));
    expect((await verify(since, old)).code).toBe(0);
    writeFileSync(join(place, 'newer'), await text('checkpoint'));
    expectBroken(await verify(`--since ${join(place, 'newer')}`, old), 'shrunk');
    expect(readFileSync(file, 'utf8')).toBe(before);

    const other = await startApp();
    await fillLog(other, 1_000);
    expectBroken(await verify(since, other.url), 'unknown_key');
    const key = (await text('vkey')).trim();
    expectBroken(await verify(`--since none --key ${key}`, other.url), 'unknown_key');
  });

  it('[log.verify-command] ends with 2 where it could not be checked, in one sentence', async () => {
    const cases = [
      await verify('', 'nowhere'),
      await verify('', 'http://127.0.0.1:1'),
      await verify(`--since ${join(place, 'nothing')}`),
      await verify('', await shownBy(() => null)),
    ];
    for (const { code, out, err } of cases) {
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^The log could not be checked: .*\n$/);
    }
    expect(cases[2]?.err).toContain('give the file');
    expect(existsSync(join(place, 'nothing'))).toBe(false);
  });
});
