import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { breakStalledConnections } from './stalled-connections.ts';

/** A server without a port. */
class Listener extends EventEmitter {
  timeout = 0;
  setTimeout(ms: number) {
    this.timeout = ms;
  }
}

const SECOND = 1_000;
let now = 0;
let server: Listener;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  now = 0;
  server = new Listener();
  breakStalledConnections(server as unknown as Server, () => now);
});
afterEach(() => vi.useRealTimers());

/** Begins a request on a connection whose answer waits with so many bytes. */
function begin(waiting: number) {
  const socket = {
    _handle: { bytesWritten: waiting, writeQueueSize: waiting },
    writableLength: waiting,
    destroyed: false,
    destroy() {
      this.destroyed = true;
    },
  };
  const response = new EventEmitter();
  server.emit('request', { socket: socket as unknown as Socket }, response);
  return { socket, response };
}

/** Lets seconds pass, and calls `each` before every look. */
function pass(seconds: number, each = () => {}) {
  for (let passed = 0; passed < seconds; passed += 5) {
    each();
    now += 5 * SECOND;
    vi.advanceTimersByTime(5 * SECOND);
  }
}

it('[attack.27-1] (API4) a reader that takes next to nothing in 30 s is cut off', () => {
  const { socket } = begin(1_000_000);
  pass(25, () => {
    socket._handle.writeQueueSize -= 100;
  });
  expect(socket.destroyed).toBe(false);
  pass(10);
  expect(socket.destroyed).toBe(true);
});

it('[attack.27-1] (API4) a slow reader and a wait without news stay', () => {
  const slow = begin(10_000_000).socket;
  const wait = begin(0).socket;
  pass(300, () => {
    slow._handle.writeQueueSize -= 12_000;
  });
  expect([slow.destroyed, wait.destroyed]).toEqual([false, false]);
});

it('[attack.27-1] (API4) an answer that has gone is no longer looked at', () => {
  const { socket, response } = begin(1_000_000);
  response.emit('close');
  pass(60);
  expect(socket.destroyed).toBe(false);
});
