import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generate } from 'selfsigned';
import { expect, inject } from 'vitest';
import { afterFile } from '../../support/each-file.ts';
import { waitUntil } from '../../support/factories.ts';
import { findFormFault, isFromService } from './common-forms.ts';

/*
 * Runs real receivers of hints: TLS servers on loopback, under names that a test realm resolves to
 * public addresses.
 */

export const HOST = 'hooks.example';
export const SECRET = '5f1c0e9a7b3d48261f0e5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4b3a29180';
/** The secret of a webhook that replaces another one. */
export const OTHER_SECRET = 'ab'.repeat(32);
export const exampleWebhook = { url: `https://${HOST}/stoa`, secret: SECRET };
export const ENCRYPTION_KEY = 'c0ffee'.repeat(11).slice(0, 64);

const common = { keyType: 'ec', algorithm: 'sha256' } as const;

/** A certificate authority that only these tests trust. */
const authority = await generate([{ name: 'commonName', value: 'Authority of tests' }], {
  ...common,
  extensions: [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ],
});

const folder = mkdtempSync(join(inject('scratch'), 'receiver-'));
/** The certificate of the authority, for TEST_CA. */
export const CA_FILE = join(folder, 'ca.pem');
writeFileSync(CA_FILE, authority.cert);

interface CertificateOptions {
  readonly names?: readonly string[];
  readonly expired?: boolean;
  readonly selfSigned?: boolean;
}

/** The key and certificate of a receiver, as PEM. */
export async function createCertificate({
  names = [HOST],
  expired = false,
  selfSigned = false,
}: CertificateOptions = {}): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    ...common,
    ...(!selfSigned && { ca: { key: authority.private, cert: authority.cert } }),
    ...(expired && { notBeforeDate: new Date('2020-01-01'), notAfterDate: new Date('2020-02-01') }),
    extensions: [
      { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2 as const, value })) },
    ],
  });
  return { key, cert };
}

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it.
  readonly body: any;
}

/** Answers one request. */
export type Behaviour = (request: ReceivedRequest, response: ServerResponse) => unknown;

export const computeHmac = (text: string, secret = SECRET): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex');

/** Behaves as a receiver should: proves that it has the secret and accepts everything. */
export const accept: Behaviour = ({ body }, response) => {
  if (body.type === 'webhook.verify')
    response.setHeader('x-service-challenge-response', computeHmac(`verify.${body.challenge}`));
  response.end();
};

/** Answers every request with this status. */
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** Passes challenges and answers hints with this status. */
export const onlyForHints =
  (behaviour: Behaviour): Behaviour =>
  (request, response) =>
    (request.body.type === 'webhook.verify' ? accept : behaviour)(request, response);

/** Holds a request and answers it when it is released. */
export function holdRequests(then: Behaviour = accept) {
  let open = () => {};
  let arrivals = 0;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const behaviour: Behaviour = async (request, response) => {
    arrivals += 1;
    await gate;
    then(request, response);
  };
  return {
    behaviour,
    open: () => open(),
    waitForArrival: () => waitUntil('a request arrived', () => arrivals > 0),
  };
}

export interface Receiver {
  readonly port: number;
  /** All requests, in order. */
  readonly received: ReceivedRequest[];
  /** The hints alone. */
  listHints(): ReceivedRequest[];
  setBehaviour(behaviour: Behaviour): void;
  /** The number of open connections. */
  connections(): Promise<number>;
}

export interface ReceiverOptions extends CertificateOptions {
  readonly maxVersion?: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  readonly behaviour?: Behaviour;
}

/**
 * Starts a receiver, which is stopped after the last test of the file. The file fails if a library
 * of the common forms refuses anything that the service sent to it.
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const formFaults: string[] = [];
  let behaviour = options.behaviour ?? accept;
  const tls = {
    ...(await createCertificate(options)),
    ...(options.maxVersion && {
      maxVersion: options.maxVersion,
      minVersion: 'TLSv1' as const,
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
  };
  const server = createServer(tls, async (request, response) => {
    let raw = '';
    for await (const chunk of request.setEncoding('utf8')) raw += chunk;
    const one = {
      method: request.method,
      path: request.url,
      headers: request.headers,
      raw,
      body: raw === '' ? undefined : JSON.parse(raw),
    };
    received.push(one);
    if (isFromService(one)) formFaults.push(...listFormFaults(one));
    await behaviour(one, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.close();
    server.closeAllConnections();
    expect(formFaults, 'what receivers of the common forms refuse').toEqual([]);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received,
    listHints: () => received.filter(({ body }) => body?.type === 'events.available'),
    setBehaviour(next) {
      behaviour = next;
    },
    connections: promisify(server.getConnections.bind(server)),
  };
}

/** The secrets of webhooks in tests. */
const secrets = [SECRET, OTHER_SECRET];

/** Lists why the libraries of the common forms refuse a request under every secret of tests. */
function listFormFaults(request: ReceivedRequest): string[] {
  const faults = secrets.flatMap((secret) => findFormFault(request, secret) ?? []);
  return faults.length < secrets.length ? [] : faults;
}

/** Builds TEST_DIAL for a name that claims an address and is at a port of loopback. */
export const buildDialSetting = (port: number, name = HOST, claimed = '93.184.216.34'): string =>
  `${name}=${claimed}=127.0.0.1:${port}`;

/**
 * Builds the settings of a service with webhooks on whose receivers are these. Further entries of
 * TEST_DIAL may follow.
 */
export const buildWebhookSettings = (...dials: string[]): Record<string, string> => ({
  WEBHOOKS_ENABLED: 'on',
  WEBHOOKS_ENCRYPTION_KEY: ENCRYPTION_KEY,
  TEST_CA: CA_FILE,
  TEST_DIAL: dials.join(','),
});

/** A name at which nobody listens. */
export const CLOSED = 'https://closed.example/stoa';

/**
 * Builds the same settings with a receiver that accepts everything, for suites over all operations.
 */
export const webhooksOn = async (): Promise<Record<string, string>> =>
  buildWebhookSettings(
    buildDialSetting((await startReceiver()).port),
    buildDialSetting(1, 'closed.example'),
  );
