import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LoadLimitValues } from '../../kernel/limits/load-limit-values.ts';
import { toCallerAddress } from '../caller-address.ts';
import { findDescriptorLimit } from './descriptor-limit.ts';

/** Descriptors that are left for the database, files and outgoing connections. */
const RESERVED_DESCRIPTORS = 128;
/** The share of all connections that one address may have. */
const ADDRESS_SHARE = 0.75;

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Requests under way on it. */
  requests: number;
  /** Whether no request ever came on it. */
  isSilent: boolean;
}

/** The connections of a server. */
export interface Connections {
  /**
   * Closes idle connections, including those that never carried a request. Browsers and clients
   * open some of these in advance, and Node's own closeIdleConnections takes them for busy.
   */
  closeIdle(): void;
}

/**
 * Bounds the number of a server's connections by address and in all. Where there are too many, one
 * without a request under way is closed in favour of the new one, so that nobody keeps others out
 * by holding connections. It is one of the address that has most: the oldest that never carried a
 * request or, of none, the oldest. Behind a proxy all addresses are the proxy's, and only the bound
 * of the whole process holds.
 */
export function boundConnections(
  server: Server,
  limits: Pick<LoadLimitValues, 'connections.process' | 'connections.address'> | 'off',
  isBehindProxy: boolean,
): Connections {
  // A Map remembers the order in which its members came.
  const open = new Map<Socket, Connection>();
  const counts = new Map<string, number>();
  const total =
    limits === 'off'
      ? Number.POSITIVE_INFINITY
      : Math.min(
          limits['connections.process'],
          Math.max(16, findDescriptorLimit() - RESERVED_DESCRIPTORS),
        );
  const perAddress =
    limits === 'off' || isBehindProxy
      ? Number.POSITIVE_INFINITY
      : Math.min(limits['connections.address'], Math.floor(total * ADDRESS_SHARE));

  /** Returns the address that has most connections. */
  function findLargest(): string | undefined {
    let largest: string | undefined;
    for (const [address, count] of counts)
      if (count > (counts.get(largest ?? '') ?? 0)) largest = address;
    return largest;
  }

  /** Makes room for a connection at an address. */
  function evict(newest: Connection, address: string | undefined): void {
    let oldest: Connection | undefined;
    for (const one of open.values()) {
      if (one === newest || one.requests > 0 || one.address !== address) continue;
      oldest ??= one;
      if (!one.isSilent) continue;
      oldest = one;
      break;
    }
    const { socket } = oldest ?? newest;
    forget(socket);
    socket.destroy();
  }

  function forget(socket: Socket): void {
    const known = open.get(socket);
    if (!known) return;
    open.delete(socket);
    const left = (counts.get(known.address) ?? 0) - 1;
    if (left > 0) counts.set(known.address, left);
    else counts.delete(known.address);
  }

  server.on('connection', (socket) => {
    // Pipelined requests each listen for the end of their connection.
    socket.setMaxListeners(0);
    const address = toCallerAddress(socket.remoteAddress ?? '');
    const connection = { socket, address, requests: 0, isSilent: true };
    open.set(socket, connection);
    counts.set(address, (counts.get(address) ?? 0) + 1);
    socket.once('close', () => forget(socket));
    if ((counts.get(address) ?? 0) > perAddress) evict(connection, address);
    if (open.size > total) evict(connection, findLargest());
  });
  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (!connection) return;
    connection.requests++;
    connection.isSilent = false;
    // Whatever a request holds is given back at this event, besides the framework's own listeners.
    response.setMaxListeners(30);
    response.once('close', () => connection.requests--);
  });

  return {
    closeIdle() {
      server.closeIdleConnections();
      for (const { socket } of open.values()) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Opens a port. Errors: the system's, such as EADDRINUSE. */
export const openPort = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
