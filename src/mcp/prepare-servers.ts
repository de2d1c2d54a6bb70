import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import { listDocuments } from '../kernel/documents/documents.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import type { Exchange } from '../kernel/pipeline/tool-protocol.ts';
import { asMessage, callerOf, runTool } from './tool-calls.ts';
import { instructions } from './instructions.ts';
import { writeLists } from './list-writer.ts';
import { promptParams, readParams } from './params.ts';
import { type PreparedPrompt, promptOf } from './prompts.ts';
import { createResources, type Source } from './mcp-resources.ts';
import { type PreparedTool, prepareTools } from './tools.ts';

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

/** What was prepared, for the exchanges to share. */
export interface Prepared {
  readonly tools: ReadonlyMap<unknown, PreparedTool>;
  /** Puts a list in its place. */
  readonly fillIn: (method: unknown, answer: string) => string;
  /** Makes the server of one exchange. */
  readonly serverFor: (exchange: Exchange, listens: boolean) => Server;
}

/** Prepares what is the same for every exchange. Errors: throws when an operation cannot be a tool. */
export function prepare(
  env: Environment,
  execute: Execute,
  operations: readonly AnyOperation[],
  words: (text: string) => string,
  offer: Offer,
): Prepared {
  const { installation } = env;
  const tools = prepareTools(operations, installation, words);
  const resources = createResources(
    env,
    execute,
    operations,
    offer.sources,
    listDocuments(),
    words,
  );
  const fillIn = writeLists({
    tools: [...tools.values()].map(({ listing }) => listing),
    prompts: offer.prompts.map(({ listing }) => listing),
    resources: resources.list,
    resourceTemplates: resources.templates,
  });
  const identity = { name: installation.service, title: 'Stoa', version: installation.version };

  const serverFor = (exchange: Exchange, listens: boolean): Server => {
    const capabilities = { tools: {}, prompts: {}, resources: listens ? { subscribe: true } : {} };
    const server = new Server(identity, { capabilities, instructions, cacheHints });
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = tools.get(params.name);
      if (!tool)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool "${params.name}". See tools/list.`,
        );
      return runTool(
        env,
        execute,
        words,
        tool,
        asMessage(exchange.message).params?.arguments ?? {},
        exchange,
      );
    });
    server.setRequestHandler('resources/list', () => ({ resources: [] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', readParams, ({ uri }) =>
      resources.read(uri, exchange, callerOf(exchange)),
    );
    server.setRequestHandler('prompts/list', () => ({ prompts: [] }));
    server.setRequestHandler('prompts/get', promptParams, ({ name, arguments: given }) =>
      promptOf(offer.prompts, name, given),
    );
    return server;
  };
  return { tools, fillIn, serverFor };
}
