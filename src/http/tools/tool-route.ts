import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { anonymousCaller, identifyCaller } from '../../kernel/callers/callers.ts';
import { toIso } from '../../kernel/clock.ts';
import { fail, failField, StoaError } from '../../kernel/errors.ts';
import type { Call, Environment } from '../../kernel/pipeline/environment.ts';
import type { ToolAnswer, ToolProtocol } from '../../kernel/pipeline/tool-protocol.ts';
import { parseJson } from '../../kernel/schema/json.ts';
import { parseUrl } from '../../kernel/schema/url.ts';
import { failCapabilityDisabled } from '../../kernel/scopes.ts';
import { admitMessage, countRefusal, takeAddressToken } from '../admission/admission.ts';
import { assertOwnHost } from '../admission/host-check.ts';
import { createRefusedMessages } from '../admission/refused-messages.ts';
import { readBody } from '../admission/request-body.ts';
import { chargeAnswer } from '../charge-answer.ts';
import { holdAnswer, isCallerGone } from '../hold-answer.ts';
import { takeLongString } from '../long-json.ts';
import { toCall } from '../operation-routes.ts';
import { toStoaError } from '../problems.ts';
import { buildChallenge } from './sign-in-route.ts';
import { readOffer, SIGN_IN_TOOLS_PATH } from './tool-offer.ts';

/** Bytes of a message: enough for the largest file as base64. */
const BODY_BYTES = 16 * 1024 * 1024;
/** How many bytes of an answer a byte of a message costs, besides a file. */
const MESSAGE_WEIGHT = 4;
/** The depth of a request body, and the two objects around the arguments. */
const MAX_DEPTH = 34;

const PARSE_ERROR = -32700;

/**
 * Asserts that no page of another site sent a message, not even a site whose name was made to
 * resolve to this machine. Errors: `forbidden`.
 */
function assertTrustedSource({ headers }: FastifyRequest, baseUrl: string): void {
  const { host = '', origin } = headers;
  if (origin === undefined) return;
  const from = parseUrl(origin);
  if (from?.host !== host && from?.origin !== new URL(baseUrl).origin)
    throw fail(
      'forbidden',
      'Pages of other sites may not call tools. Call them from a program, which sends no Origin.',
    );
}

const BEARER = /^Bearer +(\S+) *$/i;

/** Returns the agent's key from X-API-Key, or from Authorization where a client sets only that. */
const findApiKey = (
  { headers }: FastifyRequest,
  headerKey: string | undefined,
): string | undefined => headerKey ?? BEARER.exec(headers.authorization ?? '')?.[1];

/** Whether a header belongs to the protocol. */
const isProtocolHeader = (name: string): boolean =>
  name.startsWith('mcp-') || name === 'accept' || name === 'content-type';

const getProtocolHeaders = (request: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && isProtocolHeader(name) ? [[name, value]] : [],
    ),
  );

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  env: Environment,
  answer: ToolAnswer,
): FastifyReply {
  const { status, mediaType, body } = answer;
  if (isCallerGone(request)) {
    if (typeof body !== 'string') void body.cancel().catch(() => {});
    return reply.hijack();
  }
  if (typeof body === 'string') holdAnswer(request, env, Buffer.byteLength(body));
  reply.code(status).header('cache-control', 'private, no-store');
  if (mediaType !== null) reply.type(mediaType);
  if (typeof body === 'string') return reply.send(body);
  return reply.header('x-accel-buffering', 'no').send(Readable.fromWeb(body));
}

/** Returns the protocol's answer to a message that is not JSON (JSON-RPC 2.0, section 5.1). */
const toParseError = (error: unknown): ToolAnswer => {
  const message =
    error instanceof StoaError
      ? error.message.replace(/^\/body: /, '')
      : 'the message is not valid JSON. Check its quotes, commas and braces';
  return {
    status: 400,
    mediaType: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message } }),
  };
};

/**
 * Asserts that a client of the address for signing in has a valid token; a challenge tells it how
 * to get one. A blocked agent learns from its tools that it is blocked.
 * Errors: `unauthenticated`, `invalid_credential`, `rate_limited`.
 */
async function assertSignedIn(
  env: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  { credentials: { apiKey }, onCaller }: Call,
): Promise<void> {
  try {
    await identifyCaller(
      env.db,
      { apiKey },
      { name: 'mcp', auth: 'agent' },
      null,
      toIso(env.clock()),
      env.administrators,
    );
  } catch (error) {
    if (!(error instanceof StoaError) || error.status !== 401) {
      if (error instanceof StoaError) return;
      throw error;
    }
    const challenge = buildChallenge(env.installation.baseUrl, apiKey !== undefined);
    reply.header('www-authenticate', challenge);
    onCaller?.(anonymousCaller);
    await takeAddressToken(env, request, reply);
    throw error;
  }
}

/**
 * Registers the addresses of the tool protocol. Errors of the routes: `capability_disabled` where
 * the protocol is switched off, `forbidden`.
 */
export function addToolRoute(
  http: FastifyInstance,
  tools: ToolProtocol,
  env: Environment,
  log: Logger,
  toolPaths: readonly string[],
): void {
  const toMessageCall = (request: FastifyRequest, reply: FastifyReply): Call => {
    const call = toCall(request, reply, env);
    const apiKey = findApiKey(request, call.credentials.apiKey);
    return { ...call, credentials: { ...call.credentials, apiKey } };
  };
  const mayExplain = createRefusedMessages(env.clock);
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      /^application\/json\s*(;|$)/i,
      async (request: FastifyRequest, payload: IncomingMessage) => readBody(request, payload, env),
    );
    for (const url of toolPaths)
      scope.post(url, {
        bodyLimit: BODY_BYTES,
        onRequest: async (request, reply) => {
          await countRefusal(env, request, reply, () => {
            if (!env.installation.features.mcp) throw failCapabilityDisabled('mcp');
            assertOwnHost(request, env.installation.baseUrl);
            assertTrustedSource(request, env.installation.baseUrl);
            readOffer(request);
          });
          if (url === SIGN_IN_TOOLS_PATH)
            await assertSignedIn(env, request, reply, toMessageCall(request, reply));
          await admitMessage(env, request, toMessageCall(request, reply), BODY_BYTES, mayExplain);
        },
        handler: async (request, reply) => {
          const body = (request.body ?? Buffer.alloc(0)) as Buffer;
          const { rest, longString } = await takeLongString(
            body,
            env.installation.limits.jsonBodyBytes,
            env.random,
          );
          // Reading a message costs more than sending as many bytes.
          request.computedBytes += rest.length * MESSAGE_WEIGHT;
          chargeAnswer(request, env, request.computedBytes);
          let message: unknown;
          try {
            message = parseJson(rest, MAX_DEPTH);
            if (message === undefined)
              throw failField(
                '/body',
                'the message is missing. Send a JSON-RPC message as the body',
              );
          } catch (error) {
            return sendAnswer(request, reply, env, toParseError(error));
          }
          const call = toMessageCall(request, reply);
          const answer = await tools({
            ...call,
            refusal: request.refusal,
            offer: readOffer(request),
            holdAnswer: (bytes) => holdAnswer(request, env, bytes),
            headers: getProtocolHeaders(request),
            message,
            longString,
            bytes: body.length,
            requestId: request.id,
            toError: (thrown) =>
              toStoaError(thrown, BODY_BYTES, (cause) =>
                log.error({ requestId: request.id, err: cause }, 'request failed'),
              ),
            onOperation: (name) => {
              request.operation = name;
            },
          });
          return sendAnswer(request, reply, env, answer);
        },
      });
  });
}
