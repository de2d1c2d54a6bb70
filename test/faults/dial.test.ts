import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createDial, type Network } from '../../src/outgoing/dial.ts';
import { createTestNetwork } from '../../src/outgoing/test-network.ts';
import {
  accept,
  answerWith,
  CA_FILE,
  createCertificate,
  HOST,
  startReceiver,
} from '../features/webhooks/receiver.ts';
import { afterFile } from '../support/each-file.ts';
import { waitUntil } from '../support/factories.ts';

const authorities = [readFileSync(CA_FILE, 'utf8')];
const PUBLIC = '93.184.216.34';
const post = {
  url: `https://${HOST}/stoa`,
  headers: { 'x-service-timestamp': '1' },
  body: '{"type":"x"}',
};

/** Creates a dialer whose names lead to this port of loopback and claim these addresses. */
const createDialTo = (port: number, ...claimed: string[]) =>
  createDial(
    createTestNetwork(
      (claimed.length ? claimed : [PUBLIC]).map((address) => ({
        name: HOST,
        claimed: address,
        host: '127.0.0.1',
        port,
      })),
      authorities,
    ),
  );

/** Starts a TCP server on loopback that is no TLS server. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await once(server, 'listening');
  afterFile(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as { port: number }).port;
}

describe('dial', () => {
  it('[dial.sends] sends the request to the path, and nothing else', async () => {
    const receiver = await startReceiver();
    expect(await createDialTo(receiver.port)(post)).toMatchObject({ status: 200 });
    const [{ headers, ...rest }] = receiver.received as [(typeof receiver.received)[number]];
    expect(rest).toMatchObject({ method: 'POST', path: '/stoa', raw: post.body });
    expect(headers).toEqual({
      host: HOST,
      'x-service-timestamp': '1',
      'content-length': '12',
      connection: 'keep-alive',
    });
  });

  it.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['203.0.113.5'],
    ['::ffff:127.0.0.1'],
    [PUBLIC, '10.0.0.1'],
    ['2606:4700::1111', PUBLIC, '::1'],
  ])(
    '[dial.addresses] [dial.all-addresses] rejects a name that resolves to %s %s %s',
    async (...claimed) => {
      const receiver = await startReceiver();
      expect(
        await createDialTo(
          receiver.port,
          ...claimed.filter((one) => typeof one === 'string'),
        )(post),
      ).toEqual({ failure: 'address_blocked' });
      expect(receiver.received).toEqual([]);
    },
  );

  it.each(['127.0.0.1', '[::1]', '8.8.8.8', '2130706433', '[2606:4700::1111]'])(
    '[dial.addresses] rejects the address %s in place of a name',
    async (host) => {
      const asked: string[] = [];
      const network = {
        ...createTestNetwork([], []),
        resolve: async (name: string) => [asked.push(name), PUBLIC].map(String).slice(1),
      };
      expect(await createDial(network)({ ...post, url: `https://${host}/` })).toEqual({
        failure: 'address_blocked',
      });
      expect(asked).toEqual([]);
    },
  );

  it('[dial.pinned] uses the checked address although the name changes later', async () => {
    const receiver = await startReceiver();
    const answers = [[PUBLIC], ['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const routed: unknown[] = [];
    const rebinding: Network = {
      resolve: async () => answers[asked++] ?? [],
      route(name, addresses) {
        routed.push([name, addresses]);
        return { addresses: ['127.0.0.1'], port: receiver.port };
      },
      authorities,
    };
    const dial = createDial(rebinding);
    expect(await dial(post)).toMatchObject({ status: 200 });
    expect({ asked, routed }).toEqual({ asked: 1, routed: [[HOST, [PUBLIC]]] });
    expect(await dial(post)).toEqual({ failure: 'address_blocked' });
    expect({ asked, length: receiver.received.length }).toEqual({ asked: 2, length: 1 });
  });

  it('[dial.pinned] connects to checked addresses without the system resolver', async () => {
    const receiver = await startReceiver({ names: ['nowhere.invalid'] });
    const network = createTestNetwork(
      [{ name: 'nowhere.invalid', claimed: PUBLIC, host: '127.0.0.1', port: receiver.port }],
      authorities,
    );
    expect(await createDial(network)({ ...post, url: 'https://nowhere.invalid/' })).toMatchObject({
      status: 200,
    });
    expect(
      await createDial(createTestNetwork([], authorities))({
        ...post,
        url: 'https://nowhere.invalid/',
      }),
    ).toMatchObject({
      failure: expect.stringMatching(/connection|timeout/),
    });
  });

  it.each([
    ['for another name', { names: ['other.example'] }],
    ['for a name below', { names: [`sub.${HOST}`] }],
    ['that is expired', { expired: true }],
    ['that is self-signed', { selfSigned: true }],
    ['of TLS 1.1', { maxVersion: 'TLSv1.1' as const }],
  ])('[dial.tls] rejects %s in TLS', async (_, options) => {
    const receiver = await startReceiver(options);
    expect(await createDialTo(receiver.port)(post)).toEqual({ failure: 'tls' });
    expect(receiver.received).toEqual([]);
  });

  it('[dial.tls] rejects an untrusted authority and accepts TLS 1.2', async () => {
    const receiver = await startReceiver({ maxVersion: 'TLSv1.2' });
    expect(
      await createDial(
        createTestNetwork(
          [{ name: HOST, claimed: PUBLIC, host: '127.0.0.1', port: receiver.port }],
          [],
        ),
      )(post),
    ).toEqual({ failure: 'tls' });
    expect(await createDialTo(receiver.port)(post)).toMatchObject({ status: 200 });
    expect(receiver.received).toHaveLength(1);
  });

  it('[dial.tls] names the kind of TLS failure', async () => {
    const closed = await listen((socket) => socket.destroy());
    const plain = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await createDialTo(closed)(post)).toEqual({ failure: 'tls' });
    expect(await createDialTo(plain)(post)).toEqual({ failure: 'tls' });
    expect(await createDialTo(1)(post)).toEqual({ failure: 'connection' });
    expect(
      await createDial({ ...createTestNetwork([], []), resolve: async () => [] })(post),
    ).toEqual({
      failure: 'connection',
    });
    const broken = await startReceiver({ behaviour: (_, response) => response.socket?.destroy() });
    expect(await createDialTo(broken.port)(post)).toEqual({ failure: 'connection' });
  });

  it('[dial.no-redirect] follows no redirect', async () => {
    const target = await startReceiver();
    const receiver = await startReceiver({
      behaviour: answerWith(307, { location: `https://127.0.0.1:${target.port}/` }),
    });
    expect(await createDialTo(receiver.port)(post)).toMatchObject({ status: 307 });
    expect({
      received: receiver.received.length,
      redirected: target.received.length,
    }).toEqual({ received: 1, redirected: 0 });
  });

  it('[dial.bytes] reads at most 64 KiB of an answer, which still counts', async () => {
    let written = 0;
    let gone = false;
    const receiver = await startReceiver({
      behaviour(_, response) {
        response.on('close', () => (gone = true));
        const writeMore = () => {
          while (!gone && response.write('x'.repeat(16_384))) written += 16_384;
          if (!gone) response.once('drain', writeMore);
        };
        writeMore();
      },
    });
    expect(await createDialTo(receiver.port)(post)).toMatchObject({ status: 200 });
    await waitUntil('the receiver is cut off', () => gone);
    // The buffers of the two kernels were sent but never read.
    expect(written).toBeLessThan(8 * 1024 * 1024);
  });

  it('[dial.bytes] rejects longer heads and endless interim answers', async () => {
    const wordy = await startReceiver({
      behaviour: answerWith(200, { 'x-long': 'x'.repeat(60_000) }),
    });
    expect(await createDialTo(wordy.port)(post)).toEqual({ failure: 'connection' });
    let gone = false;
    const chatty = await startReceiver({
      behaviour(_, response) {
        response.socket?.on('close', () => (gone = true));
        const writeMore = () => {
          if (gone) return;
          for (let count = 0; count < 100; count++) response.writeProcessing();
          setImmediate(writeMore);
        };
        writeMore();
      },
    });
    expect(await createDialTo(chatty.port)(post)).toEqual({ failure: 'connection' });
  });

  it('[dial.bytes] rejects endless empty lines in place of an answer', async () => {
    let gone = false;
    const server = createTlsServer(await createCertificate(), (socket) => {
      socket.on('error', () => {}).on('close', () => (gone = true));
      const writeMore = () => {
        while (!gone && socket.write('\r\n'.repeat(8192)));
        if (!gone) socket.once('drain', writeMore);
      };
      writeMore();
    }).listen(0, '127.0.0.1');
    afterFile(() => void server.close());
    await once(server, 'listening');
    expect(await createDialTo((server.address() as AddressInfo).port)(post)).toEqual({
      failure: 'connection',
    });
  });

  it('[dial.deadline] has five seconds in total, whatever it waits for', async () => {
    const silent = await listen(() => {});
    const startSlowReceiver = (seconds: number) =>
      startReceiver({
        behaviour: (_, response) => setTimeout(() => response.end(), seconds * 1000),
      });
    const slow = await startSlowReceiver(3);
    const late = await startSlowReceiver(7);
    const dripping = await startReceiver({
      behaviour(_, response) {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 100);
        response.on('close', () => clearInterval(drip));
      },
    });
    const lost = createDial({
      ...createTestNetwork([], []),
      resolve: () => new Promise<never>(() => {}),
    });
    const patient = { status: 200 };
    const timeout = { failure: 'timeout' };
    expect(
      await Promise.all([createDialTo(silent)(post), lost(post), createDialTo(late.port)(post)]),
    ).toEqual([timeout, timeout, timeout]);
    expect(
      await Promise.all([createDialTo(slow.port)(post), createDialTo(dripping.port)(post)]),
    ).toMatchObject([patient, patient]);
  });

  it('[dial.sends] works with several requests at once', async () => {
    const receiver = await startReceiver({ behaviour: accept });
    const dial = createDialTo(receiver.port);
    const answers = await Promise.all(Array.from({ length: 50 }, () => dial(post)));
    expect(answers.every((one) => 'status' in one && one.status === 200)).toBe(true);
    expect(receiver.received).toHaveLength(50);
  });

  /**
   * Creates a receiver that records the client port of each request, and a dialer whose name
   * resolves to the current addresses in `claimed`.
   */
  async function countingConnections(behaviour = accept) {
    const ports: (number | undefined)[] = [];
    const claimed = [PUBLIC];
    const receiver = await startReceiver({
      behaviour(request, response) {
        ports.push(response.socket?.remotePort);
        behaviour(request, response);
      },
    });
    const network: Network = {
      authorities,
      resolve: async () => [...claimed],
      route: (_, addresses) => ({
        addresses: addresses.map(() => '127.0.0.1'),
        port: receiver.port,
      }),
    };
    return { receiver, ports, claimed, dial: createDial(network) };
  }

  it('[dial.sends] reuses an idle connection and leaves no listener on it', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const { ports, dial } = await countingConnections();
    for (let count = 0; count < 30; count++)
      expect(await dial(post)).toMatchObject({ status: 200 });
    process.off('warning', note);
    expect(ports).toHaveLength(30);
    expect(new Set(ports).size).toBe(1);
    expect(warnings).toEqual([]);
  });

  it('[dial.pinned] reuses none once the name has other or bad addresses', async () => {
    const { receiver, ports, claimed, dial } = await countingConnections();
    expect(await dial(post)).toMatchObject({ status: 200 });
    claimed.push('93.184.216.35');
    expect(await dial(post)).toMatchObject({ status: 200 });
    expect(new Set(ports).size).toBe(2);
    claimed.push('10.0.0.1');
    expect(await dial(post)).toEqual({ failure: 'address_blocked' });
    expect(receiver.received).toHaveLength(2);
  });

  it('[dial.sends] reuses none after a refusal, which may leave unread data', async () => {
    const { ports, dial } = await countingConnections(answerWith(413));
    for (let count = 0; count < 2; count++) expect(await dial(post)).toMatchObject({ status: 413 });
    expect(new Set(ports).size).toBe(2);
  });

  it('[dial.bytes] counts the bytes of each answer separately', async () => {
    const { ports, dial } = await countingConnections(answerWith(200, {}, 'x'.repeat(40_000)));
    for (let count = 0; count < 4; count++) expect(await dial(post)).toMatchObject({ status: 200 });
    expect(new Set(ports).size).toBe(1);
  });

  it('[dial.sends] sends once although a connection breaks, and reconnects', async () => {
    const sockets: Socket[] = [];
    const { receiver, dial } = await countingConnections((request, response) => {
      const { socket } = response;
      // The second request on a connection gets no answer.
      if (socket && sockets.includes(socket)) return socket.destroy();
      if (socket) sockets.push(socket);
      accept(request, response);
    });
    const answers = [await dial(post), await dial(post), await dial(post)];
    expect(answers).toMatchObject([{ status: 200 }, { failure: 'connection' }, { status: 200 }]);
    expect({ requests: receiver.received.length, sockets: sockets.length }).toEqual({
      requests: 3,
      sockets: 2,
    });
  });
});
