import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What passed between a client of PostgreSQL and its server. */
export interface Traffic {
  readonly statements: number;
  /** How often the client waited for the server: a group of statements in one write is one. */
  readonly roundTrips: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Passes connections on to a PostgreSQL and counts what passes. */
export interface CountingRelay extends AsyncDisposable {
  readonly port: number;
  /** Returns what passed since the last call. */
  take(): Traffic;
}

const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
/** A message is a letter and a length that counts itself, in this order. */
const HEAD_BYTES = 5;

/**
 * Creates a function that counts the statements in a stream of messages from a client. The first
 * message of a connection has no letter (PostgreSQL's protocol 3.0, "Message Flow").
 */
function createStatementCounter(): (piece: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;
  return (piece) => {
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let count = 0;
    for (;;) {
      const head = isStarted ? HEAD_BYTES : HEAD_BYTES - 1;
      if (rest.length < head) return count;
      const length = rest.readUInt32BE(head - 4) + (isStarted ? 1 : 0);
      if (rest.length < length) return count;
      if (isStarted && (rest[0] === EXECUTE || rest[0] === QUERY)) count++;
      isStarted = true;
      rest = rest.subarray(length);
    }
  };
}

/** Starts a relay on loopback to the server at a socket. */
export async function startCountingRelay(path: string): Promise<CountingRelay> {
  const none = { statements: 0, roundTrips: 0, sentBytes: 0, receivedBytes: 0 };
  let traffic = { ...none };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ path });
    const countStatements = createStatementCounter();
    let isAnswering = true;
    near.on('data', (piece: Buffer) => {
      if (isAnswering) traffic.roundTrips++;
      isAnswering = false;
      traffic.statements += countStatements(piece);
      traffic.sentBytes += piece.length;
      far.write(piece);
    });
    far.on('data', (piece: Buffer) => {
      isAnswering = true;
      traffic.receivedBytes += piece.length;
      near.write(piece);
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    take() {
      const taken = traffic;
      traffic = { ...none };
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
