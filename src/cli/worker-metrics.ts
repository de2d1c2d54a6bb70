import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { AggregatorRegistry } from 'prom-client';
import { openPort } from '../http/connections.ts';

const ASK = 'stoa-metrics-ask';
const ANSWER = 'stoa-metrics-answer';

interface Message {
  readonly type?: string;
  readonly id?: string;
  readonly text?: string;
}

/** In the primary process: answers workers that were asked for metrics with those of all workers together, and METRICS_PORT likewise. */
export async function shareMetrics(port: number, host: string): Promise<Server | undefined> {
  const all = new AggregatorRegistry();
  // A worker that ends while it is asked makes the collection fail; the next scrape has the others again.
  const collect = () => all.clusterMetrics().catch(() => '');
  cluster.on('message', (worker: Worker, { type, id }: Message) => {
    if (type === ASK)
      void collect().then(
        (text) => worker.isConnected() && worker.send({ type: ANSWER, id, text }),
      );
  });
  if (port === 0) return undefined;
  const server = createServer((_request, response) => {
    void collect().then((text) => response.setHeader('content-type', all.contentType).end(text));
  });
  await openPort(server, port, host);
  return server;
}

/** In a worker: the metrics of all workers, as the primary knows them. */
export function metricsOfAll(): Promise<string> {
  const id = randomUUID();
  return new Promise((resolve) => {
    const listen = (message: Message) => {
      if (message.type !== ANSWER || message.id !== id) return;
      process.off('message', listen);
      resolve(message.text ?? '');
    };
    process.on('message', listen);
    process.send?.({ type: ASK, id });
  });
}
