import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { fail, failField, type StoaError, toProblem } from '../kernel/errors.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import { createToolWording, fillProblem } from '../kernel/operation/operation-references.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { openStream } from '../kernel/pipeline/reads/open-stream.ts';
import type { ToolAnswer, ToolExchange, ToolProtocol } from '../kernel/pipeline/tool-protocol.ts';
import { sources, toProtocolError } from './mcp-resources.ts';
import { createPacedBody } from './paced-body.ts';
import { type McpOffer, prepareServers } from './prepare-servers.ts';
import { prompts } from './prompts.ts';
import { asMessage, type RpcMessage, resolveCall, withoutArguments } from './rpc-message.ts';
import { createEventBus, isEventStream } from './subscription.ts';
import { toCall } from './tool-calls.ts';
import { toRefusal } from './tool-results.ts';

/**
 * The answer to a batch. Neither revision of the protocol has batches, and the calls of one could
 * not be authorized, cancelled or counted separately.
 */
const batchError = {
  code: ProtocolErrorCode.InvalidRequest,
  message: 'A request carries one message, not an array. Send each message in its own request.',
};

/** Each notification of a subscription repeats the id of the message that began it. */
const MAX_ID_LENGTH = 256;
const longIdError = {
  code: ProtocolErrorCode.InvalidRequest,
  message: `The id of a message has at most ${MAX_ID_LENGTH} characters. Send a shorter one.`,
};

/** A message that subscribes is kept with its stream, and each event is compared with each URI. */
const MAX_LISTEN_BYTES = 16 * 1024;
const MAX_SUBSCRIBED = 100;

/** Asserts that a subscription names few resources. Errors: `invalid_request`. */
function assertFewResources({ params }: RpcMessage): void {
  const named = params?.notifications?.resourceSubscriptions;
  if (Array.isArray(named) && named.length > MAX_SUBSCRIBED)
    throw failField(
      '/params/notifications/resourceSubscriptions',
      `must have at most ${MAX_SUBSCRIBED} URIs. Subscribe to stoa://events for all threads`,
    );
}

/** The member in which clients of the newest revision name it, with every message. */
const REVISION_MEMBER = 'io.modelcontextprotocol/protocolVersion';

const isMessageId = (id: unknown): id is string | number =>
  typeof id === 'string' || typeof id === 'number';

const buildErrorAnswer = (status: number, id: unknown, error: object): ToolAnswer => ({
  status,
  mediaType: 'application/json',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: isMessageId(id) ? id : null,
    error,
  }),
});

/**
 * Answers a client of the 2025 revision. The answer is one piece of JSON, not a stream, so that
 * headers can still depend on the result.
 */
