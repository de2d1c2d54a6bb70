import { createServer, type IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { fail } from '../kernel/errors.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import { assertReferences, createRestWording } from '../kernel/operation/operation-references.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import type { SignInProtocol } from '../kernel/pipeline/protocols/sign-in-protocol.ts';
import type { ToolProtocol } from '../kernel/pipeline/tool-protocol.ts';
import { parseBody } from '../kernel/schema/json.ts';
import { assertDecodableQuery } from '../kernel/schema/percent-encoding.ts';
import type { Tracing } from '../kernel/tracing.ts';
import { addTraces } from '../traces/request-traces.ts';
import { countRefusal, takeAddressToken } from './admission/admission.ts';
import { assertOneHost, assertOwnHost, toOriginForm } from './admission/host-check.ts';
import { COLLECTED_HEADERS, refuseManyHeaders } from './admission/many-headers.ts';
import { answerInTurn } from './admission/pipelines.ts';
import {
  getWork,
  type OverloadOptions,
  refuseOverload,
  takeOverWork,
} from './admission/refuse-overload.ts';
import { drainRequest } from './admission/refused-body.ts';
import { readBody } from './admission/request-body.ts';
import { boundChunks } from './admission/small-chunks.ts';
import { breakStalledConnections } from './admission/stalled-connections.ts';
import { findCallerAddress, toCallerAddress } from './caller-address.ts';
import { addCharges } from './charge-answer.ts';
import { answerMalformedRequest } from './client-errors.ts';
import { addCompression } from './compression.ts';
import { addContent } from './content-route.ts';
import { findSession } from './cookies/session-cookie.ts';
import { addForm } from './form-route.ts';
import type { Metrics } from './metrics/prometheus-metrics.ts';
import { addNotFound } from './not-found.ts';
import { addOpenApiDocument } from './openapi-route.ts';
import { addOperation, addStream, listPaths } from './operation-routes.ts';
import { addProbes, METRICS_PATH, type Probes, probePaths } from './probes.ts';
import { sendProblem, toStoaError } from './problems.ts';
import { watchEnd, watchHandlers } from './request-end.ts';
import { decorateRequests, setInitialState } from './request-state.ts';
import { allowsCors, carriesCredential, setCorsHeaders } from './response-headers.ts';
import { createLogSample } from './sample-log.ts';
import { addSignInRoutes, signInPaths } from './tools/sign-in-route.ts';
import { listToolPaths } from './tools/tool-offer.ts';
import { addToolRoute } from './tools/tool-route.ts';
import { addUpload } from './uploads/upload-route.ts';

/** What the HTTP edge needs. */
export interface HttpOptions {
  readonly env: Environment;
  readonly execute: Execute;
  readonly operations: readonly AnyOperation[];
  readonly tools?: ToolProtocol;
  /** Null where signing in is switched off. */
  readonly signIn?: SignInProtocol | null;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly probes: Probes;
  /**
   * Whether only names of this machine and of BASE_URL are accepted in Host. They are where the
   * service listens on loopback or derives its address: there nothing else can be meant.
   */
  readonly checkHost: boolean;
  /** The number of proxies in front whose X-Forwarded-For is trusted; 0 for none. */
  readonly trustProxy: number;
  /** The number of requests of one connection that may be without an answer. */
  readonly maxUnanswered: number;
  readonly isStopping: () => boolean;
  readonly tracing?: Tracing | undefined;
}

/** Browsers use TLS alone for a year (RFC 6797, 6.1.1). */
const STRICT_TRANSPORT = 'max-age=31536000';
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Milliseconds that the head of a request may take. */
const HEAD_MS = 15_000;
/** Milliseconds between two searches for connections that take too long. */
const CHECK_MS = 5_000;
/** Bytes a second at which the largest file still arrives before the request times out. */
const SLOWEST_UPLOAD = 128 * 1024;

/**
 * Creates the HTTP edge. It converts requests to calls of operations and errors to problems, and
 * decides nothing itself. Errors: throws when a text of an operation refers to an unknown one.
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { env, execute, operations, log, metrics } = options;
  const { service, limits } = env.installation;
  const signIn = options.signIn ?? null;
  const toolPaths = options.tools ? listToolPaths(signIn !== null) : [];
  const countingPaths = [...toolPaths, METRICS_PATH];
  assertReferences(operations);
  const wording = createRestWording(operations);
  const sampleRefusal = createLogSample(env.clock);
  const sampleProbe = createLogSample(env.clock);

  const addCommonHeaders = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('cross-origin-resource-policy', 'same-origin');
    // The base URL of a service without the setting is never https.
    if (env.installation.baseUrl.startsWith('https:'))
      reply.header('strict-transport-security', STRICT_TRANSPORT);
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  };
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const known = toStoaError(
      error,
      request.routeOptions?.bodyLimit ?? limits.jsonBodyBytes,
      (cause) => log.error({ requestId: request.id, err: cause }, 'request failed'),
    );
    return sendProblem(reply, request, known, env, wording);
  };

  const overload: OverloadOptions = {
    work: env.work,
    newId: env.newId,
    baseUrl: () => env.installation.baseUrl,
    trustProxy: options.trustProxy,
    exempt: probePaths,
    onRefusal: () => metrics.observe('overload', 503, 0),
  };
  const refuseMalformed = answerMalformedRequest(() => env.installation.baseUrl, env.newId);
  const http = Fastify({
    logger: false,
    rewriteUrl: ({ url = '/' }) => toOriginForm(url),
    bodyLimit: limits.jsonBodyBytes,
    trustProxy: (_address, hop) => hop < options.trustProxy,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : env.newId();
    },
    routerOptions: { maxParamLength: 512 },
    // A malformed address has no route, and so neither hooks nor a handler of errors.
    frameworkErrors: (error, request, reply) => {
      setInitialState(request, findCallerAddress(request.raw, options.trustProxy));
      watchEnd(request, reply);
      request.noteHandled();
      addCommonHeaders(request, reply);
      drainRequest(request);
      takeAddressToken(env, request, reply)
        .then(() => error)
        .catch((refusal: unknown) => refusal)
        .then((answer) => sendError(answer, request, reply))
        .catch((cause: unknown) => {
          log.error({ requestId: request.id, err: cause }, 'request failed');
          reply.raw.destroy();
        });
    },
    clientErrorHandler: refuseMalformed,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (listener) =>
      createServer(
        {
          connectionsCheckingInterval: CHECK_MS,
          headersTimeout: HEAD_MS,
          requestTimeout: HEAD_MS + Math.ceil(limits.fileBytes / SLOWEST_UPLOAD) * 1000,
          keepAliveTimeout: 65_000,
          // Node would answer itself, past all limits. `assertOneHost` refuses these.
          requireHostHeader: false,
        },
        refuseManyHeaders(
          boundChunks(answerInTurn(refuseOverload(listener, overload), options.maxUnanswered)),
          refuseMalformed,
        ),
      ),
  });
  breakStalledConnections(http.server);
  // `refuseManyHeaders` refuses what has more: Node would leave out what proxies say of callers.
  http.server.maxHeadersCount = COLLECTED_HEADERS;
  // Node would answer 417 itself, without the headers that every answer has.
  http.server.on('checkExpectation', (request, response) =>
    http.server.emit('request', request, response),
  );
  // Node would invite every body at once. `readBody` does it when the call is admitted.
  http.server.on('checkContinue', (request, response) =>
    http.server.emit('request', request, response),
  );

  decorateRequests(http);
  watchHandlers(http);
  if (options.tracing)
    addTraces(http, options.tracing, {
      exempt: [...probePaths, METRICS_PATH],
      trustsCaller: options.trustProxy > 0,
    });
  http.removeAllContentTypeParsers();
  http.addContentTypeParser(
    /^application\/json\s*(;|$)/i,
    async (request: FastifyRequest, payload: IncomingMessage) =>
      parseBody(await readBody(request, payload, env)),
  );

  http.addHook('onRequest', async (request, reply) => {
    watchEnd(request, reply);
    addCommonHeaders(request, reply);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const probe = isRead && probePaths.includes(request.url);
    if (options.isStopping() && !probe) {
      reply.header('connection', 'close');
      throw fail(
        'unavailable',
        'The service is stopping. Repeat the same request in a few seconds.',
      );
    }
    if (probe) return assertOneHost(request);
    // Its answer may never be sent, or never end.
    request.whenOver(takeOverWork(request.raw));
    request.whenOver(
      env.load.take('requests', { agentId: null, address: toCallerAddress(request.ip) }),
    );
    if (request.headers.expect === '100-continue')
      request.inviteBody = () => reply.raw.writeContinue();
    await countRefusal(env, request, reply, () => {
      assertOneHost(request);
      if (options.checkHost) assertOwnHost(request, env.installation.baseUrl);
      assertDecodableQuery(request.url);
    });
    const { operation } = request.routeOptions.config;
    // A known route counts its own calls.
    if (!operation && !countingPaths.includes(request.routeOptions.url ?? ''))
      await takeAddressToken(env, request, reply);
    request.session = await findSession(request, env);
  });
  // Whatever is answered before its body was read, even a GET that brings one.
  http.addHook('onSend', (request, reply, payload, done) => {
    // Fastify would break the connection of a body that a parser refused, and its sender, who still
    // writes, would never see the answer.
    if (drainRequest(request) && !options.isStopping()) reply.removeHeader('connection');
    getWork(request.raw)?.end();
    done(null, payload);
  });
  addCharges(http, env);
  addCompression(http, operations);
  http.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    const name = operation?.name ?? request.operation ?? request.routeOptions.url ?? 'unknown';
    metrics.observe(name, reply.statusCode, reply.elapsedTime / 1000);
    const isRefusal = reply.statusCode === 429 || reply.statusCode === 503;
    // Neither is limited, so whoever sends many could fill the disk.
    const isProbe = probePaths.includes(request.routeOptions.url ?? '');
    const skipped = isProbe ? sampleProbe() : isRefusal ? sampleRefusal() : 0;
    if (skipped === null) return;
    const level = reply.statusCode >= 500 ? 'error' : 'info';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    log[level](
      {
        requestId: request.id,
        method: request.method,
        operation: name,
        status: reply.statusCode,
        ms,
        agentId: request.agentId,
        ...(request.trace?.id && { traceId: request.trace.id }),
        ...(skipped > 0 && { skipped }),
      },
      'request',
    );
  });
  http.setErrorHandler((error, request, reply) => {
    const { operation } = request.routeOptions.config;
    // A page that may read an answer may also read its error.
    if (operation && allowsCors(operation) && !carriesCredential(request) && !request.session)
      setCorsHeaders(reply, env.installation);
    return sendError(error, request, reply);
  });

  for (const operation of operations) {
    if (operation.kind === 'stream') addStream(http, operation, env, execute);
    else if (operation.kind === 'content') addContent(http, operation, env, log, execute);
    else if (operation.kind === 'form') addForm(http, operation, env, execute);
    else if (operation.mayUpload) addUpload(http, operation, env, execute);
    else addOperation(http, operation, env, execute);
  }
  if (options.tools) addToolRoute(http, options.tools, env, log, toolPaths);
  if (signIn) addSignInRoutes(http, signIn, env);
  const documents = addOpenApiDocument(http, env);
  addProbes(http, options.probes, metrics, env, options.isStopping);
  addNotFound(http, env.installation, [
    ...operations.flatMap((operation) =>
      listPaths(operation.path, service).map((path) => ({
        method: operation.method,
        path,
        open: allowsCors(operation),
        greedyPath: operation.greedyPath,
      })),
    ),
    ...toolPaths.map((path) => ({
      method: 'POST',
      path: path.replace(':set', '{set}'),
      open: false,
    })),
    ...(signIn ? signInPaths.map((one) => ({ ...one, open: false })) : []),
    ...documents.map((path) => ({ method: 'GET', path, open: true })),
    ...[...probePaths, METRICS_PATH].map((path) => ({ method: 'GET', path, open: false })),
  ]);
  return http;
}
