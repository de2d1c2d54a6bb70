import { once } from 'node:events';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Socket,
} from 'node:net';
import type { SeededRandom } from '../../bench/content/varied-text.ts';

/** How a relay cuts connections. */
export interface Cut {
  /** Each connection is cut after at most so many more bytes, counted in both directions. */
  readonly bytes?: number;
  /** A connection is cut once these bytes went out; what answers them is not passed on. */
  readonly pattern?: Buffer;
  /** Of those that have the pattern, this share is cut. */
  readonly share?: number;
}

/** Passes connections on, and cuts them when it is told to. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** How many connections it cut. */
  readonly cuts: number;
  /** Cuts connections from now on; null ends that. */
  setCut(cut: Cut | null): void;
}

/** Starts a relay on loopback, on a port of its own. */
export async function startRelay(to: () => NetConnectOpts, random: SeededRandom): Promise<Relay> {
  const pairs = new Set<{ left: number; end(): void }>();
  let cut: Cut | null = null;
  let cuts = 0;
  const drawBytes = () => (cut?.bytes === undefined ? Infinity : random.pickInt(cut.bytes));

  const join = (near: Socket) => {
    const far = connect(to());
    const pair = {
      left: drawBytes(),
      isMuted: false,
      end() {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      },
    };
    pairs.add(pair);
    const cutNow = () => {
      cuts++;
      pair.end();
    };
    const pass = (piece: Buffer, from: Socket, target: Socket) => {
      if (pair.isMuted && target === near) return;
      if (piece.length >= pair.left) {
        target.write(piece.subarray(0, pair.left), cutNow);
        pair.left = Infinity;
        pair.isMuted = true;
        return;
      }
      pair.left -= piece.length;
      const { pattern, share = 1 } = cut ?? {};
      if (target === far && pattern && piece.includes(pattern) && random.next() < share) {
        pair.isMuted = true;
        // Time to act on it, before the connection is gone.
        setTimeout(cutNow, random.pickInt(30));
      }
      if (!target.write(piece)) {
        from.pause();
        target.once('drain', () => from.resume());
      }
    };
    near.on('data', (piece) => pass(piece, near, far));
    far.on('data', (piece) => pass(piece, far, near));
    for (const socket of [near, far]) {
      socket.setNoDelay();
      socket.on('error', () => {});
      socket.on('close', pair.end);
    }
  };

  const server = createServer(join).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    setCut(next) {
      cut = next;
      for (const pair of pairs) pair.left = drawBytes();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const pair of [...pairs]) pair.end();
    },
  };
}
