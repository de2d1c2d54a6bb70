import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../kernel/tracing.ts';

/** Which requests are traced, and how. */
interface TracedRequests {
  /** Paths that are not traced. */
  readonly exempt: readonly string[];
  /** Whether a caller's own trace is continued. */
  readonly trustsCaller: boolean;
}

/**
 * Records a trace of every request that is not exempt. The caller's own trace is continued only
 * where a proxy is trusted: anybody else could have every request recorded.
 */
export function addTraces(
  http: FastifyInstance,
  tracing: Tracing,
  { exempt, trustsCaller }: TracedRequests,
): void {
  http.addHook('onRequest', (request, _reply, next) => {
    if (exempt.includes(request.url)) return next();
    const given = trustsCaller ? request.headers.traceparent : undefined;
    const parent = typeof given === 'string' ? given : undefined;
    request.trace = tracing.begin(request.method, parent);
    request.trace.run(next);
  });
  http.addHook('onResponse', async (request, reply) => {
    const { url, config } = request.routeOptions;
    request.trace?.end({
      route: url ?? null,
      operation: config.operation?.name ?? request.operation ?? url ?? 'unknown',
      requestId: request.id,
      status: reply.statusCode,
      agentId: request.agentId,
    });
  });
}
