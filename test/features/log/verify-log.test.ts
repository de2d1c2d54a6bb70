import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  collectFindings,
  type LogFindings,
  type VerifyLogFlags,
} from '../../../src/cli/verify/verify-log.ts';
import { startApp } from '../../support/app.ts';
import { createFolder, findFreePort, runCommand } from '../../support/service.ts';
import { fetchBytes, fillLog } from './merkle-reference.ts';

const app = await startApp();
const checkpointFolder = createFolder();
const file = join(checkpointFolder, 'checkpoint');
const verify = (flags: Omit<VerifyLogFlags, 'url'>, url = app.url) =>
  collectFindings({ url, ...flags });
const fetchText = async (path: string, url = app.url) =>
  (await fetchBytes({ url }, path)).toString('utf8');

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Serves the log through a proxy that changes what is at an address. */
async function serveChanged(
  change: (path: string, bytes: Buffer) => Buffer | null,
): Promise<string> {
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

const flipByte = (bytes: Buffer, at: number) =>
  Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));

function expectBroken({ code, lines }: LogFindings, fault: string): void {
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [expect.stringMatching(new RegExp(`^BROKEN +${fault}: .*\\.$`))],
  });
}

describe('verify-log', () => {
  it('[log.verify-command] proves the log and later continues from its checkpoint', async () => {
    await fillLog(app, 600);
    const first = await runCommand(`verify-log --url ${app.url} --since none --save ${file}`);
    expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: '' });
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
    expect(readFileSync(file, 'utf8')).toBe(await fetchText('checkpoint'));

    await fillLog(app, 300);
    const key = join(checkpointFolder, 'key');
    writeFileSync(key, await fetchText('vkey'));
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
    expect(readFileSync(file, 'utf8')).toBe(await fetchText('checkpoint'));
  });

  it('[log.verify-command] [log.tampering] names faults and keeps its checkpoint', async () => {
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
      ['key_malformed', (path, bytes) => (path === 'vkey' ? flipByte(bytes, 3) : bytes)],
      [
        'entry_mismatch',
        (path, bytes) => (path.startsWith('tile/entries/003') ? flipByte(bytes, 40) : bytes),
      ],
      ['rewritten', (path, bytes) => (path === 'tile/0/003.p/137' ? flipByte(bytes, 40) : bytes)],
      ['tile_size', (path, bytes) => (path.startsWith('tile/') ? bytes.subarray(32) : bytes)],
      ['tile_missing', (path, bytes) => (path.startsWith('tile/0/003') ? null : bytes)],
    ];
    for (const [fault, change] of wrongs)
      expectBroken(await verify(since, await serveChanged(change)), fault);
    expectBroken(
      await verify(
        { since: 'none' },
        await serveChanged((path, bytes) =>
          path === 'tile/1/000.p/3' ? flipByte(bytes, 40) : bytes,
        ),
      ),
      'tile_mismatch',
    );
    expect(readFileSync(file, 'utf8')).toBe(before);

    const old = await serveChanged((path, bytes) =>
      path === 'checkpoint' ? Buffer.from(before) : bytes,
    );
    expect((await verify({ since: file }, old)).code).toBe(0);
    writeFileSync(join(checkpointFolder, 'newer'), await fetchText('checkpoint'));
    expectBroken(await verify({ since: join(checkpointFolder, 'newer') }, old), 'shrunk');
  });

  it('[log.verify-command] detects another log by its key and exits with 1', async () => {
    const other = await startApp();
    await fillLog(other, 1_000);
    const key = (await fetchText('vkey')).trim();
    for (const flags of [{ since: file }, { since: 'none', key }])
      expectBroken(await verify(flags, other.url), 'unknown_key');
    const { code, out, err } = await runCommand(`verify-log --url ${other.url} --key ${key}`);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: expect.stringMatching(/^BROKEN +unknown_key: .*\n$/),
      err: '',
    });
  });

  it('[log.verify-command] waits when the service asks it to slow down', async () => {
    const slow = await app.startNode({ RATE_LIMITS: 'reads=6/s' });
    const time = setInterval(() => app.clock.advance(100), 50);
    const { code, lines } = await verify({}, slow.url);
    clearInterval(time);
    expect({ code, firstLine: lines[0] }).toEqual({
      code: 0,
      firstLine: expect.stringContaining('905 entries'),
    });
    expect(slow.logs.filter((line) => line.includes('"status":429')).length).toBeGreaterThan(0);
  });

  it('[log.verify-command] exits with 2 and one sentence when it could not check', async () => {
    const missing = join(checkpointFolder, 'nothing');
    const cases = [
      await verify({}, 'nowhere'),
      await verify({ since: missing }),
      await verify({ key: missing }),
      await verify({}, await serveChanged(() => null)),
    ];
    for (const { code, lines } of cases)
      expect({ code, lines }).toEqual({
        code: 2,
        lines: [expect.stringMatching(/^The log could not be checked: .*/)],
      });
    expect(cases[1]?.lines[0]).toContain('give the file');
    const nobody = await runCommand(`verify-log --url http://127.0.0.1:${await findFreePort()}`);
    expect({ code: nobody.code, out: nobody.out, err: nobody.err }).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^The log could not be checked: .*ECONNREFUSED.*\n$/),
    });
    expect(existsSync(missing)).toBe(false);
  });
});
