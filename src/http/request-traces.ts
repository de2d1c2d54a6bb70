import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../kernel/tracing.ts';
import { probePaths } from './probes.ts';

/**
 * Records a trace of every request but the probes. The caller's own trace is continued only where a
 * proxy is trusted: anybody else could have every request recorded.
 */
export function addTraces(http: FastifyInstance, tracing: Tracing, trustsCaller: boolean): void {
  http.addHook('onRequest', (request, _reply, next) => {
    if (probePaths.includes(request.url)) return next();
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
