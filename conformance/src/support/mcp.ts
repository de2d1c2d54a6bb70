import type { Exchange, Json } from './exchange.ts';
import { expectEqual, expectThat } from './expectations.ts';
import type { Agent, World } from './world.ts';

interface ToolOptions {
  readonly as?: Agent | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of the tools, where it is not `/mcp`. */
  readonly path?: string;
}

const PREFIX = 'data:';

/** The JSON-RPC answer, which may come as JSON or as an event of a stream. */
function parseAnswer(exchange: Exchange): Json {
  if (exchange.json !== undefined) return exchange.json;
  const lines = exchange.text.split('\n').filter((line) => line.startsWith(PREFIX));
  expectThat(lines.length > 0, 'expected an answer of the tool protocol', exchange);
  return JSON.parse(lines.at(-1)?.slice(PREFIX.length) ?? '');
}

/** Calls a method of the tool protocol; returns its exchange and answer. */
export async function callMethod(
  world: World,
  method: string,
  params: object,
  { as, headers, path = '/mcp' }: ToolOptions = {},
): Promise<{ readonly exchange: Exchange; readonly answer: Json }> {
  const exchange = await world.send(
    { method: 'POST', path, body: { jsonrpc: '2.0', id: 1, method, params } },
    {
      idem: null,
      ...(as && { as }),
      headers: { accept: 'application/json, text/event-stream', ...headers },
    },
  );
  expectEqual(exchange.status, 200, 'the status', exchange);
  return { exchange, answer: parseAnswer(exchange) };
}

/** Lists the tools at an address. */
export async function listTools(world: World, options: ToolOptions = {}): Promise<Json[]> {
  const { exchange, answer } = await callMethod(world, 'tools/list', {}, options);
  expectThat(Array.isArray(answer.result?.tools), 'expected tools', exchange);
  return answer.result.tools;
}

/** Calls a tool; returns its result, which may be an error. */
export async function callTool(
  world: World,
  name: string,
  args: object,
  options: ToolOptions = {},
): Promise<Json> {
  const params = { name, arguments: args };
  const { exchange, answer } = await callMethod(world, 'tools/call', params, options);
  expectThat(answer.result !== undefined, 'expected a result', exchange);
  return answer.result;
}
