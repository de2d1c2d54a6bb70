import { connect } from 'node:net';
import fc from 'fast-check';
import { buildEncodedText, headerText, oddText } from './fuzz-inputs.ts';
import type { Answer } from './send-request.ts';

/** What one connection sends, byte by byte as it stands, and how it ends. */
export interface RawConnection {
  readonly bytes: Buffer;
  /** Whether the sender is gone at once, or reads what comes. */
  readonly leaves: boolean;
}

/** A connection that says nothing for this long is over: most requests here never end. */
const SILENT_MS = 400;
/** `HTTP/1.1 200`, wherever an answer begins. */
const STATUS = /HTTP\/1\.1 (\d{3})/g;

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('TRACE', 'CONNECT', 'QUERY', 'PRI', 'get', '', 'G T') },
);

/** Targets in each form that RFC 9112, 3.2 knows, and in none. */
function buildTarget(paths: readonly string[]): fc.Arbitrary<string> {
  const path = fc
    .tuple(fc.constantFrom(...paths), buildEncodedText(oddText))
    .map(([template, part]) => template.replace(/\{\w+\}/g, () => part));
  const malformed = fc
    .constantFrom(...paths)
    .map((template) => template.replace(/\{\w+\}/g, '%ff'));
  return fc.oneof(
    { weight: 12, arbitrary: path },
    { weight: 3, arbitrary: malformed },
    { weight: 1, arbitrary: path.map((one) => `http://stranger.example${one}`) },
    { weight: 1, arbitrary: path.map((one) => `/${one}`) },
    { weight: 1, arbitrary: path.map((one) => `${one}#x?y`) },
    { weight: 1, arbitrary: path.map((one) => `${one}\xff\xfe`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('*', 'x:443', '', '?', '//', '/%', '/\0', 'http://', '/ /'),
    },
  );
}

const headLine = fc.oneof(
  fc.constantFrom(
    'Accept: text/html',
    'Accept: text/event-stream',
    'Connection: keep-alive, upgrade',
    'Connection: close',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'Expect: x',
    'Host: stranger.example',
    'Host:',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Content-Length: 5, 5',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: x',
    'Trailer: x',
    'Content-Encoding: gzip',
    'Content-Type: application/json',
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Type: application/x-www-form-urlencoded',
    'Cookie: \xff=\xfe',
    'Accept: \xff',
    ' folded: x',
    'no colon',
    ': no name',
    'na me: x',
    `X-Long: ${'x'.repeat(20_000)}`,
  ),
  headerText.map((text) => `X-Request-Id: ${text}`),
);

const body = fc.constantFrom(
  '',
  '{"a":1}',
  '5\r\n{"a":\r\n0\r\n\r\n',
  '5\r\nabc',
  'zz\r\n',
  'ffffffffffffffff\r\n',
  '0\r\nx: y\r\n\r\n',
  '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n',
);

/** Requests as they stand on a connection. */
function buildRequests(paths: readonly string[]): fc.Arbitrary<string> {
  const target = buildTarget(paths);
  const host = fc.nat(6).map((draw) => (draw === 0 ? [] : ['Host: 127.0.0.1']));
  // What is read as a whole leads further than what ends the connection.
  const whole = fc.tuple(target, host, fc.constantFrom([], ['Accept: text/html']));
  const odd = fc.record({
    method,
    target,
    version: fc.oneof(
      { weight: 12, arbitrary: fc.constant('HTTP/1.1') },
      { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'x', '') },
    ),
    host,
    lines: fc.array(headLine, { maxLength: 4 }),
    body,
  });
  const join = (...lines: readonly string[]) => lines.join('\r\n');
  return fc.oneof(
    {
      weight: 2,
      arbitrary: whole.map(([at, hosts, lines]) =>
        join(`GET ${at} HTTP/1.1`, ...hosts, ...lines, '', ''),
      ),
    },
    {
      weight: 1,
      arbitrary: odd.map((one) =>
        join(`${one.method} ${one.target} ${one.version}`, ...one.host, ...one.lines, '', one.body),
      ),
    },
  );
}

/** Connections with one to four requests to the paths of a document, or near them. */
export function buildRawConnections(paths: readonly string[]): fc.Arbitrary<RawConnection> {
  return fc
    .record({
      requests: fc.array(buildRequests(paths), { minLength: 1, maxLength: 4 }),
      cut: fc.option(fc.nat(600), { freq: 5 }),
      leaves: fc.nat(4).map((draw) => draw === 0),
    })
    .map(({ requests, cut, leaves }) => ({
      bytes: Buffer.from(requests.join(''), 'latin1').subarray(0, cut ?? undefined),
      leaves,
    }));
}

/**
 * Sends the bytes over a connection of their own and returns every answer that came. The text of
 * each is all that came from its head on. Errors: rejects when the connection is refused.
 */
export const sendRaw = (url: string, { bytes, leaves }: RawConnection): Promise<Answer[]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    socket.on('connect', () =>
      socket.write(bytes, () => {
        if (leaves) socket.resetAndDestroy();
      }),
    );
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A server may break off what it can't read.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error);
    });
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      resolve(
        [...text.matchAll(STATUS)].map(({ index, 1: status }) => ({
          status: Number(status),
          text: text.slice(index),
        })),
      );
    });
  });
