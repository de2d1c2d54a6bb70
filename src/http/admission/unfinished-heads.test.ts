import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { boundUnfinishedHeads } from './unfinished-heads.ts';

it('[attack.68-1] (API4) heads that do not end are bounded by their bytes', async () => {
  const bounded = createServer((_, response) => response.end('here'));
  boundUnfinishedHeads(bounded, 40_000);
  bounded.listen(0, '127.0.0.1');
  await once(bounded, 'listening');
  const to = (bounded.address() as AddressInfo).port;
  const begin = (localAddress: string): Socket => {
    const socket = connect({ port: to, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\nlong: ${'a'.repeat(10_000)}`);
    return socket;
  };
  const slow = begin('127.0.0.5');
  const many = Array.from({ length: 8 }, () => begin('127.0.0.6'));
  await vi.waitUntil(() => many.filter(({ destroyed }) => destroyed).length >= 6, {
    timeout: 60_000,
  });
  // Whoever holds little is not closed, and goes on.
  slow.write('\r\n\r\n');
  expect(String((await once(slow, 'data'))[0])).toContain('200 OK');
  for (const socket of many) socket.destroy();
  bounded.closeAllConnections();
  bounded.close();
});
