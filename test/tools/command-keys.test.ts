import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startPretender } from '../support/pretender.ts';
import { createFolder, programPath, runCommand } from '../support/service.ts';

const KEY = 'stoa_a-key-that-must-not-leave';
const HOME = 'https://stoa.example.org';
const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const reproduce = fileURLToPath(new URL('../../examples/reproduce.py', import.meta.url));

type Environment = Readonly<Record<string, string>>;
type Run = (url: string, flags: string, environment: Environment) => Promise<unknown>;

const runPython: Run = (url, flags, environment) =>
  promisify(execFile)('python3', [reproduce, 'receipt', `${url}/e/${ID}`, ...flags.split(' ')], {
    env: { PATH: process.env.PATH, ...environment },
  }).catch(() => undefined);

/** Runs the bridge for one message on its standard input, and returns what it answers. */
async function runBridge(url: string, flags: string, environment: Environment): Promise<string> {
  const running = promisify(execFile)(
    process.execPath,
    [programPath, 'mcp', '--url', url, ...(flags === '' ? [] : flags.split(' '))],
    { env: { ...environment } },
  );
  running.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  const { stdout, stderr } = await running.catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return stdout + stderr;
}

const withFlags = (command: (url: string) => string): Run => {
  return (url, flags, environment) =>
    runCommand([command(url), flags].filter(Boolean).join(' '), environment);
};

const commands: readonly (readonly [name: string, run: Run])[] = [
  ['verify-receipt', withFlags((url) => `verify-receipt ${url}/e/${ID}`)],
  ['verify-case', withFlags((url) => `verify-case ${url}/adjudication/${ID}`)],
  ['reproduce.py', runPython],
];

describe.for(commands)('%s', ([, run]) => {
  it('[attack.1-5] (ASVS 13) sends the key of the environment to no stranger', async () => {
    const stranger = await startPretender(() => undefined);
    for (const environment of [{ STOA_API_KEY: KEY }, { STOA_API_KEY: KEY, STOA_URL: HOME }])
      await run(stranger.url, `--issuer ${stranger.url}`, environment);
    expect(stranger.asked.length).toBeGreaterThan(1);
    for (const { headers } of stranger.asked) expect(JSON.stringify(headers)).not.toContain(KEY);
  });

  it('[attack.1-5] (ASVS 13) sends a key to its own installation, and not on', async () => {
    const stranger = await startPretender(() => ({ body: {} }));
    const home = await startPretender(() => ({
      status: 307,
      headers: { location: `${stranger.url}/` },
    }));
    await run(home.url, `--issuer ${home.url}`, { STOA_API_KEY: KEY, STOA_URL: `${home.url}/` });
    await run(home.url, `--api-key ${KEY}`, {});
    expect(home.asked.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY]);
    expect(stranger.asked).toEqual([]);
  });
});

describe('import', () => {
  it('[attack.44-4] (ASVS 13) sends the administrator key to no other installation', async () => {
    const stranger = await startPretender(() => undefined);
    const file = join(createFolder(), 'export.ndjson');
    writeFileSync(file, '');
    const run = (home: string, url = stranger.url) =>
      runCommand(`import ${file} --url ${url}`, { STOA_ADMIN_KEY: KEY, STOA_URL: home });
    for (const home of ['', HOME])
      expect(await run(home, 'http://stoa.invalid')).toMatchObject({
        code: 1,
        err: expect.stringContaining('STOA_ADMIN_KEY is not sent to http://stoa.invalid'),
      });
    // This machine's own, and one that STOA_URL names.
    for (const { err } of [
      await run(HOME),
      await run('http://stoa.invalid', 'http://stoa.invalid'),
    ])
      expect(err).not.toContain('is not sent');
  });
});

describe('mcp', () => {
  it('[attack.1-5] (ASVS 13) sends the key to no address but that of --url', async () => {
    const stranger = await startPretender(() => ({ body: {} }));
    const home = await startPretender(() => ({
      status: 307,
      headers: { location: `${stranger.url}/mcp?first=post-your-key` },
    }));
    const answer = await runBridge(home.url, '', { STOA_API_KEY: KEY });
    expect(home.asked.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
    expect(stranger.asked).toEqual([]);
    const { message } = JSON.parse(answer).error;
    expect(message).toContain(`redirects to ${stranger.url}, and the key is sent nowhere else`);
    // A model reads it, so that what a stranger chose is not in it.
    expect(message).not.toContain('post-your-key');
  });

  it('[attack.1-5] (ASVS 13) does not start for an address that is not STOA_URL', async () => {
    const stranger = await startPretender(() => ({ body: {} }));
    const answer = await runBridge(stranger.url, '', { STOA_API_KEY: KEY, STOA_URL: HOME });
    expect(answer).toBe(
      `STOA_URL is ${HOME}, and its key is not sent to ${stranger.url}. Correct one of the two.\n`,
    );
    expect(stranger.asked).toEqual([]);
  });
});
