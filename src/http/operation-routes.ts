import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { Call, Environment, Execute } from '../kernel/pipeline/environment.ts';
import { StoaError } from '../kernel/errors.ts';
import { openStream } from '../kernel/pipeline/open-stream.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { credentialsOfSession } from '../kernel/callers/sessions.ts';
import type { Spec } from '../kernel/operation/spec.ts';
import type { StreamOperation } from '../kernel/operation/stream-operation.ts';
import { callerAddress } from './address.ts';
import { matchesEtag, rateHeaders, resultHeaders, sendUnchanged, strongEtag } from './response-headers.ts';

/** Paths at which an operation answers: `{service}` stands for the slug and for the literal word. */
export const pathsOf = (path: string, service: string): string[] =>
  path.includes('{service}')
    ? [...new Set([service, 'service'])].map((name) => path.replace('{service}', name))
    : [path];

/** The router's own name for what is left of a path. */
const REST = '*';

export const toFastifyPath = (path: string, { restOfPath }: Pick<Spec, 'restOfPath'>): string =>
  (restOfPath ? path.replace(/\{\w+\}$/, REST) : path).replace(/\{(\w+)\}/g, ':$1');

/** The parameters of a path under their own names. */
function paramsOf({ params, routeOptions }: FastifyRequest): unknown {
  const { operation } = routeOptions.config;
  if (!operation?.restOfPath) return params;
  const { [REST]: rest, ...others } = params as Record<string, string>;
  return { ...others, [/\{(\w+)\}$/.exec(operation.path)?.[1] as string]: rest };
}

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

/** A request as the pipeline takes it: nothing is checked here. */
export function toCall(request: FastifyRequest, reply: FastifyReply): Call {
  return {
    credentials: request.session
      ? credentialsOfSession(request.session)
      : {
          apiKey: one(request.headers['x-api-key']),
          adminKey: one(request.headers['x-admin-key']),
          contextKey: one(request.headers['x-context-key']),
        },
    visitor: request.session?.visitor ?? null,
    address: callerAddress(request.ip),
    idempotencyKey: one(request.headers['idempotency-key']),
    params: paramsOf(request),
    query: request.query,
    body: request.body,
    onRate: (state) => rateHeaders(reply, state),
    onCaller: (caller) => {
      request.agentId = caller.agent?.id ?? null;
    },
  };
}

/** Aborts when the caller has gone. Only for calls that may wait: making one costs more than many a call does. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  if (reply.raw.closed) abort.abort();
  else reply.raw.once('close', () => abort.abort());
  return abort.signal;
}

/** Registers an operation as a route; `more` is what its call has besides. */
export function addOperation(
  http: FastifyInstance,
  operation: Operation,
  env: Environment,
  execute: Execute,
  more?: (request: FastifyRequest) => Partial<Call>,
): void {
  const { installation } = env;
  for (const path of pathsOf(operation.path, installation.service)) {
    http.route({
      method: operation.method,
      url: toFastifyPath(path, operation),
      config: { operation },
      handler: async (request, reply) => {
        const call = operation.longPoll
          ? { ...toCall(request, reply), signal: whenGone(reply) }
          : toCall(request, reply);
        const result = await execute(operation, more ? { ...call, ...more(request) } : call);
        // The base URL is known when the port is open, which is after the routes are made.
        resultHeaders(reply, request, operation, result, installation.baseUrl);
        if (operation.cached) {
          const etag = strongEtag(result.reply.version ?? result.body);
          reply.header('etag', etag);
          if (matchesEtag(request.headers['if-none-match'], etag)) return sendUnchanged(reply);
        }
        return reply.type('application/json; charset=utf-8').send(result.body);
      },
    });
  }
}

/** Registers an operation that answers piece by piece. Its first piece is awaited, so that a refusal is an ordinary problem. */
export function addStream(
  http: FastifyInstance,
  operation: StreamOperation,
  env: Environment,
  execute: Execute,
): void {
  http.route({
    method: 'GET',
    url: toFastifyPath(operation.path, operation),
    config: { operation },
    handler: async (request, reply) => {
      const call = { ...toCall(request, reply), signal: whenGone(reply) };
      const headers = Object.fromEntries(
        Object.keys(operation.headers ?? {}).map((name) => [name, one(request.headers[name])]),
      );
      const pieces = (await openStream(env, execute, operation, call, headers))[
        Symbol.asyncIterator
      ]();
      const first = await pieces.next();
      const all = async function* () {
        try {
          for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
        } catch (error) {
          // The answer has begun, so its status cannot tell any more: it ends, and the reader learns the reason when it connects again.
          if (!(error instanceof StoaError || error instanceof DatabaseUnavailable)) throw error;
        }
      };
      reply.header('cache-control', 'private, no-store').header('x-accel-buffering', 'no');
      if (operation.untrusted) reply.header('x-content-trust', 'untrusted');
      reply.type(operation.media);
      if (request.method === 'HEAD') return reply.send('');
      return reply.send(Readable.from(all(), { objectMode: false }));
    },
  });
}
