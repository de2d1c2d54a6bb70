import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toArgumentName } from '../../../src/mcp/tool-arguments.ts';
import type { OperationInput } from '../../operations/fixture.ts';
import { afterFile } from '../../support/each-file.ts';
import type { Json, RequestOptions } from '../../support/factories.ts';

/** The supported revisions: the newest, and the previous one, which has a handshake. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

/** The address that lists every tool, with output schemas. */
export const ALL_TOOLS = '/mcp/x/all?output=true';

export interface ToolClient {
  readonly client: Client;
  /** Returns the result of a tool, whether it succeeded or failed. */
  call(name: string, given?: Record<string, unknown>): Promise<Json>;
  /** Returns the structured content of a tool that must succeed. */
  expectOk(name: string, given?: Record<string, unknown>): Promise<Json>;
}

/** Offers shortcuts for the tools of a connected client. */
export function toToolClient(client: Client): ToolClient {
  const call = (name: string, given: Record<string, unknown> = {}): Promise<Json> =>
    client.callTool({ name, arguments: given });
  return {
    client,
    call,
    async expectOk(name, given) {
      const result = await call(name, given);
      if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
      return result.structuredContent;
    },
  };
}

/** Creates the official client at a revision, not connected yet. */
export const createClient = (revision: Revision): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  );

/**
 * Connects the official client with the headers of its configuration. It is closed after the file's
 * last test.
 */
export async function connect(
  url: string,
  headers: Record<string, string> = {},
  revision: Revision = '2026-07-28',
  path = ALL_TOOLS,
): Promise<ToolClient> {
  const client = createClient(revision);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } }),
  );
  afterFile(() => client.close());
  return toToolClient(client);
}

/** Lists all tools with all that is known of them. */
export const listAllTools = async (url: string): Promise<Json[]> =>
  (await sendRpc(url, buildMessage('tools/list'), {}, undefined, ALL_TOOLS)).body.result.tools;

/** Builds a request of the protocol. */
export const buildMessage = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params !== undefined && { params }),
});

/**
 * Builds a request at the newest revision, where each message names its sender, with the headers
 * that repeat its contents.
 */
export function buildModernRequest(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params.name ?? params.uri;
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
  return { sent: buildMessage(method, { ...params, _meta: meta }), headers };
}

/**
 * Posts one message as any program would, at 2025-11-25, and returns the answer with its headers.
 */
export async function sendRpc(
  url: string,
  sent: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
  path = '/mcp',
): Promise<{ status: number; headers: Headers; body: Json }> {
  const response = await fetch(url + path, {
    method: 'POST',
    ...(signal && { signal }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    body:
      typeof sent === 'string' || sent instanceof Uint8Array
        ? (sent as string)
        : JSON.stringify(sent),
  });
  const text = await response.text();
  const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  return {
    status: response.status,
    headers: response.headers,
    body: data === '' ? undefined : JSON.parse(data),
  };
}

/** Calls one tool by hand and returns its result. */
export async function callTool(
  url: string,
  name: string,
  given: unknown,
  headers: Record<string, string> = {},
): Promise<Json> {
  const { body } = await sendRpc(
    url,
    buildMessage('tools/call', { name, arguments: given }),
    headers,
  );
  return body.result ?? body;
}

/** Converts the input of a REST call into the arguments of the tool that makes the same call. */
export function toArguments(
  operation: { readonly path: string },
  { params = {}, query = {}, body, file }: OperationInput,
  idempotencyKey?: string,
): Record<string, unknown> {
  return {
    ...Object.fromEntries(
      Object.entries(params).map(([name, value]) => [toArgumentName(operation.path, name), value]),
    ),
    ...query,
    ...(body as object | undefined),
    ...(file && {
      name: file.name,
      mediaType: file.type,
      content: Buffer.from(file.bytes as Uint8Array).toString('base64'),
    }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

/** Builds the headers of a caller of a factory. */
export const toHeaders = ({ key, context, headers }: RequestOptions): Record<string, string> => ({
  ...(key !== undefined && { 'x-api-key': key }),
  ...(context !== undefined && { 'x-context-key': context }),
  ...headers,
});
