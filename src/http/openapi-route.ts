import type { FastifyInstance } from 'fastify';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { computeEtag, matchesEtag, sendUnchanged } from './etags.ts';
import { holdAnswer } from './hold-answer.ts';
import { OPENAPI_PATH } from './openapi.ts';
import { setCorsHeaders } from './response-headers.ts';

/** Registers the OpenAPI document and returns the paths that it answers at. */
export function addOpenApiDocument(
  http: FastifyInstance,
  env: Pick<Environment, 'openApi' | 'installation' | 'load' | 'refusedAnswers'>,
): string[] {
  const { openApi, installation } = env;
  let text: string | undefined;
  let etag = '';
  http.get(OPENAPI_PATH, async (request, reply) => {
    if (text === undefined) {
      text = JSON.stringify(openApi());
      etag = computeEtag(text);
    }
    if (!matchesEtag(request.headers['if-none-match'], etag)) holdAnswer(request, env, text.length);
    setCorsHeaders(reply, installation);
    reply.header('cache-control', 'public, no-cache').header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) return sendUnchanged(reply);
    request.isBodyKept = true;
    return reply.type('application/json; charset=utf-8').send(text);
  });
  return [OPENAPI_PATH];
}
