import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { findSite } from '../../kernel/limits/rate-limit-subjects.ts';
import { toCallerAddress } from '../caller-address.ts';

/** Bytes of heads that have not arrived whole, of all connections. Node holds them as strings. */
const MAX_BYTES = 16 * 1024 * 1024;
const CHECK_MS = 1_000;

interface Reading {
  readonly socket: Socket;
  readonly site: string;
  /** Requests under way on the connection: what is read meanwhile is theirs. */
  requests: number;
  /** The bytes that were read when the last request ended. */
  readBefore: number;
}

const countBytes = ({ socket, requests, readBefore }: Reading): number =>
  requests > 0 ? 0 : socket.bytesRead - readBefore;

/**
 * Closes connections while the heads that have not arrived whole have too many bytes in all: there
 * is no request yet whose caller could be refused. Those of the site that has most come first, and
 * of these the longest.
 */
export function boundUnfinishedHeads(server: Server, maxBytes = MAX_BYTES): void {
  const open = new Set<Reading>();

  function closeLongest(): void {
    const unfinished = [...open].filter((one) => countBytes(one) > 0);
    let bytes = unfinished.reduce((sum, one) => sum + countBytes(one), 0);
    if (bytes <= maxBytes) return;
    const bySite = new Map<string, number>();
    const getOfSite = ({ site }: Reading) => bySite.get(site) ?? 0;
    for (const one of unfinished) bySite.set(one.site, getOfSite(one) + countBytes(one));
    unfinished.sort((a, b) => getOfSite(b) - getOfSite(a) || countBytes(b) - countBytes(a));
    for (const one of unfinished) {
      if (bytes <= maxBytes) break;
      bytes -= countBytes(one);
      one.socket.destroy();
    }
  }

  const checking = setInterval(closeLongest, CHECK_MS).unref();
  server.once('close', () => clearInterval(checking));
  const readings = new WeakMap<Socket, Reading>();
  server.on('connection', (socket) => {
    const address = toCallerAddress(socket.remoteAddress ?? '');
    const reading = { socket, site: findSite(address) ?? address, requests: 0, readBefore: 0 };
    readings.set(socket, reading);
    open.add(reading);
    socket.once('close', () => open.delete(reading));
  });
  server.on('request', ({ socket }, response) => {
    const reading = readings.get(socket);
    if (!reading) return;
    reading.requests += 1;
    response.once('close', () => {
      reading.requests -= 1;
      reading.readBefore = socket.bytesRead;
    });
  });
}
