import { Resolver } from 'node:dns/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { isPublicAddress } from './addresses.ts';

/** Why nobody answered. */
export type DialFailure = 'timeout' | 'tls' | 'connection' | 'address_blocked';

export type Dialled =
  | { readonly status: number; readonly headers: IncomingHttpHeaders }
  | { readonly failure: DialFailure };

export interface Outgoing {
  /** An https address with a name as its host. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The one door out of the service: sends one POST and says what came back. Never throws; follows nothing; sends no credential of its own. */
export type Dial = (outgoing: Outgoing) => Promise<Dialled>;

/** Where connections go. A test realm has its own. */
export interface Network {
  /** All addresses of a name. */
  resolve(name: string): Promise<readonly string[]>;
  /** Where a connection for these checked addresses really goes: to exactly these, on port 443. */
  route(
    name: string,
    addresses: readonly string[],
  ): { readonly addresses: readonly string[]; readonly port: number };
  /** Authorities besides those that Node.js trusts, as PEM. */
  readonly authorities: readonly string[];
}

const DEADLINE_MS = 5_000;
/** Of a response, its head included. */
const MAX_BYTES = 64 * 1024;
/** How long a connection waits for the next hint to its host, and how many of them do: shorter than any server's default, which so never closes it under a hint. */
const IDLE_MS = 1_000;
const IDLE_CONNECTIONS = 16;

/** Asks name servers itself (c-ares): getaddrinfo has four threads for the whole process, so that slow name servers would stop everyone's file reads. */
async function resolve(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

export const internet: Network = {
  resolve,
  route: (_, addresses) => ({ addresses, port: 443 }),
  authorities: [],
};

/** Gives a connection the addresses that were checked, whatever the name may resolve to by now. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };

/**
 * Connections to receivers that share a host are used again: most of what a hint costs is the handshake. Each serves only those whose name has at this
 * moment exactly the addresses with which it was made, and every one was made with the whole proof: no session is resumed.
 */
class Connections extends Agent {
  constructor(secureContext: SecureContext) {
    super({
      keepAlive: true,
      maxFreeSockets: IDLE_CONNECTIONS,
      timeout: IDLE_MS,
      maxCachedSessions: 0,
      secureContext,
      rejectUnauthorized: true,
    });
  }

  override getName(
    options: RequestOptions & { readonly addresses?: readonly string[] } = {},
  ): string {
    return [options.host, options.port, ...(options.addresses ?? [])].join(' ');
  }
}

function send(
  outgoing: Outgoing,
  { addresses, port }: ReturnType<Network['route']>,
  agent: Connections,
  signal: AbortSignal,
): Promise<Dialled> {
  const { hostname, host, pathname } = new URL(outgoing.url);
  return new Promise((settle) => {
    let connected = false;
    let secured = false;
    let answer: Dialled | undefined;
    const to: RequestOptions & { readonly addresses: readonly string[] } = {
      ...{ host: hostname, port, path: pathname, method: 'POST', signal, agent },
      headers: { ...outgoing.headers, host, 'content-length': Buffer.byteLength(outgoing.body) },
      ...{ lookup: pinned(addresses), servername: hostname, addresses: addresses.toSorted() },
    };
    const request = httpsRequest(to);
    request.on('socket', (socket) => {
      connected = request.reusedSocket;
      secured = request.reusedSocket;
      if (!request.reusedSocket)
        socket
          .once('connect', () => (connected = true))
          .once('secureConnect', () => (secured = true));
      // Counted here, because much that arrives never becomes an answer: interim ones, empty lines before it.
      const before = socket.bytesRead;
      const enough = () => {
        if (socket.bytesRead - before > MAX_BYTES) request.destroy();
      };
      socket.on('data', enough);
      request.on('close', () => socket.off('data', enough));
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      answer = { status, headers: response.headers };
      // Who refuses may not have read what was sent: the next one on this connection might wait for ever.
      if (status < 200 || status > 299) request.shouldKeepAlive = false;
      response.on('error', () => {}).resume();
    });
    request.on('error', () => {
      answer ??= {
        failure: signal.aborted ? 'timeout' : connected && !secured ? 'tls' : 'connection',
      };
    });
    // The answer counts once the connection is free or gone: so no more of them are at work than were begun.
    request.on('close', () =>
      settle(answer ?? { failure: signal.aborted ? 'timeout' : 'connection' }),
    );
    request.end(outgoing.body);
  });
}

/**
 * Opens the door onto a network. A name is resolved once, every one of its addresses is checked, and the connection goes to one of exactly
 * these; the certificate must be valid for the name. An answer, from the first question to the name server, has five seconds.
 */
export function createDial({ resolve, route, authorities }: Network = internet): Dial {
  // Made once: reading the authorities' certificates takes longer than a handshake does.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authorities.length > 0 && { ca: [...rootCertificates, ...authorities] }),
  });
  const connections = new Connections(secureContext);
  return async (outgoing) => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const { hostname } = new URL(outgoing.url);
    // An address in a name's place is never looked up, and so would never be checked.
    if (isIP(hostname.replace(/^\[|\]$/g, ''))) return { failure: 'address_blocked' };
    const late = new Promise<null>((done) =>
      signal.addEventListener('abort', () => done(null), { once: true }),
    );
    const addresses = await Promise.race([resolve(hostname).catch(() => []), late]);
    if (addresses === null) return { failure: 'timeout' };
    if (addresses.length === 0) return { failure: 'connection' };
    if (!addresses.every(isPublicAddress)) return { failure: 'address_blocked' };
    return send(outgoing, route(hostname, addresses), connections, signal);
  };
}
