import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { createBridge } from '../../src/cli/bridge.ts';
import { afterFile } from '../support/each-file.ts';
import { type Json, waitUntil } from '../support/factories.ts';
import { createFolder, runCommand, startCommand } from '../support/service.ts';
import { runPython } from './python-client/python.ts';

const folder = createFolder();
const PIECE = Buffer.alloc(1024 * 1024, 'a');
const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** Starts a server that answers each request as `answer` does. */
async function startHostile(answer: (response: ServerResponse, path: string) => void) {
  const server = createServer((request, response) => answer(response, request.url ?? '')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends an answer as fast as it is read, which never ends. */
function sendEndless(response: ServerResponse, type = 'application/json', begin = ''): void {
  response.writeHead(200, { 'content-type': type }).write(begin);
  const send = () => {
    while (response.write(PIECE));
    response.once('drain', send);
  };
  send();
}

const startWatch = (url: string, exec: string) =>
  startCommand(
    `watch --url ${url} --exec ${exec} --state ${join(folder, `${basename(exec)}.json`)}`,
    {
      STOA_API_KEY: 'stoa_key',
    },
  );

it('[attack.7-4] (API10) watch reads no endless answer, and the first signal ends it', async () => {
  const watch = startWatch(await startHostile((response) => sendEndless(response)), 'cat');
  await waitUntil('the answer was too long', () =>
    watch.readErrors().includes('has more than 33554432 bytes'),
  );
  watch.kill('SIGTERM');
  expect((await watch.ended).code).toBe(0);
});

it('[attack.7-4] (API10) the second signal ends watch while its command runs', async () => {
  const event = { id: 1, kind: 'mention', message: null };
  const url = await startHostile((response, path) => {
    const body = path.includes('/events')
      ? { events: [event], nextCursor: 1, hasMore: false }
      : { id: ID };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const slow = join(folder, 'slow.sh');
  const begun = join(folder, 'begun');
  writeFileSync(slow, `#!/bin/sh\ntouch '${begun}'\nsleep 15\n`, { mode: 0o755 });
  const watch = startWatch(url, slow);
  await waitUntil('its command runs', () => existsSync(begun));
  watch.kill('SIGTERM');
  const endsByItself = await Promise.race([
    watch.ended,
    new Promise((done) => setTimeout(done, 2000)),
  ]);
  expect(endsByItself).toBeUndefined();
  watch.kill('SIGINT');
  // Under load both signals may arrive together, and in either order.
  expect((await watch.ended).code).toBeOneOf([130, 143]);
});

it('[attack.7-4] (API10) status calls a node unreachable whose metrics do not end', async () => {
  const url = await startHostile((response) => sendEndless(response, 'text/plain'));
  const { code, out, err } = await runCommand(`status --once --every 0.5 --url ${url}`, {
    STOA_ADMIN_KEY: 'key',
  });
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toContain(`${url}: unreachable`);
});

/** Asks for the tools of a service through the bridge, and returns what the bridge writes. */
async function askThroughBridge(url: string): Promise<Json[]> {
  const written: Json[] = [];
  const bridge = createBridge({
    address: `${url}/mcp`,
    key: undefined,
    write: async (text) => void written.push(JSON.parse(text)),
  });
  await bridge.take(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  return written;
}

it('[attack.7-4] (API10) the bridge reads no event without an end', async () => {
  const url = await startHostile((response) =>
    sendEndless(response, 'text/event-stream', 'data: '),
  );
  expect(await askThroughBridge(url)).toMatchObject([
    { id: 1, error: { message: expect.stringMatching(/max buffer/) } },
  ]);
});

it('[attack.59-3] (API10) the bridge parses no million of lists', async () => {
  const url = await startHostile((response) => {
    const lists = `[${'[],'.repeat(1_000_000)}[]]`;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":1,"result":${lists}}`);
  });
  expect(await askThroughBridge(url)).toMatchObject([
    { id: 1, error: { message: expect.stringContaining('over 1000000 parts') } },
  ]);
});

it('[attack.44-9] (API10) the bridge reads no faster than its client', async () => {
  let sent = 0;
  const url = await startHostile((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = `data: ${JSON.stringify({ text: 'a'.repeat(1024 * 1024) })}\n\n`;
    const send = () => {
      do sent += 1;
      while (response.write(event));
      response.once('drain', send);
    };
    send();
  });
  let taken = 0;
  let release = () => {};
  const isStuck = new Promise<void>((resolve) => {
    release = resolve;
  });
  const bridge = createBridge({
    address: `${url}/mcp`,
    key: undefined,
    async write() {
      taken += 1;
      if (taken === 1) await isStuck;
    },
  });
  void bridge.take(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  await waitUntil('the client is stuck', () => taken === 1);
  let before = 0;
  await waitUntil('nothing more is sent', async () => {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return sent === before;
  });
  expect(taken).toBe(1);
  expect(sent).toBeLessThan(50);
  release();
  await waitUntil('it goes on', () => taken > 10 && sent > before);
  await bridge.take(
    JSON.stringify({ method: 'notifications/cancelled', params: { requestId: 1 } }),
  );
});

/** Clears the screen, says something in green, and hides whatever comes after it. */
const LIE = '\u001b[2J\u001b[H\u001b[32mok    all        Proven.\u001b[0m\u001b[8m\u009b8m\n';
const expectHarmless = ({ code, out, err }: { code: number | null; out: string; err: string }) => {
  expect(code).toBeOneOf([1, 2]);
  expect(`${out}${err}`).not.toMatch(/[^\P{Cc}\n]|^ok/mu);
};

it('[attack.7-6] (ASVS 1.2) commands print no control characters of a service', async () => {
  const problem = { code: 'invalid_request', status: 400, detail: LIE };
  const url = await startHostile((response) =>
    response
      .writeHead(400, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify(problem)),
  );
  const watch = await startWatch(url, 'true').ended;
  expectHarmless(watch);
  expect(watch.err).toContain('The service refuses: invalid_request: \\u001b[2J');
  expectHarmless(await runCommand(`verify-log --url ${url}`));
  const python = await runPython([
    join(import.meta.dirname, '../../examples/reproduce.py'),
    ...`metric --url ${url} --key k --experiment activation`.split(' '),
    ...'--from 2026-01-01 --to 2026-01-02'.split(' '),
  ]);
  expectHarmless(python);
  expect(python.out).toContain('\\u001b[2J');
});

it('[attack.7-6] (ASVS 1.2) a case has ids where a verdict could be written', async () => {
  const now = '2026-11-20T00:00:00.000Z';
  const frozen = {
    v: 1,
    method: 'stoa-adjudication/1',
    caseId: ID,
    round: 1,
    question: 'q',
    rubric: [],
    evidence: [],
    parties: [],
    subject: { id: ID, version: 1 },
    opensAt: now,
    closesAt: '2026-11-23T00:00:00.000Z',
  };
  const ballot = { id: 'b', voterId: LIE, castAt: '2020', verdict: 'upheld', evidenceIds: [] };
  const outcome = { ballots: [ballot], result: null, votes: {}, closedAt: now };
  const round = { number: 1, state: 'closed', frozen, frozenSha256: 'x', outcome };
  const detail = {
    id: ID,
    state: 'closed',
    result: null,
    subject: { type: 'task', id: ID },
    evidence: [],
    rounds: [{ ...round, openedReceiptId: null, closedReceiptId: null }],
  };
  const url = await startHostile((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(detail)),
  );
  const result = await runCommand(`verify-case ${ID} --url ${url}`);
  expectHarmless(result);
  expect(result.out).toContain('It does not have the form of a case.');
  expect(result.out).toContain('NOT PROVEN');
});
