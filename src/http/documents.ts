import type { FastifyInstance } from 'fastify';
import type { Installation } from '../kernel/installation.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { corsHeaders, matchesEtag, sendUnchanged, strongEtag } from './headers.ts';
import { openApiDocument, openApiPath } from './openapi.ts';

/** Documents that are made from the operations themselves. Returns their paths. */
export function addDocuments(http: FastifyInstance, installation: Installation, operations: readonly AnyOperation[]): string[] {
  let text: string | undefined;
  let etag = '';
  http.get(openApiPath, async (request, reply) => {
    if (text === undefined) {
      text = JSON.stringify(openApiDocument(installation, operations));
      etag = strongEtag(text);
    }
    corsHeaders(reply);
    reply.header('cache-control', 'public, no-cache').header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) return sendUnchanged(reply);
    return reply.type('application/json; charset=utf-8').send(text);
  });
  return [openApiPath];
}
