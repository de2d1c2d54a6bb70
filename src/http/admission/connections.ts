import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LoadLimitValues } from '../../kernel/limits/load-limit-values.ts';
import { findSite } from '../../kernel/limits/rate-limit-subjects.ts';
import { toCallerAddress } from '../caller-address.ts';
import { findDescriptorLimit } from './descriptor-limit.ts';

/** Descriptors that are left for the database, files and outgoing connections. */
const RESERVED_DESCRIPTORS = 128;
/** The share of all connections that one address may have. */
const ADDRESS_SHARE = 0.75;

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The address, or its site of 48 bits: whoever has one has all of its networks. */
  readonly site: string;
  /** Requests under way on it. */
  requests: number;
  /** Whether no request ever came on it. */
  isSilent: boolean;
}

/** Adds to a count, which is there while it is above 0. */
function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  counts.set(name, (counts.get(name) ?? 0) + change);
  if ((counts.get(name) ?? 0) <= 0) counts.delete(name);
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
 * by holding connections. In the whole process it is one of the site that has most of these: the
 * site that has most connections may have a request on each. Of a site it is the oldest that never
 * carried a request or, of none, the oldest. Behind a proxy all addresses are the proxy's, and only
 * the bound of the whole process holds.
 */
export function boundConnections(
  server: Server,
  limits: Pick<LoadLimitValues, 'connections.process' | 'connections.address'> | 'off',
  isBehindProxy: boolean,
): Connections {
  // A Map remembers the order in which its members came.
  const open = new Map<Socket, Connection>();
  const counts = new Map<string, number>();
  /** Connections without a request under way, by site. */
  const idle = new Map<string, number>();
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

  /** Returns the site that has most connections without a request. */
  function findLargest(): string | undefined {
    let largest: string | undefined;
    for (const [site, count] of idle) if (count > (idle.get(largest ?? '') ?? 0)) largest = site;
    return largest;
  }

  /** Makes room for a connection by closing one of this address or site. */
  function evict(newest: Connection, of: 'address' | 'site', name: string | undefined): void {
    let oldest: Connection | undefined;
    for (const one of open.values()) {
      if (one === newest || one.requests > 0 || one[of] !== name) continue;
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
    add(counts, known.address, -1);
    if (known.requests === 0) add(idle, known.site, -1);
  }

  server.on('connection', (socket) => {
    // Pipelined requests each listen for the end of their connection.
    socket.setMaxListeners(0);
    const address = toCallerAddress(socket.remoteAddress ?? '');
    const site = findSite(address) ?? address;
    const connection = { socket, address, site, requests: 0, isSilent: true };
    open.set(socket, connection);
    add(counts, address, 1);
    add(idle, site, 1);
    socket.once('close', () => forget(socket));
    if ((counts.get(address) ?? 0) > perAddress) evict(connection, 'address', address);
    if (open.size > total) evict(connection, 'site', findLargest());
  });
  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (!connection) return;
    if (connection.requests++ === 0) add(idle, connection.site, -1);
    connection.isSilent = false;
    // Whatever a request holds is given back at this event, besides the framework's own listeners.
    response.setMaxListeners(30);
    response.once('close', () => {
      if (--connection.requests === 0 && open.has(socket)) add(idle, connection.site, 1);
    });
  });

  return {
    closeIdle() {
      server.closeIdleConnections();
      for (const { socket } of open.values()) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
