import { Resolver } from 'node:dns/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { isPublicAddress } from './addresses.ts';
import { Connections } from './receiver-connections.ts';

/** Why there is no response. */
export type DialFailure = 'timeout' | 'tls' | 'connection' | 'address_blocked';

/** The status and headers of a response, or why there is none. */
export type DialResult =
  | {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** The body of a GET. */
      readonly body?: Buffer;
    }
  | { readonly failure: DialFailure };

/** A POST to an address outside, or a GET of a small document. */
export interface OutgoingRequest {
  readonly method?: 'GET' | 'POST';
  /** An https address whose host is a name. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one request and returns its result. All outgoing connections of the service use it. It
 * never throws, follows no redirect, and sends no credential of its own.
 */
export type Dial = (outgoing: OutgoingRequest) => Promise<DialResult>;

/** Name resolution and routing of outgoing connections. A test realm has its own. */
export interface Network {
  /** Resolves a name to all of its addresses. */
  resolve(name: string): Promise<readonly string[]>;
  /** Returns the target of a connection to these checked addresses: the same ones, on port 443. */
  route(
    name: string,
    addresses: readonly string[],
  ): { readonly addresses: readonly string[]; readonly port: number };
  /** Certificate authorities besides those that Node.js trusts, as PEM. */
  readonly authorities: readonly string[];
}

const DEADLINE_MS = 5_000;
/** The maximum size of a response, including its head. */
const MAX_BYTES = 64 * 1024;
/**
 * Asks the name servers directly (c-ares). getaddrinfo has four threads for the whole process, so
 * slow name servers would block all file reads.
 */
async function resolve(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** The network of production. */
export const internet: Network = {
  resolve,
  route: (_, addresses) => ({ addresses, port: 443 }),
  authorities: [],
};

/** Makes a connection use the checked addresses, whatever the name resolves to by now. */
const pinAddresses =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };

function sendRequest(
  outgoing: OutgoingRequest,
  { addresses, port }: ReturnType<Network['route']>,
  agent: Connections,
  signal: AbortSignal,
): Promise<DialResult> {
  const { hostname, host, pathname, search } = new URL(outgoing.url);
  const { method = 'POST' } = outgoing;
  return new Promise((settle) => {
    let connected = false;
    let secured = false;
    let answer: DialResult | undefined;
    const options: RequestOptions & { readonly addresses: readonly string[] } = {
      host: hostname,
      port,
      path: method === 'GET' ? pathname + search : pathname,
      method,
      signal,
      agent,
      headers: {
        ...outgoing.headers,
        host,
        ...(method === 'POST' && { 'content-length': Buffer.byteLength(outgoing.body) }),
      },
      lookup: pinAddresses(addresses),
      servername: hostname,
      addresses: addresses.toSorted(),
    };
    const request = httpsRequest(options);
    request.on('socket', (socket) => {
      connected = request.reusedSocket;
      secured = request.reusedSocket;
      if (!request.reusedSocket)
        socket
          .once('connect', () => (connected = true))
          .once('secureConnect', () => (secured = true));
      // The limit counts the bytes of the socket, because interim responses and empty lines before
      // a response never become part of it.
      const before = socket.bytesRead;
      const stopIfTooLong = () => {
        if (socket.bytesRead - before > MAX_BYTES) request.destroy();
      };
      socket.on('data', stopIfTooLong);
      request.on('close', () => socket.off('data', stopIfTooLong));
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const pieces: Buffer[] = [];
      // Only a document that arrived whole is an answer to a GET.
      if (method === 'GET')
        response
          .on('data', (piece: Buffer) => pieces.push(piece))
          .on('end', () => {
            answer = { status, headers: response.headers, body: Buffer.concat(pieces) };
          });
      else answer = { status, headers: response.headers };
      // A receiver that refuses may not have read the request. The next request on this connection
      // could then wait forever.
      if (status < 200 || status > 299) request.shouldKeepAlive = false;
      response.on('error', () => {}).resume();
    });
    request.on('error', () => {
      answer ??= {
        failure: signal.aborted ? 'timeout' : connected && !secured ? 'tls' : 'connection',
      };
    });
    // The result is reported once the connection is free or closed, so besides the idle ones there
    // are never more connections than running calls.
    request.on('close', () =>
      settle(answer ?? { failure: signal.aborted ? 'timeout' : 'connection' }),
    );
    request.end(outgoing.body);
  });
}

/**
 * Creates the dial function for a network. It resolves a name once, checks each of its addresses
 * and connects to one of exactly these. The certificate must be valid for the name. The whole call,
 * including name resolution, has five seconds.
 */
export function createDial({ resolve, route, authorities }: Network = internet): Dial {
  // This context is created once, because parsing the certificates takes longer than a handshake.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authorities.length > 0 && { ca: [...rootCertificates, ...authorities] }),
  });
  const connections = new Connections(secureContext);
  return async (outgoing) => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const { hostname } = new URL(outgoing.url);
    // An address in place of a name is never resolved, so it would not be checked.
    if (isIP(hostname.replace(/^\[|\]$/g, ''))) return { failure: 'address_blocked' };
    const late = new Promise<null>((done) =>
      signal.addEventListener('abort', () => done(null), { once: true }),
    );
    const addresses = await Promise.race([resolve(hostname).catch(() => []), late]);
    if (addresses === null) return { failure: 'timeout' };
    if (addresses.length === 0) return { failure: 'connection' };
    if (!addresses.every(isPublicAddress)) return { failure: 'address_blocked' };
    return sendRequest(outgoing, route(hostname, addresses), connections, signal);
  };
}
