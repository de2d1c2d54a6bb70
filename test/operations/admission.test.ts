import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { factories, type Json, waitUntil } from '../support/factories.ts';
import { makeValidCall } from './cases.ts';
import { createFixture, fillPath, registry } from './fixture.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const fixture = await createFixture(f);

/** An answer whose request is never finished. */
interface EarlyAnswer {
  readonly status: number;
  readonly body: Json;
  /** Ends when the service breaks the connection. */
  readonly closed: Promise<unknown>;
}

type Headers = Readonly<Record<string, string>>;

function buildHead({ url }: Pick<TestApp, 'url'>, line: string, headers: Headers): string {
  const lines = Object.entries({ host: new URL(url).host, ...headers });
  return `${line} HTTP/1.1\r\n${lines.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n`;
}

/** Begins a request on a connection of its own. */
function beginRequest(to: Pick<TestApp, 'url'>, line: string, headers: Headers, sent = ''): Socket {
  const { hostname, port } = new URL(to.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(buildHead(to, line, headers) + sent);
  return socket;
}

/** Sends the head of a request and `sent` bytes of the body that it announces, and no more. */
async function sendUnfinished(
  app: Pick<TestApp, 'url'>,
  head: string,
  headers: Headers,
  sent = '',
): Promise<EarlyAnswer> {
  const socket = beginRequest(app, head, headers, sent);
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  const closed = once(socket, 'close');
  const readAnswer = () => {
    const [start = '', body = ''] = text.split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(start)?.[1] ?? Number.NaN);
    return { start, body, isWhole: Buffer.byteLength(body) === length };
  };
  await waitUntil('an answer came', () => readAnswer().isWhole);
  const { start, body } = readAnswer();
  return { status: Number(start.split(' ')[1]), body: JSON.parse(body), closed };
}

const json = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const large = { ...json, 'content-length': String(16 * 1024 * 1024) };

describe('a body that never comes', () => {
  const mutations = registry
    .filter((operation) => isMutation(operation) && operation.kind !== 'form')
    .map((operation) => ({ name: operation.name, operation }));

  it.for(mutations)(
    '[attack.1-1] $name answers a stranger before its body is read',
    async ({ name, operation }) => {
      const { input } = await makeValidCall(name, fixture, f);
      const head = `${operation.method} ${fillPath(operation, input)}`;
      const { status, body } = await sendUnfinished(app, head, large);
      expect({ status, code: body.code }).toEqual(
        operation.auth === 'public' || operation.auth === 'context'
          ? expect.objectContaining({ status: expect.any(Number) })
          : { status: 401, code: 'unauthenticated' },
      );
      expect([401, 413]).toContain(status);
    },
  );

  it('[attack.1-1] is refused at /mcp above 64 KiB without a valid key', async () => {
    for (const key of [{}, { 'x-api-key': 'stoa_unknown' }]) {
      const { status, body } = await sendUnfinished(app, 'POST /mcp', { ...large, ...key });
      expect({ status, limit: body.limit }).toEqual({ status: 413, limit: 65_536 });
    }
  });

  it('[attack.1-1] breaks the connection of a stranger soon after the refusal', async () => {
    const heads = ['POST /api/v1/rooms', 'POST /nothing', 'GET /api/v1/version'];
    const answers = await Promise.all(heads.map((head) => sendUnfinished(app, head, large)));
    await Promise.all(answers.map(({ closed }) => closed));
  });

  it('[attack.1-1] is refused without a length when it becomes too long', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const { status, body } = await sendUnfinished(
      app,
      'POST /mcp',
      { ...json, 'transfer-encoding': 'chunked' },
      chunk.repeat(3),
    );
    expect({ status, limit: body.limit }).toEqual({ status: 413, limit: 65_536 });
  });
});

