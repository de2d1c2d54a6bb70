import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'selfsigned';
import type { SeededRandom } from '../../bench/content/varied-text.ts';

/** The name by which hints are sent to the receiver, and the address that it seems to have. */
export const RECEIVER_HOST = 'hooks.example';
export const RECEIVER_ADDRESS = '93.184.216.34';

/** A receiver of hints that may behave badly. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** The bodies of all hints that came, whatever was answered. */
  readonly hints: readonly string[];
  /** What was wrong with hints, as sentences. */
  readonly faults: readonly string[];
  /** Lets it answer late, refuse, redirect or talk nonsense from now on, or no longer. */
  setBad(isBad: boolean): void;
}

/** The secret of an agent's hook: everybody here can compute it. */
export const buildHookSecret = (handle: string): string =>
  createHmac('sha256', 'hooks').update(handle).digest('hex');

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex');

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

async function answerBadly(response: ServerResponse, random: SeededRandom): Promise<void> {
  const way = random.pickInt(5);
  if (way === 0) await sleep(1_000 + random.pickInt(6_000));
  else if (way === 1) response.writeHead(500);
  else if (way === 2) response.writeHead(307, { location: 'https://elsewhere.example/' });
  else if (way === 3) response.socket?.destroy();
  else response.write('x'.repeat(random.pickInt(200_000)));
  response.end();
}

/** Starts the receiver on loopback, and writes the certificate of its authority into a file. */
export async function startReceiver(caFile: string, random: SeededRandom): Promise<Receiver> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: RECEIVER_HOST }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: RECEIVER_HOST }] },
    ],
  });
  await writeFile(caFile, cert);
  const hints: string[] = [];
  const faults: string[] = [];
  let isBad = false;

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    // The path of a hook is the handle of its agent.
    const secret = buildHookSecret(request.url?.slice(1) ?? '');
    const timestamp = String(request.headers['x-service-timestamp'] ?? '');
    const given = String(request.headers['x-service-signature'] ?? '');
    const expected = `v1=${sign(secret, `${timestamp}.${body}`)}`;
    const isSigned =
      given.length === expected.length &&
      timingSafeEqual(Buffer.from(given), Buffer.from(expected));
    if (!isSigned) faults.push(`A hint for ${request.url} has a wrong signature: ${body}`);
    hints.push(body);
    const { challenge } = JSON.parse(body) as { readonly challenge?: string };
    if (challenge !== undefined) {
      const proof = sign(secret, `verify.${challenge}`);
      response.writeHead(200, { 'x-service-challenge-response': proof }).end();
    } else if (isBad) await answerBadly(response, random);
    else response.end();
  };
  const server = createServer({ key, cert }, (request, response) => {
    // What breaks here was cut on purpose.
    receive(request, response).catch(() => response.destroy());
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hints,
    faults,
    setBad(next) {
      isBad = next;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
