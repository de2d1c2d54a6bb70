import { createServer, type Server } from 'node:http';
import { shareFor } from '../../kernel/share-for.ts';
import { boundConnections } from '../admission/connections.ts';
import { openPort } from '../admission/open-port.ts';
import { answerInTurn } from '../admission/pipelines.ts';
import type { Metrics } from './prometheus-metrics.ts';

/** Milliseconds for which everybody gets the same metrics. */
const SHARED_MS = 1_000;
/** Milliseconds for a request to arrive, and for its answer to be read. */
const ANSWER_MS = 5_000;
/** A scraper has one connection. */
const CONNECTIONS = { 'connections.process': 64, 'connections.address': 16 };

/**
 * Opens a port at which whoever reaches it may read the metrics. It has few connections, a request
 * at a time on each, and one collection a second, because nobody is known there.
 * Errors: the system's, such as EADDRINUSE.
 */
export async function openMetricsPort(
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  port: number,
  host: string,
): Promise<Server> {
  const collect = shareFor(SHARED_MS, () => metrics.text());
  const server = createServer(
    { connectionsCheckingInterval: 1_000, requestTimeout: ANSWER_MS, maxHeaderSize: 4_096 },
    answerInTurn(({ method, url = '' }, response) => {
      if (method !== 'GET' || url.split('?', 1)[0] !== '/metrics') {
        response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
        response.end('This port answers GET /metrics only.\n');
        return;
      }
      collect().then(
        (text) => response.setHeader('content-type', metrics.contentType).end(text),
        () => response.destroy(),
      );
    }, 1),
  );
  server.setTimeout(ANSWER_MS);
  boundConnections(server, CONNECTIONS, false);
  await openPort(server, port, host);
  return server;
}
