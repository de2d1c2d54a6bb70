import type { FastifyInstance } from 'fastify';
import { authenticateAdministrator } from '../kernel/callers/callers.ts';
import { fail, failCredential } from '../kernel/errors.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import type { Metrics } from './prometheus-metrics.ts';

/** The checks behind the probes of a load balancer. */
export interface Probes {
  /** Returns whether the store answers and has the schema that this code needs, or why not. */
  ready(): Promise<{ ready: true } | { ready: false; reason: string }>;
}

/** Paths that answer even while the service stops or is overloaded. */
export const probePaths = ['/healthz', '/readyz', '/metrics'];

/**
 * Registers the probes and the metrics. Errors of /readyz: `unavailable`; of /metrics:
 * `unauthenticated`, `invalid_credential`.
 */
export function addProbes(
  http: FastifyInstance,
  probes: Probes,
  metrics: Metrics,
  env: Environment,
  isStopping: () => boolean,
): void {
  http.get('/healthz', async () => ({ status: 'alive' }));

  http.get('/readyz', async (_request, reply) => {
    const answer = isStopping()
      ? { ready: false as const, reason: 'The service is stopping.' }
      : await probes.ready();
    if (!answer.ready) throw fail('unavailable', answer.reason);
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });

  http.get('/metrics', async (request, reply) => {
    const key = request.headers['x-admin-key'];
    if (typeof key !== 'string')
      throw failCredential(
        'admin',
        'unauthenticated',
        'Send an administrator key in X-Admin-Key, or read metrics from METRICS_PORT.',
      );
    await authenticateAdministrator(env.db, key, env.administrators);
    return reply
      .header('cache-control', 'private, no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}
