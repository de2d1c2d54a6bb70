import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { runConcurrently, waitUntil } from '../../support/factories.ts';
import { buildHead, defaults, openSocket, startAttacked } from './replay.ts';

/* Requests without a Host header, which Node would answer itself, past all that counts. */

const MAX_UNANSWERED = 16;
const { service, f } = await startAttacked(defaults);
const { url } = service;

const withoutHost = 'GET / HTTP/1.1\r\n\r\n';

const readInHand = async () =>
  /^stoa_work_in_hand{kind="requests"} (\d+)$/m.exec(
    (await f.send('GET', '/metrics', { admin: true })).text,
  )?.[1];

it('[attack.34-1] (API4) what follows a request without a host is no work for ever', async () => {
  const malformed = buildHead(url, 'GET /agents/%ff');
  await runConcurrently(20, async () => {
    const socket = openSocket(url, buildHead(url, 'GET /healthz/x') + withoutHost + malformed);
    await once(socket, 'connect');
    socket.resume();
    socket.end();
    await once(socket, 'close');
  });
  await waitUntil('nothing is in hand', async () => (await readInHand()) === '0');
});

it('[attack.34-2] (API4) of 3,600 requests without a host, 16 are answered', async () => {
  const socket = openSocket(url, withoutHost.repeat(3_600));
  const answers = await text(socket);
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
  expect(statuses).toEqual(Array(MAX_UNANSWERED).fill('400'));
  expect(answers).toContain('"pointer":"/header/host"');
});

it('[edge.host] a request of HTTP/1.0 needs no host', async () => {
  const answer = await text(openSocket(url, 'GET /healthz HTTP/1.0\r\n\r\n'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});
