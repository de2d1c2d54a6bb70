import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../db/database-errors.ts';
import { toSessionCredentials } from '../kernel/callers/sessions.ts';
import { StoaError } from '../kernel/errors.ts';
import { nameLimited } from '../kernel/limits/caller-names.ts';
import { listCallerSubjects } from '../kernel/limits/rate-limit-subjects.ts';
import { isMutation } from '../kernel/operation/any-operation.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import type { Spec } from '../kernel/operation/spec.ts';
import type { StreamOperation } from '../kernel/operation/stream-operation.ts';
import type { Call, CallResult, Environment, Execute } from '../kernel/pipeline/environment.ts';
import { assertReaderStays } from '../kernel/pipeline/reads/long-poll.ts';
import { openStream } from '../kernel/pipeline/reads/open-stream.ts';
import { admitCall } from './admission/admission.ts';
import { getWork, identifyWork } from './admission/refuse-overload.ts';
import { toCallerAddress } from './caller-address.ts';
import { assertPaid, chargeAnswer } from './charge-answer.ts';
import { computeEtag, matchesEtag, sendUnchanged } from './etags.ts';
import { holdAnswer, holdPiece, isCallerGone, LARGE_BYTES, reserveAnswer } from './hold-answer.ts';
import { MARKDOWN_MEDIA, prefersMarkdown } from './prefers-markdown.ts';
import { whenClosed } from './request-end.ts';
import { setRateHeaders, setResultHeaders } from './response-headers.ts';
import { waitForCallersTurn } from './wait-for-turn.ts';

/**
 * Returns the paths at which an operation answers. `{service}` stands for the slug of the service
 * and for the literal word "service".
 */
export const listPaths = (path: string, service: string): string[] =>
  path.includes('{service}')
    ? [...new Set([service, 'service'])].map((name) => path.replace('{service}', name))
    : [path];

/** The router's name for the rest of a path. */
const WILDCARD = '*';

/** Converts a path with `{name}` parameters to the router's form. */
export const toFastifyPath = (path: string, { greedyPath }: Pick<Spec, 'greedyPath'>): string =>
  (greedyPath ? path.replace(/\{\w+\}$/, WILDCARD) : path).replace(/\{(\w+)\}/g, ':$1');

/** The bytes of an answer that is being prepared are counted in steps of this size. */
const PREPARED_STEP = 64 * 1024;

/** Returns the parameters of a path under their own names. */
function getParams({ params, routeOptions }: FastifyRequest): unknown {
  const { operation } = routeOptions.config;
  if (!operation?.greedyPath) return params;
  const { [WILDCARD]: rest, ...others } = params as Record<string, string>;
  const [, name = WILDCARD] = /\{(\w+)\}$/.exec(operation.path) ?? [];
  return { ...others, [name]: rest };
}

const joinHeader = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

/** Every signal aborts with it: an exception of its own would cost more than many a call. */
const answerIsOver = new DOMException('The answer is over.', 'AbortError');

/**
 * Returns a signal that aborts when the answer is over or the caller disconnects; what the answer
 * held is then given back.
 */
function createCloseSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  whenClosed(reply, () => abort.abort(answerIsOver));
  return abort.signal;
}

/** Converts a request to a call of the pipeline. It checks nothing. */
export function toCall(request: FastifyRequest, reply: FastifyReply, env: Environment): Call {
  const address = toCallerAddress(request.ip);
  let signal: AbortSignal | undefined;
  return {
    credentials: request.session
      ? toSessionCredentials(request.session)
      : {
          apiKey: joinHeader(request.headers['x-api-key']),
          adminKey: joinHeader(request.headers['x-admin-key']),
          contextKey: joinHeader(request.headers['x-context-key']),
        },
    visitor: request.session?.visitor ?? null,
    address,
    idempotencyKey: joinHeader(request.headers['idempotency-key']),
    params: getParams(request),
    query: request.query,
    body: request.body,
    // The guard runs again, without another token, if the body came after its head. Where no guard
    // ran before the body, as on the consent page, it takes its tokens now.
    guarded: request.isBodyLate ? undefined : (request.admission?.guarded ?? undefined),
    skipRateLimit: request.isBodyLate && Boolean(request.admission?.guarded),
    isGone: () => isCallerGone(request),
    signal: () => (signal ??= createCloseSignal(reply)),
    onWait: () => getWork(request.raw)?.end(),
    reserveAnswer: () => {
      assertPaid(request, env);
      reserveAnswer(request, env);
    },
    onComputed: (bytes) => {
      request.computedBytes += bytes;
      chargeAnswer(request, env, request.computedBytes);
      holdAnswer(request, env, bytes);
    },
    onPrepared: (bytes) => {
      if (bytes - request.heldAnswerBytes < PREPARED_STEP) return;
      chargeAnswer(request, env, bytes);
      holdAnswer(request, env, bytes);
    },
    onRate: (state) => setRateHeaders(reply, state),
    onCaller: (caller) => {
      const agentId = caller.agent?.id ?? null;
      request.agentId = agentId;
      // A rotated key may only fetch its successor once more.
      identifyWork(request.raw, caller.revoked ? null : agentId, address);
      // A stream identifies its caller again and again.
      if (request.readers !== null) return;
      const limited = nameLimited(caller, request.routeOptions.config.operation ?? {});
      request.readers = caller.administrator ? [] : listCallerSubjects(limited, address);
      if (caller.administrator) return;
      const holder = { agentId: limited, address, isStranger: limited === null };
      request.whenOver(env.load.take('requests', holder));
    },
  };
}

