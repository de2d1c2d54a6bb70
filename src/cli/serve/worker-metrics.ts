import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { AggregatorRegistry } from 'prom-client';
import { openMetricsPort } from '../../http/metrics/metrics-port.ts';

const ASK_MESSAGE = 'stoa-metrics-ask';
const ANSWER_MESSAGE = 'stoa-metrics-answer';

interface MetricsMessage {
  readonly type?: string;
  readonly id?: string;
  readonly text?: string;
}

/**
 * Serves the metrics of all workers together, to workers that request them and on METRICS_PORT. It
 * runs in the primary process. Without a port, it returns undefined.
 */
export async function serveSharedMetrics(port: number, host: string): Promise<Server | undefined> {
  const all = new AggregatorRegistry();
  // The collection fails when a worker ends during it. The next scrape has the other workers again.
  const collectMetrics = () => all.clusterMetrics().catch(() => '');
  cluster.on('message', (worker: Worker, { type, id }: MetricsMessage) => {
    if (type === ASK_MESSAGE)
      void collectMetrics().then(
        (text) => worker.isConnected() && worker.send({ type: ANSWER_MESSAGE, id, text }),
      );
  });
  if (port === 0) return undefined;
  return openMetricsPort({ contentType: all.contentType, text: collectMetrics }, port, host);
}

/** Requests the metrics of all workers from the primary process. It runs in a worker. */
export function collectMetrics(): Promise<string> {
  const id = randomUUID();
  return new Promise((resolve) => {
    const onMessage = (message: MetricsMessage) => {
      if (message.type !== ANSWER_MESSAGE || message.id !== id) return;
      process.off('message', onMessage);
      resolve(message.text ?? '');
    };
    process.on('message', onMessage);
    process.send?.({ type: ASK_MESSAGE, id });
  });
}
