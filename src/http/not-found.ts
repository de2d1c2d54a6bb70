import type { FastifyInstance } from 'fastify';
import { fail } from '../kernel/errors.ts';
import { corsHeaders } from './response-headers.ts';

export interface KnownPath {
  readonly method: string;
  readonly path: string;
  /** Whether pages of any origin may read it. */
  readonly open: boolean;
  readonly restOfPath?: true | undefined;
}

const literal = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

const toPattern = ({ path, restOfPath }: KnownPath): RegExp =>
  new RegExp(
    `^${(restOfPath ? literal(path).replace(/\{\w+\}$/, '.+') : literal(path)).replace(/\{\w+\}/g, '[^/]+')}$`,
  );

/** Answers what no route takes: OPTIONS on a known path, another method on one (405 with Allow), or nothing at all (404). */
export function addNotFound(http: FastifyInstance, known: readonly KnownPath[]): void {
  const patterns = known.map((one) => ({ ...one, pattern: toPattern(one) }));
  http.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const here = patterns.filter(({ pattern }) => pattern.test(path));
    if (here.length === 0)
      throw fail(
        'not_found',
        'There is nothing at this address. See /openapi.json for what there is.',
      );
    const methods = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    reply.header('allow', [...new Set([...methods, 'OPTIONS'])].join(', '));
    if (request.method !== 'OPTIONS')
      throw fail('method_not_allowed', `This address takes ${methods.join(', ')}.`);
    const wanted = request.headers['access-control-request-method'] ?? 'GET';
    if (['GET', 'HEAD'].includes(wanted) && here.some(({ open }) => open)) {
      corsHeaders(reply);
      reply.header('access-control-allow-headers', 'If-None-Match, If-Range, Range, X-Request-Id');
      reply.header('access-control-allow-methods', 'GET, HEAD');
      reply.header('access-control-max-age', 86_400);
    }
    return reply.code(204).send();
  });
}
