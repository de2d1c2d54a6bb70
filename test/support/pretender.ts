import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from './each-file.ts';

/** An answer of a pretender. A body that is no text is sent as JSON. */
interface PretendedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Starts a server that is no installation, gives these answers and records all requests. Without an
 * answer it says 404.
 */
export async function startPretender(
  answer: (request: IncomingMessage) => PretendedAnswer | undefined,
): Promise<{ readonly url: string; readonly asked: readonly IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const { status = 200, headers = {}, body } = answer(request) ?? { status: 404 };
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
