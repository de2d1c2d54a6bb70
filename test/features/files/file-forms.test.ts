import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFixture, digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { afterFile } from '../../support/each-file.ts';
import { buildProblem, factories, type Json, waitUntil } from '../../support/factories.ts';

const LIMIT = 100_000;
const app = await startApp({ FILE_BYTES: String(LIMIT) });
const f = factories(app);
const fixture = await createFixture(f);
const { owner } = fixture;
const { id: messageId } = await f.postMessage(owner, fixture.threads.open, 'See the file');
const path = `/api/v1/messages/${messageId}/files`;
const { hostname, port } = new URL(app.url);

const listNames = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [];
const readEverything = async () => ({
  rows: await digestTables(app),
  arriving: listNames(join(app.dataDir, 'files', 'arriving')),
  kept: listNames(join(app.dataDir, 'files', 'stored')),
});

/** A refused upload leaves nothing, as soon as the service has noticed. */
async function expectNothingLeft(work: () => Promise<unknown>): Promise<void> {
  const before = await readEverything();
  await work();
  await waitUntil(
    'the temporary file is removed',
    async () =>
      JSON.stringify((await readEverything()).arriving) === JSON.stringify(before.arriving),
  );
  expect(await readEverything()).toEqual(before);
}

type Pieces = Iterable<string | Buffer> | AsyncIterable<string | Buffer>;

interface Sent {
  readonly headers?: Record<string, string>;
  readonly to?: string;
  readonly agent?: Agent;
}

const buildTypeHeader = (boundary = 'b') => ({
  'content-type': `multipart/form-data; boundary=${boundary}`,
});
const buildCredentials = () => ({ 'x-api-key': owner.key, 'idempotency-key': randomUUID() });

/**
 * Sends a body piece by piece, as chunks unless a length is given, and stops once the answer is
 * there.
 */
function send(
  pieces: Pieces,
  { headers = {}, to = path, agent }: Sent = {},
): Promise<{ status: number; body: Json }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      path: to,
      method: 'POST',
      headers: { ...buildCredentials(), ...buildTypeHeader(), ...headers },
      ...(agent && { agent }),
    });
    let answered = false;
    outgoing.on('response', (response: IncomingMessage) => {
      answered = true;
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }),
      );
    });
    // A server that answers before it has read everything may also close the connection.
    outgoing.on('error', (error) => answered || reject(error));
    outgoing.on('socket', (socket) => socket.on('error', () => {}));
    void (async () => {
      for await (const piece of pieces) {
        if (answered || outgoing.destroyed) break;
        if (!outgoing.write(piece))
          await new Promise((next) =>
            outgoing.once('drain', next).once('response', next).once('close', next),
          );
      }
      if (!outgoing.destroyed) outgoing.end();
    })();
  });
}

const buildDisposition = (more: string) => `Content-Disposition: form-data; ${more}\r\n`;
const head =
  `--b\r\n${buildDisposition('name="file"; filename="a.txt"')}Content-Type: ` +
  `text/plain\r\n\r\n`;
const tail = '\r\n--b--\r\n';
const buildForm = (bytes: string) => [head, bytes, tail];
const block = Buffer.alloc(64 * 1024, 'x');

function* generateEndless(...first: string[]) {
  yield* first;
  for (;;) yield block;
}

const buildFault = (pointer: string) =>
  buildProblem(400, 'invalid_request', { errors: [{ pointer, detail: expect.any(String) }] });

