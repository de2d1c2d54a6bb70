import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Environment, Execute } from '../kernel/environment.ts';
import { toProblem } from '../kernel/errors.ts';
import { openStream } from '../kernel/open-stream.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { Exchange, ToolProtocol } from '../kernel/tool-protocol.ts';
import { asSent, callerOf, runTool } from './calls.ts';
import { readDocuments } from './documents.ts';
import { instructions } from './instructions.ts';
import { type PreparedPrompt, promptOf, prompts } from './prompts.ts';
import { asProtocolError, createResources, type Source, sources } from './resources.ts';
import { eventBus, isEventStream } from './subscription.ts';
import { prepareTools } from './tools.ts';
import { toolWords } from './words.ts';

/** What a list says for an hour, for everyone: only a new start of the service changes it. */
const forAnHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const cacheHints = {
  'tools/list': forAnHour,
  'prompts/list': forAnHour,
  'resources/list': forAnHour,
  'resources/templates/list': forAnHour,
};

/** What is offered beside the tools. */
export interface Offer {
  readonly prompts: readonly PreparedPrompt[];
  readonly sources: readonly Source[];
}

/** Makes the server of one exchange from what was prepared once. Errors: throws when an operation cannot be a tool. */
function createServers(env: Environment, execute: Execute, operations: readonly AnyOperation[], words: (text: string) => string, offer: Offer) {
  const { installation } = env;
  const tools = prepareTools(operations, installation, words);
  const resources = createResources(env, execute, operations, offer.sources, readDocuments(installation), words);
  const listings = {
    tools: { tools: [...tools.values()].map(({ listing }) => listing) },
    prompts: { prompts: offer.prompts.map(({ listing }) => listing) },
    resources: { resources: [...resources.list] },
    templates: { resourceTemplates: [...resources.templates] },
  };
  const identity = { name: installation.service, title: 'Stoa', version: installation.version };

  return (exchange: Exchange, listens: boolean): Server => {
    const capabilities = { tools: {}, prompts: {}, resources: listens ? { subscribe: true } : {} };
    const server = new Server(identity, { capabilities, instructions, cacheHints });
    server.setRequestHandler('tools/list', () => listings.tools);
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = tools.get(params.name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}". See tools/list.`);
      return runTool(env, execute, words, tool, asSent(exchange.message) ?? params.arguments ?? {}, exchange);
    });
    server.setRequestHandler('resources/list', () => listings.resources);
    server.setRequestHandler('resources/templates/list', () => listings.templates);
    server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri, exchange, callerOf(exchange)));
    server.setRequestHandler('prompts/list', () => listings.prompts);
    server.setRequestHandler('prompts/get', ({ params }) => promptOf(offer.prompts, params.name, params.arguments));
    return server;
  };
}

/** Answers a client of 2025: as one piece of JSON, so that what is known when it is answered can stand in its head. */
async function answerHandshaker(server: Server, request: Request, message: unknown): Promise<Response> {
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
export function createToolProtocol(env: Environment, execute: Execute, operations: readonly AnyOperation[], offer: Offer = { prompts, sources }): ToolProtocol {
  const { installation } = env;
  const words = toolWords(operations);
  const serverFor = createServers(env, execute, operations, words, offer);
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
    const pieces = await openStream(env, execute, stream, { ...callerOf(exchange), signal: exchange.signal() }, {});
    const bus = await eventBus(pieces, () => void listening.close());
    const listening = createMcpHandler(factory, { legacy: 'reject', bus });
    return listening;
  }

  return async (exchange) => {
    const { method, id } = (exchange.message ?? {}) as { readonly method?: unknown; readonly id?: unknown };
    const listens = method === 'subscriptions/listen';
    const request = new Request(`${installation.baseUrl}/mcp`, { method: 'POST', headers: exchange.headers, ...(listens && { signal: exchange.signal() }) });
    exchanges.set(request, exchange);
    try {
      if (await isLegacyRequest(request, exchange.message)) return await answerHandshaker(serverFor(exchange, false), request, exchange.message);
      const chosen = listens ? await listeningHandler(exchange) : handler;
      return await chosen.fetch(request, { parsedBody: exchange.message });
    } catch (thrown) {
      const error = exchange.toError(thrown);
      const problem = toProblem(error, installation.baseUrl, exchange.requestId);
      const { code, message, data } = asProtocolError(error, { ...problem, detail: words(problem.detail) });
      return Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code, message, data } });
    }
  };
}
