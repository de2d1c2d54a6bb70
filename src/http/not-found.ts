import type { FastifyInstance } from 'fastify';
import { fail } from '../kernel/errors.ts';
import type { Installation } from '../kernel/installation.ts';
import { setCorsHeaders } from './response-headers.ts';

/** A path that some route answers at. */
export interface KnownPath {
  readonly method: string;
  readonly path: string;
  /** Whether pages of any origin may read the answers. */
  readonly open: boolean;
  readonly greedyPath?: true | undefined;
}

const escapePattern = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

function toPattern({ path, greedyPath }: KnownPath): RegExp {
  const escaped = escapePattern(path);
  const pattern = greedyPath ? escaped.replace(/\{\w+\}$/, '.+') : escaped;
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/**
 * Answers requests that no route takes: OPTIONS on a known path, and errors for the rest.
 * Errors: `method_not_allowed` (with Allow) on a known path, else `not_found`.
 */
export function addNotFound(
  http: FastifyInstance,
  installation: Installation,
  knownPaths: readonly KnownPath[],
): void {
  const patterns = knownPaths.map((one) => ({ ...one, pattern: toPattern(one) }));
  http.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const here = patterns.filter(({ pattern }) => pattern.test(path));
    if (here.length === 0)
      throw fail(
        'not_found',
        'There is nothing at this address. /openapi.json lists all addresses.',
      );
    const methods = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    reply.header('allow', [...new Set([...methods, 'OPTIONS'])].join(', '));
    if (request.method !== 'OPTIONS')
      throw fail(
        'method_not_allowed',
        `This address takes other methods. Use one of ${methods.join(', ')}.`,
      );
    const wanted = request.headers['access-control-request-method'] ?? 'GET';
    if (installation.cors && ['GET', 'HEAD'].includes(wanted) && here.some(({ open }) => open)) {
      setCorsHeaders(reply, installation);
      reply.header('access-control-allow-headers', 'If-None-Match, If-Range, Range, X-Request-Id');
      reply.header('access-control-allow-methods', 'GET, HEAD');
      reply.header('access-control-max-age', 86_400);
    }
    return reply.code(204).send();
  });
}
