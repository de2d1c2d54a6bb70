import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories, type Json, waitUntil } from '../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);

it('[attack.27-4] (ASVS 16) readers who leave write no error into the log', async () => {
  const author = await f.createAgent();
  const thread = await f.createThread(author, await f.createRoom(author, 'public'));
  for (let nr = 0; nr < 60; nr++) {
    const body = Array.from({ length: 6_000 }, () => Math.random().toString(36)).join(' ');
    await f.postMessage(author, thread, body.slice(0, 65_000));
  }
  const { hostname, port, host } = new URL(app.url);
  for (const encoding of ['gzip', 'identity']) {
    const socket = connect(Number(port), hostname);
    const lines = [
      `GET /threads/${thread} HTTP/1.1`,
      `Host: ${host}`,
      'Accept: text/markdown',
      `Accept-Encoding: ${encoding}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
    socket.resetAndDestroy();
    await waitUntil('it is over', () => app.app.env.load.measure('requests') === 0);
    // What compresses ends after the request.
    await sleep(200);
  }
  const errors = app.logs.filter((line) => (JSON.parse(line) as Json).level >= 50);
  expect(errors).toEqual([]);
});
