import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { createApp } from '../../app/app.ts';
import type { Settings } from '../../config.ts';
import type { Connection } from '../../db/connection.ts';
import { openConfiguredTracing } from './open-configured-tracing.ts';
import { collectMetrics } from './worker-metrics.ts';

/**
 * What a process needs to answer requests until `stop`. `listening` gets the address when the port
 * is open.
 */
export interface Serving {
  readonly settings: Settings;
  readonly connection: Connection;
  readonly log: Logger;
  readonly stop: Promise<void>;
  readonly listening: (address: string) => void;
}

/** Answers requests in this process. Errors: those of `App.listen`. */
export async function runWorker({
  settings,
  connection,
  log,
  stop,
  listening,
}: Serving): Promise<void> {
  const app = createApp(settings, {
    connection,
    log,
    ...(cluster.isWorker && { collectAllMetrics: collectMetrics }),
    tracing: await openConfiguredTracing(settings, log),
  });
  try {
    listening(await app.listen());
    await stop;
    log.info('stopping');
  } finally {
    await app[Symbol.asyncDispose]();
  }
}
