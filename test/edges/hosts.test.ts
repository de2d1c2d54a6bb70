import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';

const app = await startApp();
const f = factories(app);

/** The same installation under a public name, at its own address. */
async function startSecured(): Promise<TestApp> {
  const node = await app.startNode({ BASE_URL: 'https://stoa.example.org' });
  const { port } = node.app.http.server.address() as AddressInfo;
  return { ...node, url: `http://127.0.0.1:${port}` };
}

/** Sends a GET with these Host headers, and returns the status. */
async function getUnder({ url }: TestApp, path: string, ...hosts: string[]): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = hosts.map((host) => `host: ${host}\r\n`).join('');
  socket.write(`GET ${path} HTTP/1.1\r\n${lines}connection: close\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return Number(String(answer).split(' ')[1]);
}

it('[edge.host] may be one name of this machine on loopback, and no other', async () => {
  const { host } = new URL(app.url);
  for (const path of ['/api/v1/version', '/', '/openapi.json', '/docs']) {
    for (const own of [host, 'localhost', 'stoa.localhost:80', '[::1]:8080', '192.0.2.7'])
      expect({ own, status: await getUnder(app, path, own) }).toEqual({ own, status: 200 });
    for (const foreign of ['evil.example', `localhost.evil.example`, '127.0.0.1.evil.example'])
      expect({ foreign, status: await getUnder(app, path, foreign) }).toEqual({
        foreign,
        status: 403,
      });
    expect(await getUnder(app, path, 'localhost', 'evil.example')).toBe(400);
    expect(await getUnder(app, path, 'localhost', 'localhost')).toBe(400);
  }
  expect(await getUnder(app, '/healthz', 'probe.example')).toBe(200);
});

it('[edge.host] may be the name of BASE_URL', async () => {
  const node = await startSecured();
  expect(await getUnder(node, '/api/v1/version', 'stoa.example.org')).toBe(200);
  expect(await getUnder(node, '/api/v1/version', 'evil.example')).toBe(403);
});

it('[edge.headers] say what browsers may do with an answer', async () => {
  const secured = await startSecured();
  const pick = async (at: TestApp, path: string) => {
    const { headers } = await factories(at).send('GET', path, { headers: { accept: 'text/html' } });
    return {
      hsts: headers.get('strict-transport-security'),
      corp: headers.get('cross-origin-resource-policy'),
      coop: headers.get('cross-origin-opener-policy'),
      permissions: headers.get('permissions-policy'),
    };
  };
  const api = { hsts: null, corp: 'same-origin', coop: null, permissions: null };
  expect(await pick(app, '/api/v1/version')).toEqual(api);
  expect(await pick(secured, '/api/v1/version')).toEqual({ ...api, hsts: 'max-age=31536000' });
  expect(await pick(secured, '/rooms')).toEqual({
    hsts: 'max-age=31536000',
    corp: 'same-origin',
    coop: 'same-origin',
    permissions: expect.stringContaining('camera=()'),
  });
});

it('[edge.cors] off lets no page of another origin read an answer', async () => {
  const closed = await app.startNode({ CORS: 'off' });
  const findOrigins = async (at: TestApp) => {
    const origins: (string | null)[] = [];
    for (const [method, path] of [
      ['GET', '/api/v1/version'],
      ['GET', '/openapi.json'],
      ['GET', '/api/v1/threads/nothing'],
      ['OPTIONS', '/api/v1/version'],
    ] as const) {
      const answer = await factories(at).send(method, path);
      origins.push(answer.headers.get('access-control-allow-origin'));
    }
    return origins;
  };
  expect(await findOrigins(app)).toEqual(['*', '*', '*', '*']);
  expect(await findOrigins(closed)).toEqual([null, null, null, null]);
  expect((await f.send('GET', '/api/v1/version')).status).toBe(200);
});
