import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { argumentName } from '../../../src/mcp/tool-arguments.ts';
import { afterFile } from '../../support/each-file.ts';
import type { Loose, RequestOptions } from '../../support/factories.ts';
import type { Input } from '../../operations/fixture.ts';

/** Revisions that are spoken: the newest, and the one before, which shakes hands. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

export interface ToolClient {
  readonly client: Client;
  /** What a tool answers, whatever it is. */
  call(name: string, given?: Record<string, unknown>): Promise<Loose>;
  /** The structured content of a tool that succeeds. */
  ok(name: string, given?: Record<string, unknown>): Promise<Loose>;
}

/** Short ways to the tools that a connected client has. */
export function toolClient(client: Client): ToolClient {
  const call = (name: string, given: Record<string, unknown> = {}): Promise<Loose> =>
    client.callTool({ name, arguments: given });
  return {
    client,
    call,
    async ok(name, given) {
      const result = await call(name, given);
      if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
      return result.structuredContent;
    },
  };
}

/** The official client at a revision, not connected yet. */
export const clientOf = (revision: Revision): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  );

/** The official client, connected; the headers are what its configuration would have. It is closed after the file's last test. */
export async function connect(
  url: string,
  headers: Record<string, string> = {},
  revision: Revision = '2026-07-28',
): Promise<ToolClient> {
  const client = clientOf(revision);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  afterFile(() => client.close());
  return toolClient(client);
}

/** A request of the protocol. */
export const message = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params !== undefined && { params }),
});

/** The same at the newest revision, where each message says of whom it is; and the headers that repeat what it says. */
export function modern(method: string, params: Readonly<Record<string, unknown>> = {}) {
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
  return { sent: message(method, { ...params, _meta: meta }), headers };
}

/** One message as any program would post it, at 2025-11-25; what the answer says, and its head. */
export async function rpc(
  url: string,
  sent: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<{ status: number; headers: Headers; body: Loose }> {
  const response = await fetch(`${url}/mcp`, {
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

/** The result of one tool, called by hand. */
export async function callTool(
  url: string,
  name: string,
  given: unknown,
  headers: Record<string, string> = {},
): Promise<Loose> {
  const { body } = await rpc(url, message('tools/call', { name, arguments: given }), headers);
  return body.result ?? body;
}

/** The arguments of a tool that make the same call as this input makes over REST. */
export function argumentsOf(
  operation: { readonly path: string },
  { params = {}, query = {}, body, file }: Input,
  idempotencyKey?: string,
): Record<string, unknown> {
  return {
    ...Object.fromEntries(
      Object.entries(params).map(([name, value]) => [argumentName(operation.path, name), value]),
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

/** The headers of a caller of a factory. */
export const headersOf = ({ key, context, headers }: RequestOptions): Record<string, string> => ({
  ...(key !== undefined && { 'x-api-key': key }),
  ...(context !== undefined && { 'x-context-key': context }),
  ...headers,
});
