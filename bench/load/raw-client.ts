import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brokenOff, parseAnswer, type RawAnswer } from './raw-http.ts';

/** A client that keeps connections open, and opens another when all of them are in use. */
export interface RawClient {
  /** Sends a request and returns its answer. It never rejects. */
  send(request: string): Promise<RawAnswer>;
  /** Opens connections one after the other, until there are so many. */
  prepare(connections: number): Promise<void>;
  close(): void;
}

interface SentRequest {
  readonly text: string;
  readonly settle: (answer: RawAnswer) => void;
}

interface RawConnection {
  readonly socket: Socket;
  text: string;
  sent: SentRequest | null;
  sentAt: number;
}

/** Milliseconds after which a caller gives up, and how often that is looked for. */
const GIVE_UP_MS = 10_000;
const CHECK_MS = 500;

/**
 * Connections at most. Requests beyond wait in the client, as in any client with a pool: more
 * connections at once than the system queues for the service would wait for seconds to be repeated.
 */
const MAX_CONNECTIONS = 1_500;

/**
 * Opens a client. It does no more than a measurement needs, because it takes the processors that it
 * shares with the service: clients of Node.js cost about as much as the service itself. `addresses`
 * are those of this machine that it calls from, in turns, as callers elsewhere would.
 */
export function openRawClient(
  url: string,
  addresses: readonly string[] = ['127.0.0.1'],
): RawClient {
  const { hostname, port } = new URL(url);
  const all = new Set<RawConnection>();
  const idle: RawConnection[] = [];
  const queued: SentRequest[] = [];
  let opened = 0;

  function start(connection: RawConnection, request: SentRequest): void {
    connection.sent = request;
    connection.sentAt = performance.now();
    connection.socket.write(request.text);
  }

  function finish(connection: RawConnection, answer: RawAnswer): void {
    const { sent } = connection;
    connection.text = '';
    connection.sent = null;
    sent?.settle(answer);
  }

  function open(): RawConnection {
    const localAddress = addresses[opened++ % addresses.length];
    const socket = connect({ host: hostname, port: Number(port), localAddress, noDelay: true });
    const connection: RawConnection = { socket, text: '', sent: null, sentAt: 0 };
    all.add(connection);
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      // The service ends a connection that is not used.
      if (!connection.sent) return socket.destroy();
      connection.text += piece;
      const answer = parseAnswer(connection.text);
      if (answer === null) return;
      finish(connection, answer);
      const next = queued.shift();
      if (next) start(connection, next);
      else idle.push(connection);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      all.delete(connection);
      const index = idle.indexOf(connection);
      if (index >= 0) idle.splice(index, 1);
      finish(connection, brokenOff);
      const next = queued.shift();
      if (next) start(open(), next);
    });
    return connection;
  }

  const timer = setInterval(() => {
    const until = performance.now() - GIVE_UP_MS;
    for (const { sent, sentAt, socket } of all) if (sent && sentAt < until) socket.destroy();
  }, CHECK_MS);
  return {
    send: (text) =>
      new Promise((settle) => {
        const request = { text, settle };
        const connection = idle.pop() ?? (all.size < MAX_CONNECTIONS ? open() : undefined);
        if (connection) start(connection, request);
        else queued.push(request);
      }),
    async prepare(connections) {
      while (all.size < connections) {
        const connection = open();
        await once(connection.socket, 'connect');
        idle.push(connection);
      }
    },
    close() {
      clearInterval(timer);
      queued.length = 0;
      for (const { socket } of all) socket.destroy();
    },
  };
}
