import type { FastifyInstance } from 'fastify';
import type { ApiDocument } from '../kernel/operation/api-document.ts';
import { corsHeaders, matchesEtag, sendUnchanged, strongEtag } from './response-headers.ts';
import { openApiPath } from './openapi.ts';

/** The document that is made from the operations themselves. Returns its path. */
export function addDocuments(http: FastifyInstance, openApi: () => ApiDocument): string[] {
  let text: string | undefined;
  let etag = '';
  http.get(openApiPath, async (request, reply) => {
    if (text === undefined) {
      text = JSON.stringify(openApi());
      etag = strongEtag(text);
    }
    corsHeaders(reply);
    reply.header('cache-control', 'public, no-cache').header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) return sendUnchanged(reply);
    return reply.type('application/json; charset=utf-8').send(text);
  });
  return [openApiPath];
}
