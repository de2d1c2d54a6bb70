import type { FastifyInstance } from 'fastify';
import { listAddressSubjects } from '../kernel/limits/rate-limit-subjects.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { toCallerAddress } from './caller-address.ts';
import { chargeAnswer } from './charge-answer.ts';
import { computeEtag, matchesEtag, sendUnchanged } from './etags.ts';
import { holdAnswer } from './hold-answer.ts';
import { OPENAPI_PATH } from './openapi.ts';
import { setCorsHeaders } from './response-headers.ts';

/** Registers the OpenAPI document and returns the paths that it answers at. */
export function addOpenApiDocument(
  http: FastifyInstance,
  env: Pick<Environment, 'openApi' | 'installation' | 'load' | 'refusedAnswers' | 'rateLimiter'>,
): string[] {
  const { openApi, installation } = env;
  let bytes: Buffer | undefined;
  let etag = '';
  http.get(OPENAPI_PATH, async (request, reply) => {
    if (bytes === undefined) {
      bytes = Buffer.from(JSON.stringify(openApi()));
      etag = computeEtag(bytes);
    }
    const isKnown = matchesEtag(request.headers['if-none-match'], etag);
    if (!isKnown) holdAnswer(request, env, bytes.length);
    setCorsHeaders(reply, installation);
    reply.header('cache-control', 'public, no-cache').header('etag', etag);
    // Its address pays for it as for the answer of a read, whether it has it or not.
    request.readers ??= listAddressSubjects(toCallerAddress(request.ip));
    chargeAnswer(request, env, bytes.length);
    if (isKnown) return sendUnchanged(reply);
    request.isBodyKept = true;
    return reply.type('application/json; charset=utf-8').send(bytes);
  });
  return [OPENAPI_PATH];
}
