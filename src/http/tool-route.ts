import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { capabilityDisabled } from '../kernel/callers/callers.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { fail, invalid, StoaError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/schema/json.ts';
import type { ToolAnswer, ToolProtocol } from '../kernel/pipeline/tool-protocol.ts';
import { parseUrl } from '../kernel/schema/url.ts';
import { assertLongByOneString } from './long-json.ts';
import { toStoaError } from './problems.ts';
import { toCall, whenGone } from './operation-routes.ts';

export const toolsPath = '/mcp';

/** Any file fits in, as base64. */
const BODY_BYTES = 16 * 1024 * 1024;
/** That of a body, and the two objects around the arguments. */
const DEPTH = 34;

const PARSE_ERROR = -32700;

/**
 * Refuses what a page of another site sends, also one whose name was made to lead here (DNS rebinding): a browser tells the name that it
 * believes to speak to. An address is no name that could lead elsewhere. Errors: `forbidden`.
 */
function assertNoStranger({ headers }: FastifyRequest, baseUrl: string): void {
  const { host = '', origin } = headers;
  const name = parseUrl(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (!isIP(name) && name !== 'localhost' && name !== new URL(baseUrl).hostname)
    throw fail(
      'forbidden',
      `This service does not answer by the name ${JSON.stringify(host)}. Call ${baseUrl}${toolsPath}, or set BASE_URL to the name that it has.`,
    );
  if (origin === undefined) return;
  const from = parseUrl(origin);
  if (from?.host !== host && from?.origin !== new URL(baseUrl).origin)
    throw fail(
      'forbidden',
      'Tools are not called from pages of other sites. Call them from a program, which sends no Origin.',
    );
}

const BEARER = /^Bearer +(\S+) *$/i;

/** The key of an agent, wherever the client can put it. */
const apiKeyOf = ({ headers }: FastifyRequest, own: string | undefined): string | undefined =>
  own ?? BEARER.exec(headers.authorization ?? '')?.[1];

/** Headers that belong to the protocol. */
const isOfProtocol = (name: string): boolean =>
  name.startsWith('mcp-') || name === 'accept' || name === 'content-type';

const headersOf = (request: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && isOfProtocol(name) ? [[name, value]] : [],
    ),
  );

function send(reply: FastifyReply, { status, mediaType, body }: ToolAnswer): FastifyReply {
  reply.code(status).header('cache-control', 'private, no-store');
  if (mediaType !== null) reply.type(mediaType);
  if (typeof body === 'string') return reply.send(body);
  return reply.header('x-accel-buffering', 'no').send(Readable.fromWeb(body));
}

/** What the protocol answers to what is no JSON. */
const noJson = (error: unknown): ToolAnswer => {
  const message =
    error instanceof StoaError
      ? error.message.replace(/^\/body: /, '')
      : 'the message is not valid JSON';
  return {
    status: 400,
    mediaType: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message } }),
  };
};

/** Registers the address of the tool protocol; with the protocol switched off, its refusal. */
export function addTools(
  http: FastifyInstance,
  tools: ToolProtocol,
  env: Environment,
  log: Logger,
): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      /^application\/json\s*(;|$)/i,
      { parseAs: 'buffer', bodyLimit: BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post(toolsPath, {
      bodyLimit: BODY_BYTES,
      onRequest: async (request) => {
        if (!env.installation.features.mcp) throw capabilityDisabled('mcp');
        assertNoStranger(request, env.installation.baseUrl);
      },
      handler: async (request, reply) => {
        const body = (request.body ?? Buffer.alloc(0)) as Buffer;
        assertLongByOneString(body, env.installation.limits.jsonBodyBytes);
        let message: unknown;
        try {
          message = parseJson(body, DEPTH);
          if (message === undefined) throw invalid('/body', 'the message is missing');
        } catch (error) {
          return send(reply, noJson(error));
        }
        const { credentials, address, onRate, onCaller } = toCall(request, reply);
        let signal: AbortSignal | undefined;
        const answer = await tools({
          credentials: { ...credentials, apiKey: apiKeyOf(request, credentials.apiKey) },
          address,
          ...(onRate && { onRate }),
          ...(onCaller && { onCaller }),
          headers: headersOf(request),
          message,
          bytes: body.length,
          requestId: request.id,
          signal: () => (signal ??= whenGone(reply)),
          toError: (thrown) =>
            toStoaError(thrown, BODY_BYTES, (cause) =>
              log.error({ requestId: request.id, err: cause }, 'request failed'),
            ),
          onOperation: (name) => {
            request.operation = name;
          },
        });
        return send(reply, answer);
      },
    });
  });
}