const JSON_MEDIA = 'application/json; charset=utf-8';

/** A formatted answer; `version` stands for all that it says, if there is such a text. */
interface FormattedAnswer {
  readonly body: CallResult['body'];
  readonly media: string;
  readonly version?: string | undefined;
}

/** Sends an answer, or 304 when the caller has it. */
function sendFormatted(
  request: FastifyRequest,
  reply: FastifyReply,
  { cached }: Pick<Operation, 'cached'>,
  env: Pick<Environment, 'rateLimiter'>,
  { body, media, version }: FormattedAnswer,
): FastifyReply {
  if (cached) {
    const etag = computeEtag(version ?? body);
    // A version stands for bodies that also say when they were computed.
    request.isBodyKept = version === undefined;
    reply.header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      // It was computed all the same.
      chargeAnswer(request, env, Buffer.byteLength(body));
      return sendUnchanged(reply);
    }
  }
  return reply.type(media).send(body);
}

/** Formats an answer as Markdown, which may have several times its bytes and counts as held. */
async function formatMarkdown(
  request: FastifyRequest,
  toMarkdown: NonNullable<Operation['toMarkdown']>,
  body: CallResult['body'],
  env: Pick<Environment, 'rateLimiter' | 'load' | 'refusedAnswers' | 'eventLoopTurns'>,
): Promise<Buffer> {
  const holdPrepared = (bytes: number) => {
    chargeAnswer(request, env, bytes);
    holdAnswer(request, env, bytes);
    assertReaderStays({ isGone: () => isCallerGone(request) });
  };
  const waitForTurn = () => waitForCallersTurn(request, env);
  if (body.length > LARGE_BYTES) await waitForTurn();
  const text = await toMarkdown(JSON.parse(String(body)), { holdPrepared, waitForTurn });
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  holdPrepared(bytes.length);
  return bytes;
}

/**
 * Sends the answer of an operation, as JSON or as the Markdown that its caller asks for. A piece of
 * an answer that is longer than its budget is JSON in any case.
 */
export function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  result: CallResult,
  env: Pick<
    Environment,
    'installation' | 'rateLimiter' | 'load' | 'refusedAnswers' | 'eventLoopTurns'
  >,
  media = prefersMarkdown(request, 'application/json') ? MARKDOWN_MEDIA : JSON_MEDIA,
): FastifyReply | Promise<FastifyReply> {
  const send = (answer: FormattedAnswer) => {
    // The base URL is known once the port is open, which is after the routes are registered.
    setResultHeaders(reply, request, operation, result, env.installation);
    return sendFormatted(request, reply, operation, env, answer);
  };
  const { toMarkdown } = operation;
  const { body } = result;
  // A piece of JSON has nothing to format, and whoever joins the pieces needs each as it is.
  if (toMarkdown === undefined || media !== MARKDOWN_MEDIA || result.reply.isExcerpt)
    return send({ body, media: JSON_MEDIA, version: result.reply.version });
  return formatMarkdown(request, toMarkdown, body, env).then((text) =>
    send({ body: text, media: MARKDOWN_MEDIA }),
  );
}

/** Registers an operation as a route. `getMore` returns further members of the call. */
export function addOperation(
  http: FastifyInstance,
  operation: Operation,
  env: Environment,
  execute: Execute,
  getMore?: (request: FastifyRequest) => Partial<Call>,
): void {
  for (const path of listPaths(operation.path, env.installation.service)) {
    http.route({
      method: operation.method,
      url: toFastifyPath(path, operation),
      config: { operation },
      ...(isMutation(operation) && {
        onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
          request.admission = await admitCall(env, operation, toCall(request, reply, env));
        },
      }),
      handler: async (request, reply) => {
        const call = toCall(request, reply, env);
        const result = await execute(operation, getMore ? { ...call, ...getMore(request) } : call);
        if (isCallerGone(request)) return reply.hijack();
        const bytes = Buffer.byteLength(result.body);
        holdAnswer(request, env, bytes);
        // A string that waits for a slow reader would take up to three times its bytes.
        const isLongText = bytes > LARGE_BYTES && typeof result.body === 'string';
        const body = isLongText ? Buffer.from(result.body) : result.body;
        return sendResult(request, reply, operation, { ...result, body }, env);
      },
    });
  }
}

/**
 * Registers an operation that answers piece by piece. The answer begins with the first piece, so an
 * error before that is an ordinary problem.
 */
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
      const call = toCall(request, reply, env);
      const headers = Object.fromEntries(
        Object.keys(operation.headers ?? {}).map((name) => [
          name,
          joinHeader(request.headers[name]),
        ]),
      );
      const pieces = (await openStream(env, execute, operation, call, headers))[
        Symbol.asyncIterator
      ]();
      const first = await pieces.next();
      const readAll = async function* () {
        try {
          for (let piece = first; !piece.done; piece = await pieces.next()) {
            // A piece is under way until the reader has room for the next one.
            const release = holdPiece(request, env, Buffer.byteLength(piece.value));
            try {
              yield piece.value;
            } finally {
              release();
            }
          }
        } catch (error) {
          // The status was sent, so the stream just ends. The reader learns the reason when it
          // connects again.
          if (!(error instanceof StoaError || error instanceof DatabaseUnavailable)) throw error;
        }
      };
      reply.header('cache-control', 'private, no-store').header('x-accel-buffering', 'no');
      if (operation.untrusted) reply.header('x-content-trust', 'untrusted');
      reply.type(operation.media);
      if (request.method === 'HEAD') return reply.send('');
      return reply.send(Readable.from(readAll(), { objectMode: false }));
    },
  });
}