describe('attachFile with an invalid form', () => {
  it.for([
    ['nothing', [], '/body/file'],
    ['an empty form', ['--b--\r\n'], '/body/file'],
    [
      'another field',
      [`--b\r\n${buildDisposition('name="document"; filename="a"')}\r\nx${tail}`],
      '/body/document',
    ],
    [
      'a field with a path for a name',
      [`--b\r\n${buildDisposition('name="a/b~c"')}\r\nx${tail}`],
      '/body/a~1b~0c',
    ],
    ['a text', [`--b\r\n${buildDisposition('name="file"')}\r\nx${tail}`], '/body/file'],
    [
      'a file and a text',
      [head, 'x', `\r\n--b\r\n${buildDisposition('name="title"')}\r\nx${tail}`],
      '/body',
    ],
    ['two files', [head, 'x\r\n', head, `y${tail}`], '/body'],
    [
      'a thousand files',
      [...Array.from({ length: 1000 }, () => `${head}x\r\n`), '--b--\r\n'],
      '/body',
    ],
    ['a part without a head', ['--b\r\n\r\nx', tail], '/body/file'],
    [
      'a name that is not UTF-8',
      [
        Buffer.concat([
          Buffer.from(head.slice(0, 62)),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(head.slice(62)),
        ]),
        'x',
        tail,
      ],
      '/body/file',
    ],
    [
      'a name with a path and nothing else',
      [head.replace('a.txt', '../'), 'x', tail],
      '/body/file',
    ],
    [
      'a dangerous name',
      [`--b\r\n${buildDisposition('name="__proto__"; filename="a"')}\r\nx${tail}`],
      '/body/__proto__',
    ],
    ['another boundary', buildForm('x').map((piece) => piece.replaceAll('--b', '--c')), '/body'],
    ['JSON that calls itself a form', ['{"file":"x"}'], '/body'],
  ] as const)('[file.form] rejects %s', async ([, pieces, pointer]) => {
    await expectNothingLeft(async () =>
      expect(await send([...pieces])).toMatchObject(buildFault(pointer)),
    );
  });

  it('[file.form] rejects a form without a boundary', async () => {
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary',
    ])
      await expectNothingLeft(async () =>
        expect(await send(buildForm('x'), { headers: { 'content-type': type } })).toMatchObject(
          buildFault('/body'),
        ),
      );
  });

  it('[file.form] rejects another media type', async () => {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/mixed; boundary=b',
      'text/plain',
      'x',
      'image/png',
    ])
      await expectNothingLeft(async () =>
        expect(await send(buildForm('x'), { headers: { 'content-type': type } })).toMatchObject(
          buildProblem(415, 'unsupported_media_type'),
        ),
      );
  });

  it('[file.form] accepts forms as other clients write them', async () => {
    const written = [
      ['preamble\r\n', ...buildForm('x'), 'epilogue'],
      [
        head.replace('filename="a.txt"', `filename="a.txt"; filename*=UTF-8''%c3%a9.txt`),
        'x',
        tail,
      ],
      [head.replace('name="file"; ', '').replace('form-data;', 'form-data; name=file;'), 'x', tail],
      [`--b\r\nCONTENT-DISPOSITION: FORM-DATA; NAME="file"; FILENAME="a"\r\n\r\nx${tail}`],
      [...head, ...'x', ...tail],
    ];
    for (const pieces of written)
      expect(await send(pieces)).toMatchObject({ status: 200, body: { size: 1 } });
  });
});

describe('attachFile with an incomplete form', () => {
  const whole = buildForm('some bytes').join('');

  it('[file.broken-form] stores nothing wherever the form breaks off', async () => {
    // The last two bytes, a line end, may be missing.
    for (
      let length = 0;
      length < whole.length - 2;
      length += length < 20 || length > whole.length - 12 ? 1 : 17
    ) {
      await expectNothingLeft(async () =>
        expect({ length, answer: await send([whole.slice(0, length)]) }).toMatchObject({
          length,
          answer: buildFault(length === 0 ? '/body/file' : '/body'),
        }),
      );
      const announced = { headers: { 'content-length': String(length) } };
      await expectNothingLeft(async () =>
        expect({ length, answer: await send([whole.slice(0, length)], announced) }).toMatchObject({
          length,
          answer: { status: 400 },
        }),
      );
    }
  });

  /** A request by hand that announces so many bytes. */
  const sendHead = (length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      ...Object.entries({
        host: 'localhost',
        ...buildCredentials(),
        ...buildTypeHeader(),
        'content-length': length,
      }).map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n');

  it.for([0, 1, 60, head.length - 1, head.length, head.length + 1, 10_000])(
    '[file.broken-form] stores nothing when the connection is lost after %i bytes',
    async (length) => {
      await expectNothingLeft(async () => {
        const before = listNames(join(app.dataDir, 'files', 'arriving')).length;
        const socket = connect(Number(port), hostname);
        socket.write(`${sendHead(50_000)}\r\n\r\n${(head + block).slice(0, length)}`);
        // The file begins to arrive with its first byte.
        if (length > head.length)
          await waitUntil(
            'it arrives',
            () => listNames(join(app.dataDir, 'files', 'arriving')).length > before,
          );
        socket.destroy();
      });
    },
  );

  it('[file.broken-form] rejects a body that is shorter than announced', async () => {
    await expectNothingLeft(async () => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.end(`${sendHead(whole.length + 1)}\r\n\r\n${whole}`);
      let answer = '';
      for await (const piece of socket.setEncoding('utf8')) answer += piece;
      expect(answer).not.toContain(' 200 ');
    });
  });

  it('[file.broken-form] reads no request from bytes beyond the announced length', async () => {
    const socket = connect(Number(port), hostname);
    const before = await readEverything();
    socket.write(`${sendHead(whole.length)}\r\n\r\n${whole}and more`);
    let answer = '';
    for await (const piece of socket.setEncoding('utf8')) answer += piece;
    expect(answer).toContain('HTTP/1.1 400 ');
    await waitUntil(
      'nothing arrives any more',
      async () => (await readEverything()).arriving.length === before.arriving.length,
    );
  });
});

