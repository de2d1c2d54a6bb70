import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerAsChild } from './child.ts';

export type ReceiverQuestion =
  | { readonly open: { readonly key: string; readonly cert: string } }
  | { readonly count: true };

/** Hints that arrived so far, and when the last one did, in milliseconds since 1970. */
export interface Arrivals {
  readonly port: number;
  readonly count: number;
  readonly last: number;
}

/** The role "receiver": accepts every hint at once. */
export function serveReceiver(): void {
  let [port, count, last] = [0, 0, 0];
  answerAsChild<ReceiverQuestion, Arrivals>(async (question) => {
    if ('open' in question) {
      const server = createServer(question.open, (request, response) => {
        request.resume().on('end', () => {
          count += 1;
          last = Date.now();
          response.end();
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
    }
    return { port, count, last };
  });
}
