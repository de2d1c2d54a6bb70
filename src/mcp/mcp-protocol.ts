import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { fail, toProblem } from '../kernel/errors.ts';
import { openStream } from '../kernel/pipeline/open-stream.ts';
import type { Exchange, ToolAnswer, ToolProtocol } from '../kernel/pipeline/tool-protocol.ts';
import { asMessage, callerOf, withoutArguments } from './tool-calls.ts';
import { prompts } from './prompts.ts';
import { asProtocolError, sources } from './mcp-resources.ts';
import { type Offer, prepare } from './prepare-servers.ts';
import { eventBus, isEventStream } from './subscription.ts';
import { toolWords } from './words.ts';

/** Neither revision has them, and of several calls in one request none could be admitted, cancelled or counted by itself. */
const batchRefused = {
  code: ProtocolErrorCode.InvalidRequest,
  message: 'A request carries one message, not an array of them. Send each by itself.',
};

const asAnswer = (status: number, id: unknown, error: object): ToolAnswer => ({
  status,
  mediaType: 'application/json',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error,
  }),
});

/** Answers a client of 2025: as one piece of JSON, so that what is known when it is answered can stand in its head. */
async function answerHandshaker(
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
 * The tool protocol over the operations: what can be prepared is prepared once, a request gets a server of its own, and every call goes
 * through the one pipeline. Errors: throws at start when an operation cannot be a tool.
 */
export function createToolProtocol(
  env: Environment,
  execute: Execute,
  operations: readonly AnyOperation[],
  offer: Offer = { prompts, sources },
): ToolProtocol {
  const { installation } = env;
  const words = toolWords(operations);
  const { tools, fillIn, serverFor } = prepare(env, execute, operations, words, offer);
  const stream = operations.find(isEventStream);

  const exchanges = new WeakMap<Request, Exchange>();
  const factory = ({ requestInfo }: { readonly requestInfo?: Request }): Server => {
    const exchange = requestInfo && exchanges.get(requestInfo);
    if (!exchange) throw new Error('A server is made for a request.');
    // Only who has a stream can listen to it.
    return serverFor(exchange, stream !== undefined && exchange.credentials.apiKey !== undefined);
  };
  const handler = createMcpHandler(factory, { legacy: 'reject' });

  /** A handler of its own for who listens: what it hears is its agent's alone. */
  async function listeningHandler(exchange: Exchange): Promise<McpHttpHandler> {
    if (!stream || exchange.credentials.apiKey === undefined) return handler;
    exchange.onOperation(stream.name);
    const pieces = await openStream(
      env,
      execute,
      stream,
      { ...callerOf(exchange), signal: exchange.signal() },
      {},
    );
    const bus = await eventBus(pieces, () => void listening.close());
    const listening = createMcpHandler(factory, { legacy: 'reject', bus });
    return listening;
  }

  async function answer(exchange: Exchange): Promise<Response> {
    const { method, params } = asMessage(exchange.message);
    // How long a call may be depends on its tool.
    const limit = installation.limits.jsonBodyBytes;
    if (exchange.bytes > limit && !(method === 'tools/call' && tools.has(params?.name)))
      throw fail('payload_too_large', `The message is larger than ${limit} bytes. Send less.`, {
        limit,
      });

    const listens = method === 'subscriptions/listen';
    const request = new Request(`${installation.baseUrl}/mcp`, {
      method: 'POST',
      headers: exchange.headers,
      ...(listens && { signal: exchange.signal() }),
    });
    exchanges.set(request, exchange);
    const message = withoutArguments(exchange.message);
    if (await isLegacyRequest(request, message))
      return answerHandshaker(serverFor(exchange, false), request, message);
    const chosen = listens ? await listeningHandler(exchange) : handler;
    return chosen.fetch(request, { parsedBody: message });
  }

  return async (exchange) => {
    if (Array.isArray(exchange.message)) return asAnswer(400, null, batchRefused);
    const { method, id } = asMessage(exchange.message);
    try {
      const response = await answer(exchange);
      const { status, body } = response;
      const mediaType = response.headers.get('content-type');
      if (body && mediaType?.startsWith('text/event-stream'))
        return { status, mediaType, body: body as ReadableStream };
      return { status, mediaType, body: fillIn(method, await response.text()) };
    } catch (thrown) {
      const error = exchange.toError(thrown);
      const problem = toProblem(error, installation.baseUrl, exchange.requestId);
      const { code, message, data } = asProtocolError(error, {
        ...problem,
        detail: words(problem.detail),
      });
      return asAnswer(200, id, { code, message, data });
    }
  };
}