describe('the limit', () => {
  it('[attack.1-6] [attack.1-11] is taken before a body is read, on every route', async () => {
    const tight = await app.startNode({ RATE_LIMITS: 'reads=1/m,writes=1/m', TRUST_PROXY: '1' });
    let addresses = 0;
    for (const head of [
      'POST /api/v1/rooms',
      'POST /mcp',
      'POST /nothing',
      'POST /session/end',
      'GET /openapi.json',
      'GET /metrics',
    ]) {
      const statuses: number[] = [];
      const from = { 'x-forwarded-for': `203.0.113.${++addresses}` };
      for (let count = 0; count < 3; count++)
        statuses.push((await sendUnfinished(tight, head, { ...large, ...from })).status);
      expect({ head, statuses }).toEqual({ head, statuses: [expect.any(Number), 429, 429] });
    }
  });

  it('[attack.1-11] of malformed addresses is that of the caller, not of the proxy', async () => {
    const tight = await app.startNode({ RATE_LIMITS: 'reads=2/m', TRUST_PROXY: '1' });
    const ask = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await fetch(`${tight.url}/agents/%ff`, { headers })).status;
    };
    const noisy = '198.51.100.1';
    expect([await ask(noisy), await ask(noisy), await ask(noisy)]).toEqual([400, 400, 429]);
    expect(await ask('198.51.100.2')).toBe(400);
  });

  it('[attack.1-11] counts a message of the tool protocol without a tool', async () => {
    const tight = await app.startNode({ RATE_LIMITS: 'reads=2/m' });
    const { key } = await f.createAgent();
    const list = () =>
      factories(tight).send('POST', '/mcp', {
        key,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        headers: { accept: 'application/json, text/event-stream' },
      });
    const codes = [await list(), await list(), await list()].map(
      ({ body }) => body.error?.data.code ?? 'listed',
    );
    expect(codes).toEqual(['listed', 'listed', 'rate_limited']);
  });
});

describe('the caller', () => {
  it('[attack.1-1] is checked again when its body was long in coming', async () => {
    const agent = await f.createAgent();
    const body = JSON.stringify({ name: 'Late' });
    const headers = { ...json, 'x-api-key': agent.key, 'content-length': String(body.length) };
    const socket = beginRequest(app, 'POST /api/v1/rooms', headers, body.slice(0, 5));
    await waitUntil('the body is awaited', () => app.app.env.load.measure('bodyBytes') > 0);
    await f.ok('DELETE', '/api/v1/me/keys/current', { key: agent.key });
    socket.write(body.slice(5));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });
});

