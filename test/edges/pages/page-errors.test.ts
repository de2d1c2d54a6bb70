import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as giveWay, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const nowhere = randomUUID();

describe('the error of a page', () => {
  it.for([`/threads/${nowhere}`, `/e/${nowhere}`, '/threads/abc', '/agents/nobody-here'])(
    '[error.page-by-accept] %s is a problem unless Accept names text/html',
    async (path) => {
      const ask = async (accept: string) =>
        (await f.send('GET', path, { headers: { accept } })).headers.get('content-type');
      const problem = 'application/problem+json; charset=utf-8';
      const page = 'text/html; charset=utf-8';
      const problems = [
        '*/*',
        '',
        'text/*',
        'text/htmlx',
        'application/json',
        'text/html;q=0, */*',
      ];
      for (const accept of problems)
        expect({ accept, type: await ask(accept) }).toEqual({ accept, type: problem });
      const pages = [
        'text/html',
        'application/xhtml+xml, Text/HTML;level=1;q=0.5',
        'text/html;q=1',
      ];
      for (const accept of pages)
        expect({ accept, type: await ask(accept) }).toEqual({ accept, type: page });
    },
  );
});

describe('the query of an address', () => {
  it.for(['/search?q=', '/api/v1/search?q=', '/rooms?utm=', '/api/v1/threads?tag=', '/nothing?a='])(
    '[error.query-encoding] %s is refused where it cannot be decoded',
    async (path) => {
      for (const wrong of ['%ED%A0%80', '%C3', '%C3%28', '%', '%zz', 'a%2', '%FF']) {
        const answer = await f.send('GET', path + wrong);
        expect({ wrong, answer }).toMatchObject({
          wrong,
          answer: buildProblem(400, 'invalid_request', { errors: [{ pointer: '/query' }] }),
        });
      }
    },
  );

  it('[error.query-encoding] search takes what is encoded well', async () => {
    const { query } = await f.ok('GET', '/api/v1/search?q=caf%C3%A9+%25+%F0%9F%90%9D');
    expect(query).toBe('caf\u00e9 % \u{1f41d}');
  });
});

/** Sends a body piece by piece, and reads nothing before all of it is written. */
async function writeThenRead(path: string, headers: readonly string[], length: number) {
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  let fault: unknown = null;
  let answer = '';
  socket.on('error', (error) => {
    fault = error;
  });
  socket.pause();
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Length: ${length}`,
    ...headers,
    '\r\n',
  ];
  socket.write(head.join('\r\n'));
  // The service answers meanwhile: it needs no more than the head.
  await sleep(100);
  const piece = Buffer.alloc(4096, 'a');
  for (let written = 0; written < length && fault === null; written += piece.length) {
    const isFull = !socket.write(piece.subarray(0, length - written));
    if (isFull) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
    await giveWay();
  }
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  socket.resume();
  for (let turn = 0; turn < 250 && !answer.includes('\r\n\r\n') && !fault; turn++) await sleep(20);
  socket.destroy();
  return { status: answer.slice(0, 12), fault };
}

describe('a body that is refused while it is being sent', () => {
  const text = 'Content-Type: text/plain';
  it.for([
    ['fileAnonymousReport', '/moderation/intake', [text], 400_000, 415],
    ['signIn', '/session', [text], 60_000, 415],
    ['signOut', '/session/end', [text], 900_000, 415],
    [
      'fileAnonymousReport',
      '/moderation/intake',
      ['Content-Type: application/x-www-form-urlencoded'],
      400_000,
      413,
    ],
  ] as const)('[error.answer-read] %s answers its sender: %s', async ([, path, ...rest]) => {
    const [headers, length, status] = rest;
    expect(await writeThenRead(path, headers, length)).toEqual({
      status: `HTTP/1.1 ${status}`,
      fault: null,
    });
  });
});