async function answerLegacyClient(
  server: Server,
  request: Request,
  message: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/**
 * Creates the tool protocol over the operations. Tools and lists are prepared once, each request
 * gets its own server, and every call goes through the pipeline.
 * Errors: throws at start when an operation cannot be a tool.
 */
export function createToolProtocol(
  env: Environment,
  execute: Execute,
  operations: readonly AnyOperation[],
  offer: McpOffer = { prompts, sources },
): ToolProtocol {
  const { installation } = env;
  const wording = createToolWording(operations);
  const { tools, fillInList, createServer } = prepareServers(
    env,
    execute,
    operations,
    wording,
    offer,
  );
  const stream = operations.find(isEventStream);

  const exchanges = new WeakMap<Request, ToolExchange>();
  const createServerFor = ({ requestInfo }: { readonly requestInfo?: Request }): Server => {
    const exchange = requestInfo && exchanges.get(requestInfo);
    if (!exchange) throw new Error('A server can be created only for a request.');
    // Only an agent has a stream to listen to.
    return createServer(
      exchange,
      stream !== undefined && exchange.credentials.apiKey !== undefined,
    );
  };
  const handler = createMcpHandler(createServerFor, { legacy: 'reject' });

  /** Answers a listening caller by a handler of its own, because it receives its agent's events. */
  async function answerListener(
    exchange: ToolExchange,
    request: Request,
    message: unknown,
  ): Promise<Response> {
    const options = { parsedBody: message };
    if (!stream || exchange.credentials.apiKey === undefined)
      return handler.fetch(request, options);
    exchange.onOperation(stream.name);
    const pieces = await openStream(env, execute, stream, toCall(exchange), {});
    const paced = createPacedBody();
    const bus = await createEventBus(pieces, paced.waitUntilTaken, () => void listening.close());
    const listening = createMcpHandler(createServerFor, { legacy: 'reject', bus });
    const response = await listening.fetch(request, options);
    return response.body ? new Response(paced.wrap(response.body), response) : response;
  }

  async function answerExchange(exchange: ToolExchange): Promise<Response> {
    const { method, params } = asMessage(exchange.message);
    const called = resolveCall(params?.name, params?.arguments ?? {});
    const isToolCall = method === 'tools/call' && tools.has(called.name);
    // The limit of a call depends on its tool, which `runTool` checks.
    const listens = method === 'subscriptions/listen';
    const limit = listens ? MAX_LISTEN_BYTES : installation.limits.jsonBodyBytes;
    if (exchange.bytes > limit && !isToolCall)
      throw fail('payload_too_large', `The message is larger than ${limit} bytes. Send less.`, {
        limit,
      });
    if (listens) assertFewResources(asMessage(exchange.message));
    const request = new Request(`${installation.baseUrl}/mcp`, {
      method: 'POST',
      headers: exchange.headers,
      signal: (listens && exchange.signal?.()) || null,
    });
    exchanges.set(request, exchange);
    const message = withoutArguments(exchange.message);
    if (await isLegacyRequest(request, message))
      return answerLegacyClient(createServer(exchange, false), request, message);
    return listens
      ? answerListener(exchange, request, message)
      : handler.fetch(request, { parsedBody: message });
  }

  function answerError(exchange: ToolExchange, thrown: unknown): ToolAnswer {
    const error = exchange.toError(thrown);
    const problem = toProblem(error, installation.baseUrl, exchange.requestId);
    const { code, message, data } = toProtocolError(error, fillProblem(problem, wording));
    return buildErrorAnswer(200, asMessage(exchange.message).id, { code, message, data });
  }

  /**
   * Answers a message whose caller has no token left. No server is created for it, so that it costs
   * little more than a refusal over REST. A tool reports it as its result, so that a model learns
   * it.
   */
  function answerRefusal(exchange: ToolExchange, refusal: StoaError): ToolAnswer {
    const { id, method, params } = asMessage(exchange.message);
    const called = resolveCall(params?.name, params?.arguments ?? {});
    const tool = method === 'tools/call' ? tools.get(called.name) : undefined;
    if (!tool || !isMessageId(id)) return answerError(exchange, refusal);
    exchange.onOperation(tool.operation.name);
    const problem = toProblem(refusal, installation.baseUrl, exchange.requestId);
    const result = {
      ...toRefusal(fillProblem(problem, wording)),
      ...(params?._meta?.[REVISION_MEMBER] !== undefined && { resultType: 'complete' }),
    };
    const body = JSON.stringify({ result, jsonrpc: '2.0', id });
    return { status: 200, mediaType: 'application/json', body };
  }

  return async (exchange) => {
    if (Array.isArray(exchange.message)) return buildErrorAnswer(400, null, batchError);
    const { method, id } = asMessage(exchange.message);
    if (typeof id === 'string' && id.length > MAX_ID_LENGTH)
      return buildErrorAnswer(400, null, longIdError);
    if (exchange.refusal) return answerRefusal(exchange, exchange.refusal);
    try {
      const response = await answerExchange(exchange);
      const { status, body } = response;
      const mediaType = response.headers.get('content-type');
      if (body && mediaType?.startsWith('text/event-stream'))
        return { status, mediaType, body: body as ReadableStream };
      return { status, mediaType, body: fillInList(method, await response.text(), exchange.offer) };
    } catch (thrown) {
      return answerError(exchange, thrown);
    }
  };
}
