import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openMetricsPort } from './metrics-port.ts';

/** Opens the port, and counts how often the metrics are collected. */
async function open() {
  const made = { collections: 0 };
  const server = await openMetricsPort(
    {
      contentType: 'text/plain',
      text: async () => `collected ${++made.collections}\n`,
    },
    0,
    '127.0.0.1',
  );
  const { port } = server.address() as AddressInfo;
  const close = { [Symbol.dispose]: () => server.closeAllConnections() ?? server.close() };
  return { made, port, url: `http://127.0.0.1:${port}`, close };
}

it('[attack.44-1] (API4) METRICS_PORT collects once for all who ask at the same time', async () => {
  const { made, url, close } = await open();
  using _ = close;
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => (await fetch(`${url}/metrics`)).text()),
  );
  expect(new Set(answers)).toEqual(new Set(['collected 1\n']));
  expect(made.collections).toBe(1);
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics', 'POST'],
  ] as const)
    expect((await fetch(url + path, { method })).status).toBe(404);
});

it('[attack.44-1] (API4) METRICS_PORT answers one of many requests on a connection', async () => {
  const { made, port, close } = await open();
  using _ = close;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500));
  const answer = await text(socket);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(made.collections).toBe(1);
});

it('[attack.44-1] (API4) METRICS_PORT has few connections, and lets others in', async () => {
  const { url, port, close } = await open();
  using _ = close;
  const silent = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => {});
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  expect(await (await fetch(`${url}/metrics`)).text()).toBe('collected 1\n');
  await Promise.all(silent.slice(0, 60).map((socket) => socket.closed || once(socket, 'close')));
  for (const socket of silent) socket.destroy();
});