describe('the load limits', () => {
  const start = (limits: string) => app.startNode({ LOAD_LIMITS: limits });

  it('[load.body-bytes] refuse an agent that holds too many unfinished bodies', async () => {
    const node = await start('bodyBytes.agent=100000');
    const agent = await f.createAgent();
    const headers = { ...json, 'x-api-key': agent.key, 'content-length': '60001' };
    const sent = ' '.repeat(60_000);
    const socket = beginRequest(node, 'POST /api/v1/rooms', headers, sent);
    await waitUntil('it has arrived', () => node.app.env.load.measure('bodyBytes') === 60_000);
    const second = await sendUnfinished(node, 'POST /api/v1/rooms', headers, sent);
    expect(second).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', retryAfterSeconds: 2 },
    });
    const other = await f.createAgent();
    const answer = await factories(node).send('POST', '/api/v1/rooms', {
      key: other.key,
      body: { name: 'Unharmed' },
    });
    expect(answer.status).toBe(200);
    socket.destroy();
    await waitUntil('it is given back', () => node.app.env.load.measure('bodyBytes') === 0);
  });

  it('[load.waits] let an agent hold so many waits and streams, and tell it why', async () => {
    const node = await start('waits.agent=2');
    const agent = await f.createAgent();
    const abort = new AbortController();
    const options = { key: agent.key, signal: abort.signal };
    const held = [0, 1].map(() =>
      factories(node)
        .send('GET', '/api/v1/events?cursor=0&wait=60', options)
        .catch(() => undefined),
    );
    await waitUntil('both wait', () => node.app.env.load.measure('waits') === 2);
    for (const path of ['/api/v1/events?cursor=0&wait=60', '/api/v1/events/stream']) {
      const refused = await factories(node).send('GET', path, { key: agent.key });
      expect(refused).toMatchObject({
        status: 429,
        body: { code: 'rate_limited', detail: expect.stringContaining('at most 2 at once') },
      });
      expect(refused.headers.get('retry-after')).toBe('15');
    }
    const { key } = await f.createAgent();
    expect((await factories(node).send('GET', '/api/v1/events?wait=1', { key })).status).toBe(200);
    abort.abort();
    await Promise.all(held);
    await waitUntil('they are given back', () => node.app.env.load.measure('waits') === 0);
  });

  it('[load.connections] close the oldest silent connection in favour of a new one', async () => {
    const node = await start('connections.address=5');
    const { hostname, port } = new URL(node.url);
    const silent = Array.from({ length: 5 }, () => connect(Number(port), hostname));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    await sleep(50);
    const closed = silent[0] && once(silent[0], 'close');
    expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
    await closed;
    expect(silent.slice(1).every(({ destroyed }) => !destroyed)).toBe(true);
    for (const socket of silent) socket.destroy();
  });

  it('[load.given-back] [attack.4-2] hold nothing for requests behind a wait', async () => {
    const node = await start('on');
    const { load } = node.app.env;
    const { key } = await f.createAgent();
    const headers = { 'x-api-key': key };
    const withBody = { ...headers, ...json, 'content-length': '2' };
    const version = buildHead(node, 'GET /api/v1/version', {});
    // The second one is answered in its turn, and holds the answers of those behind it.
    const socket = beginRequest(
      node,
      'GET /api/v1/version',
      {},
      buildHead(node, 'GET /api/v1/events?cursor=0&wait=60', headers),
    );
    await waitUntil('the second one waits', () => load.measure('waits') === 1);
    for (let count = 0; count < 5; count++) {
      socket.write(buildHead(node, 'GET /api/v1/events/stream?cursor=0', headers));
      socket.write(`${buildHead(node, 'POST /api/v1/rooms', withBody)}{}${version}`);
    }
    expect((await factories(node).send('GET', '/api/v1/me', { key })).status).toBe(200);
    for (const kind of ['requests', 'waits'] as const) expect(load.measure(kind)).toBe(1);
    expect(load.measure('bodyBytes')).toBe(0);
    socket.destroy();
    for (const kind of ['requests', 'waits'] as const)
      await waitUntil(`${kind} are given back`, () => load.measure(kind) === 0);
  });

  it('[load.given-back] count a request once', async () => {
    const node = await start('requests.address=1,requests.process=1,requests.agent=1');
    const { key } = await f.createAgent();
    expect((await factories(node).send('GET', '/api/v1/me', { key })).status).toBe(200);
    expect(node.app.env.load.measure('requests')).toBe(0);
  });

  it('[load.connections] of one address leave room for others', async () => {
    const node = await start('connections.process=12');
    const { hostname, port } = new URL(node.url);
    const open = (localAddress: string) =>
      connect({ port: Number(port), host: hostname, localAddress });
    const own = open('127.0.0.1');
    await once(own, 'connect');
    const others = Array.from({ length: 30 }, () => open('127.0.0.2'));
    await Promise.all(others.map((socket) => once(socket, 'connect')));
    own.write(buildHead(node, 'GET /healthz', {}));
    expect(String((await once(own, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [own, ...others]) socket.destroy();
  });

  it('[attack.1-1] invite a body only once its call is admitted', async () => {
    const headers = { ...json, expect: '100-continue', 'content-length': '2' };
    const refused = await sendUnfinished(app, 'POST /api/v1/rooms', headers);
    expect(refused.status).toBe(401);
    const { key } = await f.createAgent();
    const socket = beginRequest(app, 'POST /api/v1/rooms', { ...headers, 'x-api-key': key });
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /);
    socket.write('{}');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });
});
