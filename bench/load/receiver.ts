import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerAsChild } from './child.ts';

/** A question to the receiver: to open its port, or only for its arrivals. */
export type ReceiverQuestion =
  | { readonly open: { readonly key: string; readonly cert: string } }
  | { readonly count: true };

/** The number of hints so far, and the time of the last one in milliseconds since 1970. */
export interface Arrivals {
  readonly port: number;
  readonly count: number;
  readonly last: number;
}

/** Runs the role "receiver", which accepts every hint immediately. */
export function serveReceiver(): void {
  let port = 0;
  let count = 0;
  let last = 0;
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
