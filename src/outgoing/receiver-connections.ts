import type { ClientRequest } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';

/**
 * Milliseconds for which an idle connection stays open. That is shorter than any server's default,
 * so a server does not close a connection while a hint is sent.
 */
const IDLE_MS = 1_000;
/** The number of idle connections to one host. */
const IDLE_CONNECTIONS = 16;
/** The number of idle connections to all hosts. */
const ALL_IDLE_CONNECTIONS = 64;

/**
 * Reuses connections to receivers on one host, because the handshake is most of a hint's cost. A
 * connection is reused only while the name resolves to exactly the addresses that it was opened
 * with. No TLS session is resumed, so the certificate was verified for each connection.
 */
export class Connections extends Agent {
  /** For each idle connection, what takes it back into use. */
  readonly #idle = new Map<Duplex, () => void>();

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

  /**
   * Keeps a connection for the next request, for a while and as long as nothing arrives on it: its
   * timeout alone begins anew with each byte that a receiver sends.
   */
  override keepSocketAlive(socket: Duplex): boolean {
    if (this.#idle.size >= ALL_IDLE_CONNECTIONS) return false;
    // Node.js says here whether the receiver keeps it open for long enough.
    const isKept: unknown = super.keepSocketAlive(socket);
    if (isKept === false) return false;
    const close = () => void socket.destroy();
    const timer = setTimeout(close, IDLE_MS).unref();
    const wake = () => {
      clearTimeout(timer);
      socket.off('data', close).off('close', wake);
      this.#idle.delete(socket);
    };
    socket.on('data', close).on('close', wake);
    this.#idle.set(socket, wake);
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#idle.get(socket)?.();
    super.reuseSocket(socket, request);
  }
}
