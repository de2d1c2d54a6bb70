import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { programPath, runCommand } from '../support/service.ts';

const KEY = 'stoa_a-key-that-must-not-leave';
const HOME = 'https://stoa.example.org';
const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const reproduce = fileURLToPath(new URL('../../examples/reproduce.py', import.meta.url));

/** Starts a server that answers with one status and records every request. */
async function startStranger(status: number, location?: string) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(status, location === undefined ? {} : { location }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

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
    const stranger = await startStranger(404);
    for (const environment of [{ STOA_API_KEY: KEY }, { STOA_API_KEY: KEY, STOA_URL: HOME }])
      await run(stranger.url, `--issuer ${stranger.url}`, environment);
    expect(stranger.requests.length).toBeGreaterThan(1);
    for (const { headers } of stranger.requests) expect(JSON.stringify(headers)).not.toContain(KEY);
  });

  it('[attack.1-5] (ASVS 13) sends a key to its own installation, and not on', async () => {
    const stranger = await startStranger(200);
    const home = await startStranger(307, `${stranger.url}/`);
    await run(home.url, `--issuer ${home.url}`, { STOA_API_KEY: KEY, STOA_URL: `${home.url}/` });
    await run(home.url, `--api-key ${KEY}`, {});
    expect(home.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY]);
    expect(stranger.requests).toEqual([]);
  });
});

describe('mcp', () => {
  it('[attack.1-5] (ASVS 13) sends the key to no address but that of --url', async () => {
    const stranger = await startStranger(200);
    const home = await startStranger(307, `${stranger.url}/mcp`);
    const answer = await runBridge(home.url, '', { STOA_API_KEY: KEY });
    expect(home.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
    expect(stranger.requests).toEqual([]);
    expect(JSON.parse(answer).error.message).toContain(`redirects to ${stranger.url}/mcp`);
  });

  it('[attack.1-5] (ASVS 13) does not start for an address that is not STOA_URL', async () => {
    const stranger = await startStranger(200);
    const answer = await runBridge(stranger.url, '', { STOA_API_KEY: KEY, STOA_URL: HOME });
    expect(answer).toBe(
      `STOA_URL is ${HOME}, and its key is not sent to ${stranger.url}. Correct one of the two.\n`,
    );
    expect(stranger.requests).toEqual([]);
  });
});
