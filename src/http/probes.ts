import type { FastifyInstance } from 'fastify';
import { findAdministrator } from '../kernel/callers/callers.store.ts';
import { isSecret, sha256 } from '../kernel/crypto/credentials.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { fail, failCredential } from '../kernel/errors.ts';
import type { Metrics } from './prometheus-metrics.ts';

/** What a load balancer asks. */
export interface Probes {
  /** Whether the store answers and has the schema that this code needs; the reason if not. */
  ready(): Promise<{ ready: true } | { ready: false; reason: string }>;
}

export const probePaths = ['/healthz', '/readyz', '/metrics'];

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
    const hash = sha256(key);
    const known =
      env.administrators.some((configured) => configured.equals(hash)) ||
      (isSecret('admin', key) && (await findAdministrator(env.db, hash)));
    if (!known)
      throw failCredential(
        'admin',
        'invalid_credential',
        'The key in X-Admin-Key is unknown or revoked.',
      );
    return reply
      .header('cache-control', 'private, no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}
