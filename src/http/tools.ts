import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { capabilityDisabled } from '../kernel/callers.ts';
import type { Environment } from '../kernel/environment.ts';
import { fail, invalid, StoaError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { ToolProtocol } from '../kernel/tool-protocol.ts';
import { assertLongByOneString } from './long-json.ts';
import { toStoaError } from './problems.ts';
import { toCall, whenGone } from './routes.ts';

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
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : '';
  if (!isIP(name) && name !== 'localhost' && name !== new URL(baseUrl).hostname)
    throw fail(
      'forbidden',
      `This service does not answer by the name ${JSON.stringify(host)}. Call ${baseUrl}${toolsPath}, or set BASE_URL to the name that it has.`,
    );
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (from?.host !== host && from?.origin !== new URL(baseUrl).origin)
    throw fail('forbidden', 'Tools are not called from pages of other sites. Call them from a program, which sends no Origin.');
}

const BEARER = /^Bearer +(\S+) *$/i;

/** The key of an agent, wherever the client can put it. */
const apiKeyOf = ({ headers }: FastifyRequest, own: string | undefined): string | undefined => own ?? BEARER.exec(headers.authorization ?? '')?.[1];

/** Headers that belong to the protocol. */
const isOfProtocol = (name: string): boolean => name.startsWith('mcp-') || name === 'accept' || name === 'content-type';

const headersOf = (request: FastifyRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' && isOfProtocol(name) ? [[name, value]] : [])));

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'private, no-store');
  const type = response.headers.get('content-type');
  if (type) reply.type(type);
  if (!type?.startsWith('text/event-stream')) return reply.send(await response.text());
  reply.header('x-accel-buffering', 'no');
  return reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : '');
}

/** What the protocol answers to what is no JSON. */
const noJson = (error: unknown): Response => {
  const message = error instanceof StoaError ? error.message.replace(/^\/body: /, '') : 'the message is not valid JSON';
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message } }, { status: 400 });
};

/** Registers the address of the tool protocol; with the protocol switched off, its refusal. */
export function addTools(http: FastifyInstance, tools: ToolProtocol, env: Environment, log: Logger): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(/^application\/json\s*(;|$)/i, { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, body, done) => done(null, body));
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
        const response = await tools({
          credentials: { ...credentials, apiKey: apiKeyOf(request, credentials.apiKey) },
          address,
          ...(onRate && { onRate }),
          ...(onCaller && { onCaller }),
          headers: headersOf(request),
          message,
          bytes: body.length,
          requestId: request.id,
          signal: () => (signal ??= whenGone(reply)),
          toError: (thrown) => toStoaError(thrown, BODY_BYTES, (cause) => log.error({ requestId: request.id, err: cause }, 'request failed')),
          onOperation: (name) => {
            request.operation = name;
          },
        });
        return send(reply, response);
      },
    });
  });
}
