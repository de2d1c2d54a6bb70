/*
 * Real clients of frameworks, behind one face: `connect` takes the address of the tools and
 * headers, and returns how to list tools and to call one. A call returns the text that the client
 * would pass on to its model, also for a refusal.
 */

/** Joins the texts of content blocks, in any of the forms that clients have. */
const toText = (output) => {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return output.map(toText).join('\n');
  return output.text ?? JSON.stringify(output);
};

/** Some clients throw the text of a refusal, which their agents pass on to the model. */
const orThrown = (work) => work().catch((error) => error.message);

const official = async (url, headers) => {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'check', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) =>
      toText((await client.callTool({ name, arguments: given })).content),
    close: () => client.close(),
  };
};

const langChain = async (url, headers) => {
  const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
  const client = new MultiServerMCPClient({
    mcpServers: { stoa: { transport: 'http', url, headers } },
  });
  const tools = await client.getTools();
  return {
    list: async () => tools.map(({ name }) => name),
    call: (name, args) =>
      orThrown(async () => {
        const tool = tools.find((one) => one.name === name);
        return toText((await tool.invoke({ type: 'tool_call', id: 'call', name, args })).content);
      }),
    close: () => client.close(),
  };
};

const openAiAgents = async (url, headers) => {
  const { MCPServerStreamableHttp, RunContext, getAllMcpTools } = await import('@openai/agents');
  const server = new MCPServerStreamableHttp({ url, name: 'stoa', requestInit: { headers } });
  await server.connect();
  const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: false });
  return {
    list: async () => tools.map(({ name }) => name),
    call: (name, given) =>
      orThrown(async () => {
        const tool = tools.find((one) => one.name === name);
        return toText(await tool.invoke(new RunContext({}), JSON.stringify(given)));
      }),
    close: () => server.close(),
  };
};

const aiSdk = async (url, headers) => {
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const client = await createMCPClient({ transport: { type: 'http', url, headers } });
  const tools = await client.tools();
  return {
    list: async () => Object.keys(tools),
    call: (name, input) =>
      orThrown(async () => {
        const call = { toolCallId: 'call', messages: [] };
        const output = await tools[name].execute(input, call);
        const shown = await tools[name].toModelOutput({ ...call, input, output });
        return toText(shown.value);
      }),
    close: () => client.close(),
  };
};

const mastra = async (url, headers) => {
  const { MCPClient } = await import('@mastra/mcp');
  const client = new MCPClient({
    id: crypto.randomUUID(),
    servers: {
      stoa: { url: new URL(url), requestInit: { headers }, enableServerLogs: false },
    },
  });
  const tools = await client.listTools();
  return {
    list: async () => Object.keys(tools).map((name) => name.replace(/^stoa_/, '')),
    call: (name, given) =>
      orThrown(async () => JSON.stringify(await tools[`stoa_${name}`].execute(given, {}))),
    close: () => client.disconnect(),
  };
};

export const clients = {
  '@modelcontextprotocol/client': official,
  '@langchain/mcp-adapters': langChain,
  '@openai/agents': openAiAgents,
  '@ai-sdk/mcp': aiSdk,
  '@mastra/mcp': mastra,
};