describe('attachFile with a form that is too large', () => {
  const tooLarge = buildProblem(413, 'payload_too_large', { limit: LIMIT });

  it.for([
    ['file', generateEndless(head)],
    ['name of a field', generateEndless('--b\r\nContent-Disposition: form-data; name="')],
    ['head of a part', generateEndless('--b\r\nX-Header: ')],
    ['beginning', generateEndless('preamble')],
    ['end', generateEndless(...buildForm('x'))],
  ] as const)('[file.limit] [file.broken-form] rejects an endless %s', async ([, pieces]) => {
    await expectNothingLeft(async () => expect(await send(pieces)).toMatchObject(tooLarge));
  });

  it('[file.limit] rejects an announced length before any bytes arrive', async () => {
    await expectNothingLeft(async () => {
      const outgoing = request({
        hostname,
        port,
        path,
        method: 'POST',
        headers: {
          ...buildCredentials(),
          ...buildTypeHeader(),
          'content-length': String(1024 ** 3),
        },
      });
      outgoing.flushHeaders();
      const status = await new Promise((resolve, reject) =>
        outgoing.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject),
      );
      expect(status).toBe(413);
      outgoing.destroy();
    });
  });

  it('[file.limit] rejects one byte more than the limit', async () => {
    for (const chunked of [false, true]) {
      const sendSized = (size: number) => {
        const pieces = buildForm('x'.repeat(size));
        return send(
          pieces,
          chunked ? {} : { headers: { 'content-length': String(pieces.join('').length) } },
        );
      };
      expect(await sendSized(LIMIT)).toMatchObject({ status: 200, body: { size: LIMIT } });
      await expectNothingLeft(async () =>
        expect(await sendSized(LIMIT + 1)).toMatchObject(tooLarge),
      );
    }
  });

  it('[file.limit] limits files to 10 MiB by default', async () => {
    const { limits } = await f.ok('GET', '/api/v1/capabilities');
    expect(limits).toMatchObject({ fileBytes: LIMIT, filesPerMessage: 10 });
    const plain = await app.startNode({ FILE_BYTES: '' });
    expect((await factories(plain).ok('GET', '/api/v1/capabilities')).limits.fileBytes).toBe(
      10_485_760,
    );
  });
});

describe('attachFile without permission', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterFile(() => agent.destroy());
  const { outsider } = fixture;

  it.for([
    ['without a key', { 'x-api-key': '' }, path, 'invalid_credential'],
    ['without an idempotency key', { 'idempotency-key': '' }, path, 'idempotency_key_invalid'],
    ['to another message', { 'x-api-key': outsider.key }, path, 'forbidden'],
    ['to no message', {}, `/api/v1/messages/${randomUUID()}/files`, 'not_found'],
    ['to what is no id', {}, '/api/v1/messages/x/files', 'invalid_request'],
  ] as const)(
    '[file.checked-first] refuses before it reads a byte: %s',
    async ([, headers, to, code]) => {
      await expectNothingLeft(async () => {
        const outgoing = request({
          hostname,
          port,
          path: to,
          method: 'POST',
          headers: {
            ...buildCredentials(),
            ...buildTypeHeader(),
            ...headers,
            'content-length': '5000',
          },
        });
        outgoing.flushHeaders();
        const text = await new Promise<string>((resolve, reject) => {
          outgoing.on('error', reject).on('response', async (response) => {
            let body = '';
            for await (const piece of response.setEncoding('utf8')) body += piece;
            resolve(body);
          });
        });
        expect(JSON.parse(text).code).toBe(code);
        outgoing.destroy();
      });
    },
  );

  it('[file.checked-first] leaves the connection usable for the next request', async () => {
    for (let times = 0; times < 3; times++) {
      const pieces = buildForm('x'.repeat(50_000));
      expect(
        await send(pieces, {
          agent,
          headers: { 'x-api-key': outsider.key, 'content-length': String(pieces.join('').length) },
        }),
      ).toMatchObject(buildProblem(403, 'forbidden'));
      expect(await send(buildForm('x'), { agent, to: '/api/v1/messages/x/files' })).toMatchObject({
        status: 400,
      });
    }
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
  });
});
