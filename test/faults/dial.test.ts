import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createDial, type Network } from '../../src/outgoing/dial.ts';
import { testNetwork } from '../../src/outgoing/test-network.ts';
import { afterFile } from '../support/each-file.ts';
import { until } from '../support/factories.ts';
import { accept, answer, CA_FILE, certificate, HOST, startReceiver } from '../features/webhooks/receiver.ts';

const authorities = [readFileSync(CA_FILE, 'utf8')];
const PUBLIC = '93.184.216.34';
const post = {
  url: `https://${HOST}/stoa`,
  headers: { 'x-service-timestamp': '1' },
  body: '{"type":"x"}',
};

/** A door whose names lead to this port of loopback, and claim these addresses. */
const dialTo = (port: number, ...claimed: string[]) =>
  createDial(
    testNetwork(
      (claimed.length ? claimed : [PUBLIC]).map((address) => ({
        name: HOST,
        claimed: address,
        host: '127.0.0.1',
        port,
      })),
      authorities,
    ),
  );

/** Something that listens on loopback and is no TLS server. */
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

describe('a connection out of the service', () => {
  it('[dial.sends] carries what it is given to the path, and nothing else', async () => {
    const receiver = await startReceiver();
    expect(await dialTo(receiver.port)(post)).toMatchObject({ status: 200 });
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
    '[dial.addresses] [dial.all-addresses] is not made to a name that resolves to %s %s %s',
    async (...claimed) => {
      const receiver = await startReceiver();
      expect(
        await dialTo(receiver.port, ...claimed.filter((one) => typeof one === 'string'))(post),
      ).toEqual({ failure: 'address_blocked' });
      expect(receiver.received).toEqual([]);
    },
  );

  it.each(['127.0.0.1', '[::1]', '8.8.8.8', '2130706433', '[2606:4700::1111]'])(
    '[dial.addresses] is not made to the address %s in a name’s place',
    async (host) => {
      const asked: string[] = [];
      const network = {
        ...testNetwork([], []),
        resolve: async (name: string) => [asked.push(name), PUBLIC].map(String).slice(1),
      };
      expect(await createDial(network)({ ...post, url: `https://${host}/` })).toEqual({
        failure: 'address_blocked',
      });
      expect(asked).toEqual([]);
    },
  );

  it('[dial.pinned] goes to the address that was checked, though the name resolves to another one a moment later', async () => {
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
    expect([asked, routed]).toEqual([1, [[HOST, [PUBLIC]]]]);
    expect(await dial(post)).toEqual({ failure: 'address_blocked' });
    expect([asked, receiver.received.length]).toEqual([2, 1]);
  });

  it('[dial.pinned] asks no resolver of the system for the name: one that nobody knows is reached at the checked address', async () => {
    const receiver = await startReceiver({ names: ['nowhere.invalid'] });
    const network = testNetwork(
      [{ name: 'nowhere.invalid', claimed: PUBLIC, host: '127.0.0.1', port: receiver.port }],
      authorities,
    );
    expect(await createDial(network)({ ...post, url: 'https://nowhere.invalid/' })).toMatchObject({
      status: 200,
    });
    expect(
      await createDial(testNetwork([], authorities))({ ...post, url: 'https://nowhere.invalid/' }),
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
  ])('[dial.tls] is not made with a certificate or protocol %s', async (_, options) => {
    const receiver = await startReceiver(options);
    expect(await dialTo(receiver.port)(post)).toEqual({ failure: 'tls' });
    expect(receiver.received).toEqual([]);
  });

  it('[dial.tls] is not made with an authority that nobody trusts, but with TLS 1.2 it is', async () => {
    const receiver = await startReceiver({ maxVersion: 'TLSv1.2' });
    expect(
      await createDial(
        testNetwork([{ name: HOST, claimed: PUBLIC, host: '127.0.0.1', port: receiver.port }], []),
      )(post),
    ).toEqual({ failure: 'tls' });
    expect(await dialTo(receiver.port)(post)).toMatchObject({ status: 200 });
    expect(receiver.received).toHaveLength(1);
  });

  it('[dial.tls] says what kind of failure it met', async () => {
    const closed = await listen((socket) => socket.destroy());
    const plain = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await dialTo(closed)(post)).toEqual({ failure: 'tls' });
    expect(await dialTo(plain)(post)).toEqual({ failure: 'tls' });
    expect(await dialTo(1)(post)).toEqual({ failure: 'connection' });
    expect(await createDial({ ...testNetwork([], []), resolve: async () => [] })(post)).toEqual({
      failure: 'connection',
    });
    const broken = await startReceiver({ behaviour: (_, response) => response.socket?.destroy() });
    expect(await dialTo(broken.port)(post)).toEqual({ failure: 'connection' });
  });

  it('[dial.no-redirect] follows no redirect', async () => {
    const target = await startReceiver();
    const receiver = await startReceiver({
      behaviour: answer(307, { location: `https://127.0.0.1:${target.port}/` }),
    });
    expect(await dialTo(receiver.port)(post)).toMatchObject({ status: 307 });
    expect([receiver.received.length, target.received.length]).toEqual([1, 0]);
  });

  it('[dial.bytes] reads no more than 64 KiB of an answer, which counts all the same', async () => {
    let written = 0;
    let gone = false;
    const receiver = await startReceiver({
      behaviour(_, response) {
        response.on('close', () => (gone = true));
        const more = () => {
          while (!gone && response.write('x'.repeat(16_384))) written += 16_384;
          if (!gone) response.once('drain', more);
        };
        more();
      },
    });
    expect(await dialTo(receiver.port)(post)).toMatchObject({ status: 200 });
    await until('the receiver is cut off', () => gone);
    // What the two kernels hold between them was sent, but never read.
    expect(written).toBeLessThan(8 * 1024 * 1024);
  });

  it('[dial.bytes] takes no head that is longer than that, and no end of interim answers', async () => {
    const wordy = await startReceiver({ behaviour: answer(200, { 'x-long': 'x'.repeat(60_000) }) });
    expect(await dialTo(wordy.port)(post)).toEqual({ failure: 'connection' });
    let gone = false;
    const chatty = await startReceiver({
      behaviour(_, response) {
        response.socket?.on('close', () => (gone = true));
        const more = () => {
          if (gone) return;
          for (let count = 0; count < 100; count++) response.writeProcessing();
          setImmediate(more);
        };
        more();
      },
    });
    expect(await dialTo(chatty.port)(post)).toEqual({ failure: 'connection' });
  });

  it('[dial.bytes] takes no end of empty lines in an answer’s place', async () => {
    let gone = false;
    const server = createTlsServer(await certificate(), (socket) => {
      socket.on('error', () => {}).on('close', () => (gone = true));
      const more = () => {
        while (!gone && socket.write('\r\n'.repeat(8192)));
        if (!gone) socket.once('drain', more);
      };
      more();
    }).listen(0, '127.0.0.1');
    afterFile(() => void server.close());
    await once(server, 'listening');
    expect(await dialTo((server.address() as AddressInfo).port)(post)).toEqual({
      failure: 'connection',
    });
  });

  it('[dial.deadline] has five seconds in all, whatever it waits for', async () => {
    const silent = await listen(() => {});
    const answersAfter = (seconds: number) =>
      startReceiver({
        behaviour: (_, response) => setTimeout(() => response.end(), seconds * 1000),
      });
    const [slow, late] = [await answersAfter(3), await answersAfter(7)];
    const dripping = await startReceiver({
      behaviour(_, response) {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 100);
        response.on('close', () => clearInterval(drip));
      },
    });
    const lost = createDial({
      ...testNetwork([], []),
      resolve: () => new Promise<never>(() => {}),
    });
    const patient = { status: 200 };
    const timeout = { failure: 'timeout' };
    expect(await Promise.all([dialTo(silent)(post), lost(post), dialTo(late.port)(post)])).toEqual([
      timeout,
      timeout,
      timeout,
    ]);
    expect(await Promise.all([dialTo(slow.port)(post), dialTo(dripping.port)(post)])).toMatchObject(
      [patient, patient],
    );
  });

  it('[dial.sends] works with several at once', async () => {
    const receiver = await startReceiver({ behaviour: accept });
    const dial = dialTo(receiver.port);
    const answers = await Promise.all(Array.from({ length: 50 }, () => dial(post)));
    expect(answers.every((one) => 'status' in one && one.status === 200)).toBe(true);
    expect(receiver.received).toHaveLength(50);
  });

  /** A receiver that notes from which port each request came, and a door whose name has the addresses that `claimed` holds at the time. */
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

  it('[dial.sends] uses a connection again that is free, and leaves no listener on it', async () => {
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

  it('[dial.pinned] uses none again once the name has other addresses, or one that is bad', async () => {
    const { receiver, ports, claimed, dial } = await countingConnections();
    expect(await dial(post)).toMatchObject({ status: 200 });
    claimed.push('93.184.216.35');
    expect(await dial(post)).toMatchObject({ status: 200 });
    expect(new Set(ports).size).toBe(2);
    claimed.push('10.0.0.1');
    expect(await dial(post)).toEqual({ failure: 'address_blocked' });
    expect(receiver.received).toHaveLength(2);
  });

  it('[dial.sends] uses none again that a refusal came by: what was sent may not have been read', async () => {
    const { ports, dial } = await countingConnections(answer(413));
    for (let count = 0; count < 2; count++) expect(await dial(post)).toMatchObject({ status: 413 });
    expect(new Set(ports).size).toBe(2);
  });

  it('[dial.bytes] counts each answer of a connection by itself', async () => {
    const { ports, dial } = await countingConnections(answer(200, {}, 'x'.repeat(40_000)));
    for (let count = 0; count < 4; count++) expect(await dial(post)).toMatchObject({ status: 200 });
    expect(new Set(ports).size).toBe(1);
  });

  it('[dial.sends] sends once, also on a connection that breaks, and goes on with another', async () => {
    const sockets: Socket[] = [];
    const { receiver, dial } = await countingConnections((request, response) => {
      const { socket } = response;
      // The second request on a connection is not answered.
      if (socket && sockets.includes(socket)) return socket.destroy();
      if (socket) sockets.push(socket);
      accept(request, response);
    });
    const answers = [await dial(post), await dial(post), await dial(post)];
    expect(answers).toMatchObject([{ status: 200 }, { failure: 'connection' }, { status: 200 }]);
    expect([receiver.received.length, sockets.length]).toEqual([3, 2]);
  });
});
