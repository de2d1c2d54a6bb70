import type { FastifyInstance } from 'fastify';
import { authenticateAdministrator } from '../kernel/callers/administrators.ts';
import { fail, failCredential, StoaError } from '../kernel/errors.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { shareFor } from '../kernel/share-for.ts';
import { takeAddressToken } from './admission/admission.ts';
import { getWork } from './admission/refuse-overload.ts';
import type { Metrics } from './metrics/prometheus-metrics.ts';

/** The checks behind the probes of a load balancer. */
export interface Probes {
  /** Returns whether the store answers and has the schema that this code needs, or why not. */
  ready(): Promise<{ ready: true } | { ready: false; reason: string }>;
}

/** Paths that answer even while the service stops or is overloaded. */
export const probePaths = ['/healthz', '/readyz'];

/** The path of the metrics, which itself counts calls without a valid key. */
export const METRICS_PATH = '/metrics';

/** Errors: `unauthenticated`, `invalid_credential`. */
async function assertAdministrator(
  { db, administrators }: Environment,
  key: string | string[] | undefined,
): Promise<void> {
  if (typeof key !== 'string')
    throw failCredential(
      'admin',
      'unauthenticated',
      'Send an administrator key in X-Admin-Key, or read metrics from METRICS_PORT.',
    );
  await authenticateAdministrator(db, key, administrators);
}

/** Milliseconds for which a load balancer gets the same answer. */
const READY_MS = 1_000;

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

  // Anyone may ask without a limit.
  const isReady = shareFor(READY_MS, () => probes.ready());
  http.get('/readyz', async (_request, reply) => {
    const answer = isStopping()
      ? { ready: false as const, reason: 'The service is stopping.' }
      : await isReady();
    if (!answer.ready) throw fail('unavailable', answer.reason);
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });

  http.get(METRICS_PATH, async (request, reply) => {
    try {
      await assertAdministrator(env, request.headers['x-admin-key']);
    } catch (error) {
      // A guessed key costs as much as an anonymous read.
      if (error instanceof StoaError) await takeAddressToken(env, request, reply);
      throw error;
    }
    // `stoa_work_in_hand` does not count the call that asks for it.
    getWork(request.raw)?.end();
    return reply
      .header('cache-control', 'private, no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}
