import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { runConcurrently, waitUntil } from '../../support/factories.ts';
import { buildHead, defaults, openSocket, readPeakMemory, startAttacked } from './replay.ts';

const { service, f } = await startAttacked(defaults);
const { url } = service;

it('[attack.36-1] (API4) two million parts are refused at the second', async () => {
  const agent = await f.createAgent();
  const thread = await f.createThread(agent, await f.createRoom(agent));
  const { id } = await f.postMessage(agent, thread, 'Files');
  const beginning = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nX';
  const body = Buffer.from(beginning + '\r\n--x'.repeat(2_000_000));
  const before = readPeakMemory(service.pid);
  await runConcurrently(4, async () => {
    const socket = openSocket(
      url,
      buildHead(url, `POST /api/v1/messages/${id}/files`, {
        'x-api-key': agent.key,
        'idempotency-key': randomUUID(),
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': body.length,
      }),
    );
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece;
    });
    socket.write(body);
    await waitUntil('it is refused', () => answer.includes('more than one part'));
    socket.destroy();
  });
  // Each part that is parsed takes a stream.
  expect(readPeakMemory(service.pid) - before).toBeLessThan(100 * 1024 * 1024);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
