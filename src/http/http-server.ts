import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { fail } from '../kernel/errors.ts';
import { parseBody } from '../kernel/schema/json.ts';
import type { Session } from '../kernel/callers/sessions.ts';
import type { ToolProtocol } from '../kernel/pipeline/tool-protocol.ts';
import { answerNoRequest } from './client-errors.ts';
import { addContent } from './content-route.ts';
import { addDocuments } from './openapi-route.ts';
import { carriesCredential, corsHeaders, isOpenToPages } from './response-headers.ts';
import type { Metrics } from './prometheus-metrics.ts';
import { addNotFound } from './not-found.ts';
import { addForm } from './form-route.ts';
import { addProbes, type Probes, probePaths } from './probes.ts';
import { sendProblem, toStoaError } from './problems.ts';
import { addOperation, addStream, pathsOf } from './operation-routes.ts';
import { sessionOf } from './sessions.ts';
import { addTools, toolsPath } from './tool-route.ts';
import { addUpload } from './upload-route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    agentId: string | null;
    /** Name of the operation that a message at an address of many calls. */
    operation: string | null;
    /** Of a person who reads pages. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    operation?: AnyOperation;
  }
}

export interface HttpOptions {
  readonly env: Environment;
  readonly execute: Execute;
  readonly operations: readonly AnyOperation[];
  readonly tools?: ToolProtocol;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly probes: Probes;
  /** How many proxies in front are believed about the caller's address; 0: none. */
  readonly trustProxy: number;
  readonly isStopping: () => boolean;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Requests that wait for a connection to the database; beyond it an honest "later" is better than a queue. */
const MAX_WAITING = 2_000;
/** For so long the head of a request may take; a largest file at this rate, in bytes a second, arrives in time as well. */
const HEAD_MS = 30_000;
const SLOWEST_UPLOAD = 128 * 1024;

/** The HTTP edge: it turns requests into calls of operations and errors into problems, and decides nothing by itself. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { env, execute, operations, log, metrics } = options;
  const { service, limits } = env.installation;

  const everyHeader = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  };
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const known = toStoaError(
      error,
      request.routeOptions?.bodyLimit ?? limits.jsonBodyBytes,
      (cause) => log.error({ requestId: request.id, err: cause }, 'request failed'),
    );
    return sendProblem(reply, request, known, env);
  };

  const http = Fastify({
    logger: false,
    bodyLimit: limits.jsonBodyBytes,
    trustProxy: (_address, hop) => hop < options.trustProxy,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : env.newId();
    },
    routerOptions: { maxParamLength: 512 },
    // An address that cannot be read has no route, and so no hooks.
    frameworkErrors: (error, request, reply) => {
      everyHeader(request, reply);
      void refuse(error, request, reply);
    },
    clientErrorHandler: answerNoRequest(() => env.installation.baseUrl, env.newId),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: HEAD_MS + Math.ceil(limits.fileBytes / SLOWEST_UPLOAD) * 1000,
    keepAliveTimeout: 65_000,
  });
  http.server.headersTimeout = HEAD_MS;
  // Node would answer 417 by itself, without what every answer has.
  http.server.on('checkExpectation', (request, response) =>
    http.server.emit('request', request, response),
  );

  http.decorateRequest('agentId', null);
  http.decorateRequest('operation', null);
  http.decorateRequest('session', null);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser(
    /^application\/json\s*(;|$)/i,
    { parseAs: 'buffer' },
    (_request, body, done) => {
      try {
        done(null, parseBody(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );

  http.addHook('onRequest', async (request, reply) => {
    everyHeader(request, reply);
    const probe = probePaths.includes(request.url);
    if (options.isStopping() && !probe) {
      reply.header('connection', 'close');
      throw fail(
        'unavailable',
        'The service is stopping. Repeat the same request in a few seconds.',
      );
    }
    if (env.db.pool.waitingCount + env.share.waiting > MAX_WAITING && !probe)
      throw fail(
        'unavailable',
        'The service is overloaded. Repeat the same request in a few seconds.',
      );
    request.session = await sessionOf(request, env);
  });
  http.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    const name = operation?.name ?? request.operation ?? request.routeOptions.url ?? 'unknown';
    metrics.observe(name, reply.statusCode, reply.elapsedTime / 1000);
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
      },
      'request',
    );
  });
  http.setErrorHandler((error, request, reply) => {
    const { operation } = request.routeOptions.config;
    // A page that may read this may also read why it could not.
    if (operation && isOpenToPages(operation) && !carriesCredential(request) && !request.session)
      corsHeaders(reply);
    return refuse(error, request, reply);
  });

  for (const operation of operations) {
    if (operation.kind === 'stream') addStream(http, operation, env, execute);
    else if (operation.kind === 'content') addContent(http, operation, env, log);
    else if (operation.kind === 'form') addForm(http, operation, env, execute);
    else if (operation.mayUpload) addUpload(http, operation, env, execute);
    else addOperation(http, operation, env, execute);
  }
  if (options.tools) addTools(http, options.tools, env, log);
  const documents = addDocuments(http, env.openApi);
  addProbes(http, options.probes, metrics, env, options.isStopping);
  addNotFound(http, [
    ...operations.flatMap((operation) =>
      pathsOf(operation.path, service).map((path) => ({
        method: operation.method,
        path,
        open: isOpenToPages(operation),
        restOfPath: operation.restOfPath,
      })),
    ),
    ...(options.tools ? [{ method: 'POST', path: toolsPath, open: false }] : []),
    ...documents.map((path) => ({ method: 'GET', path, open: true })),
    ...probePaths.map((path) => ({ method: 'GET', path, open: false })),
  ]);
  return http;
}
