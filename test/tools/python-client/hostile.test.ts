import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, it } from 'vitest';
import { afterFile } from '../../support/each-file.ts';
import { runPython } from './python.ts';

const PIECE = Buffer.alloc(1024 * 1024, 'a');

/** Runs a program that has the client as `s`, and returns what it printed. */
async function run(program: string): Promise<string> {
  const { code, out, err } = await runPython(['-c', `import stoa_client as s\n${program}`]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

/** Starts a hostile service, which ends with the file, and returns its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Calls a service in three ways, and prints each error. `after` follows each call. */
const callAll = (url: string, after = '') => `
client = s.Client("${url}", retry=s.Retry(tries=1))
for call in (client.list_rooms, client.get_me, lambda: next(client.stream("streamEvents"))):
    try:
        call()
    except s.StoaError as error:
        print(error)
    ${after || 'pass'}`;

it('[attack.7-5] (API10) an agent in Python waits an hour at most', async () => {
  const out = await run(`
from email.message import Message
for asked in ("99999999999", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"):
    headers = Message()
    headers["Retry-After"] = asked
    print(s.find_pause(1, s.StoaApiError(429, None, headers)))`);
  expect(out).toBe('3600.0\n'.repeat(3));
});

it('[attack.55-4] (API10) a refusal of a filter before the service is final', async () => {
  const out = await run(`
from email.message import Message
statuses = (400, 403, 404, 405, 413, 451, 408, 425, 429, 502, 503)
print([status for status in statuses if not s.is_final(s.StoaApiError(status, None, Message()))])
print(s.is_final(s.StoaApiError(409, {"code": "idempotency_in_progress"}, Message())))`);
  expect(out).toBe('[408, 425, 429, 502, 503]\nFalse\n');
});

it('[attack.28-1] (API10) what the client in Python says moves no cursor', async () => {
  const out = await run(`
from email.message import Message
problem = {"code": "x\\x1b[2J", "detail": "a\\u202eb\\x9bc\\n"}
print(s.StoaApiError(400, problem, Message()))
print(s.StoaConnectionError("x \\x1b[2J"))
print(s.escape_controls("plain \\u00e9 \\x07"))`);
  expect(out).toBe('x\\u001b[2J: a\\u202eb\\u009bc\\u000a\nx \\u001b[2J\nplain é \\u0007\n');
});

it('[attack.28-2] (API10) the client in Python takes deep JSON for a broken answer', async () => {
  const deep = '['.repeat(60_000);
  const url = await serve((request, response) => {
    const isProblem = request.url?.includes('/me') === true;
    const isStream = request.url?.includes('/stream') === true;
    const type = isProblem ? 'application/problem+json' : 'application/json';
    response
      .writeHead(isProblem ? 400 : 200, { 'content-type': isStream ? 'text/event-stream' : type })
      .end(isStream ? `data: ${deep}\n\n` : deep);
  });
  const out = await run(`${callAll(url)}
try:
    s.parse_hint(b"[" * 60000)
except s.HintError as error:
    print(error)`);
  expect(out.trim().split('\n')).toEqual([
    expect.stringContaining('something else than JSON'),
    'HTTP 400 without a problem document',
    'The stream ended: The stream has an event that is not JSON.',
    'The body is not JSON.',
  ]);
});

it('[attack.55-6] (API10) the client in Python parses no million of lists', async () => {
  const url = await serve((request, response) => {
    const text = request.url?.includes('/me') ? `["${'[,'.repeat(1_000_000)}\\\\", "\\"["]` : '';
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(text || `[${'[],'.repeat(1_000_000)}[]]`);
  });
  const out = await run(`
client = s.Client("${url}", retry=s.Retry(tries=1))
print([len(text) for text in client.get_me()])
try:
    client.list_rooms()
except s.StoaConnectionError as error:
    print(error)`);
  expect(out.trim().split('\n')).toEqual([
    '[2000001, 2]',
    expect.stringContaining('something else than JSON'),
  ]);
});

it('[attack.56-6] (API10) the client in Python reads JSON as UTF-8 alone', async () => {
  const text = `\ufeff["\u2200",${'{},'.repeat(1_000_001)}{}]`;
  const url = await serve((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(Buffer.from(text, 'utf16le'));
  });
  const out = await run(`
try:
    s.Client("${url}", retry=s.Retry(tries=1)).list_rooms()
except s.StoaConnectionError as error:
    print(error)`);
  expect(out).toContain('something else than JSON');
});

it('[attack.55-5] (API10) an answer does not choose the codec of its text', async () => {
  const url = await serve((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=punycode' })
      .end('é'.repeat(1_000_000));
  });
  const out = await run(`print(len(s.Client("${url}").get_robots().text))`);
  expect(out).toBe('1000000\n');
});

it('[attack.7-4] (API10) the client in Python reads no answer without an end', async () => {
  const url = await serve((request, response) => {
    const isStream = request.url?.includes('/stream') === true;
    response.writeHead(request.url?.includes('/rooms') ? 200 : isStream ? 200 : 400, {
      'content-type': isStream ? 'text/event-stream' : 'application/problem+json',
    });
    const send = () => {
      while (response.write(PIECE));
      response.once('drain', send);
    };
    send();
  });
  const out = await run(`
import gc, re${callAll(url, 'gc.collect()')}
# The usage that resource tells begins with that of the process that started this one.
with open("/proc/self/status") as status:
    print(int(re.search(r"VmHWM:\\s*(\\d+)", status.read())[1]) < 200_000)`);
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/\/api\/v1\/rooms answers with more than 33554432 bytes\.$/),
    'HTTP 400 without a problem document',
    'The stream ended: The stream has a line of over 4194304 bytes.',
    'True',
    '',
  ]);
});

it('[attack.38-7] (API10) the client in Python ends interim answers and trailers', async () => {
  const server = createTcpServer((socket) => {
    // A client that gave up resets the connection.
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const isFile = request.includes('/rooms');
      const line = isFile ? 'x: y\r\n' : 'HTTP/1.1 100 Continue\r\n\r\n';
      const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n';
      if (isFile) socket.write(head);
      const piece = line.repeat(100);
      const send = () => {
        while (socket.write(piece));
        socket.once('drain', send);
      };
      send();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const out = await run(callAll(url));
  expect(out.trim().split('\n')).toEqual([
    'The answer broke off: The answer has too many trailers.',
    `${url} does not answer: The service sends interim answers without an end.`,
    `${url} does not answer: The service sends interim answers without an end.`,
  ]);
});
