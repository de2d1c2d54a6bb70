import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { listDocuments } from '../kernel/documents/documents.ts';
import { type AnyOperation, isMutation } from '../kernel/operation/any-operation.ts';
import type { Wording } from '../kernel/operation/operation-references.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import type { ToolExchange } from '../kernel/pipeline/tool-protocol.ts';
import { instructions } from './instructions.ts';
import { createListWriter } from './list-writer.ts';
import { createResources, type ResourceSource } from './mcp-resources.ts';
import { promptParamsSchema, readParamsSchema } from './params.ts';
import { type PreparedTool, prepareTools } from './prepare-tools.ts';
import { getPrompt, type PreparedPrompt } from './prompts.ts';
import { asMessage, resolveCall } from './rpc-message.ts';
import { runTool, toCall } from './tool-calls.ts';
import { buildFound, listOfferedTools } from './tool-sets.ts';

/** Everyone may cache a list for an hour: only a restart of the service changes it. */
const HOURLY_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const cacheHints = {
  'tools/list': HOURLY_CACHE,
  'prompts/list': HOURLY_CACHE,
  'resources/list': HOURLY_CACHE,
  'resources/templates/list': HOURLY_CACHE,
};

/** The prompts and resources that are offered beside the tools. */
export interface McpOffer {
  readonly prompts: readonly PreparedPrompt[];
  readonly sources: readonly ResourceSource[];
}

/** What all exchanges share. */
export interface PreparedServers {
  readonly tools: ReadonlyMap<unknown, PreparedTool>;
  /** Puts the list that `method` asks for into the library's answer. */
  readonly fillInList: ReturnType<typeof createListWriter>;
  /** Creates the server of one exchange. */
  readonly createServer: (exchange: ToolExchange, listens: boolean) => Server;
}

/**
 * Prepares everything that is the same for every exchange.
 * Errors: throws when an operation cannot be a tool.
 */
export function prepareServers(
  env: Environment,
  execute: Execute,
  operations: readonly AnyOperation[],
  wording: Wording,
  offer: McpOffer,
): PreparedServers {
  const { installation } = env;
  const tools = prepareTools(operations, installation, wording);
  const resources = createResources(
    env,
    execute,
    operations,
    offer.sources,
    listDocuments(),
    wording,
  );
  const fillInList = createListWriter({
    tools: (chosen) => listOfferedTools(tools, chosen),
    prompts: offer.prompts.map(({ listing }) => listing),
    resources: resources.list,
    resourceTemplates: resources.templates,
  });
  const identity = { name: installation.service, title: 'Stoa', version: installation.version };

  const createServer = (exchange: ToolExchange, listens: boolean): Server => {
    const capabilities = { tools: {}, prompts: {}, resources: listens ? { subscribe: true } : {} };
    const server = new Server(identity, { capabilities, instructions, cacheHints });
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const given = asMessage(exchange.message).params?.arguments ?? {};
      if (params.name === 'find_tools') return buildFound(tools, given, exchange.offer);
      const called = resolveCall(params.name, given);
      const tool = tools.get(called.name);
      if (!tool || (exchange.offer.readOnly && isMutation(tool.operation)))
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool "${called.name}" here. See tools/list, or use find_tools.`,
        );
      return runTool(env, execute, wording, tool, called.given, exchange);
    });
    server.setRequestHandler('resources/list', () => ({ resources: [] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', readParamsSchema, ({ uri }) =>
      resources.read(uri, exchange, toCall(exchange)),
    );
    server.setRequestHandler('prompts/list', () => ({ prompts: [] }));
    server.setRequestHandler('prompts/get', promptParamsSchema, ({ name, arguments: given }) =>
      getPrompt(offer.prompts, name, given),
    );
    return server;
  };
  return { tools, fillInList, createServer };
}
