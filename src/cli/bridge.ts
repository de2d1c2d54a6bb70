import { EventSourceParserStream } from 'eventsource-parser/stream';
import { parseAnswer } from '../../client/src/parse-answer.ts';
import { readBodyText } from '../../client/src/read-body.ts';
import { parseUrl } from '../kernel/schema/url.ts';

interface BridgeMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly requestId?: string | number;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: Introduction;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const SERVER_ERROR = -32000;
/** What an answer, a problem document and an event of an answer may have at most. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_PROBLEM_BYTES = 64 * 1024;
const MAX_EVENT = 4 * 1024 * 1024;

const buildHeader = (name: string, value: unknown): Record<string, string> => {
  if (typeof value !== 'string' || value === '') return {};
  // The transport encodes a value that a header cannot contain directly.
  const plain =
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  return { [name]: plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=` };
};

/** The address and the key for all requests, and the function that writes an answer. */
interface BridgeOptions {
  readonly address: string;
  readonly key: string | undefined;
  /** Returns once the client has taken the text, so that nothing piles up. */
  readonly write: (text: string) => Promise<void>;
  /** Changes what the server says of itself in the handshake. */
  readonly introduce?: (result: Introduction) => Introduction;
}

/** What a server says of itself in the handshake. */
export interface Introduction {
  readonly protocolVersion?: unknown;
  readonly instructions?: string;
  readonly capabilities?: { readonly experimental?: object };
}

/**
 * Yields the messages of an answer as they arrive: one message as JSON, or any number as
 * Server-Sent Events.
 */
async function* readMessages(response: Response): AsyncGenerator<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await readBodyText(response, { maxBytes: MAX_BYTES });
    if (text === null) throw new Error(`its answer has more than ${MAX_BYTES} bytes`);
    if (text !== '') yield text;
    return;
  }
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT }));
  for await (const { data } of events ?? []) if (data !== '') yield data;
}

/**
 * Names where a server redirects to by its origin alone: a model reads the error, and the rest of
 * the address is text that a stranger chose.
 */
function nameTarget(location: string | null, address: string): string {
  const origin = location === null ? undefined : parseUrl(location, address)?.origin;
  return origin === undefined || origin === 'null' ? 'another address' : origin;
}

/**
 * Creates a bridge between a client that speaks the tool protocol over standard input and output,
 * and an installation that speaks it over HTTP.
 */
export function createBridge({ address, key, write, introduce }: BridgeOptions): {
  take(line: string): Promise<void>;
  end(): void;
} {
  const open = new Map<string | number, AbortController>();
  /** Requests that never end on their own. */
  const listening = new Set<AbortController>();
  /**
   * The protocol version from the handshake. Newer clients do not shake hands, and name the version
   * in each message.
   */
  let agreed: string | undefined;
  let handshake: Promise<void> | undefined;

  function buildHeaders({ method, params }: BridgeMessage): Record<string, string> {
    const named = params?._meta?.[VERSION];
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...buildHeader('x-api-key', key),
      ...buildHeader('mcp-protocol-version', named ?? agreed),
      ...(named !== undefined && {
        ...buildHeader('mcp-method', method),
        ...buildHeader('mcp-name', params?.name ?? params?.uri),
      }),
    };
  }

  function forward(text: string): Promise<void> {
    const message = parseAnswer(text) as BridgeMessage;
    const { result } = message;
    if (typeof result?.protocolVersion !== 'string') return write(JSON.stringify(message));
    agreed = result.protocolVersion;
    return write(JSON.stringify({ ...message, result: introduce?.(result) ?? result }));
  }

  const writeError = (id: BridgeMessage['id'], message: string, data?: unknown): Promise<void> =>
    write(
      JSON.stringify({
        jsonrpc: '2.0',
        id: id ?? null,
        error: { code: SERVER_ERROR, message, ...(data !== undefined && { data }) },
      }),
    );

  async function forwardMessage(text: string, message: BridgeMessage): Promise<void> {
    const { id, method } = message;
    const abort = new AbortController();
    if (id != null) open.set(id, abort);
    if (method === 'subscriptions/listen') listening.add(abort);
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: buildHeaders(message),
        body: text,
        signal: abort.signal,
        // Another server would get the key, and its answer would reach the model.
        redirect: 'manual',
      });
      if (response.status >= 300 && response.status < 400) {
        const target = nameTarget(response.headers.get('location'), address);
        if (id != null)
          await writeError(
            id,
            `${address} redirects to ${target}, and the key is sent nowhere else. If that is ` +
              'the installation, give its address with --url.',
          );
        return;
      }
      if (response.headers.get('content-type')?.startsWith('application/problem+json')) {
        const text = await readBodyText(response, { maxBytes: MAX_PROBLEM_BYTES });
        const problem = parseAnswer(text ?? '') as { readonly detail: string };
        if (id != null) await writeError(id, problem.detail, problem);
        return;
      }
      for await (const answer of readMessages(response)) await forward(answer);
    } catch (error) {
      if (id == null || abort.signal.aborted) return;
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      await writeError(
        id,
        `${address} cannot be reached ` +
          `(${cause instanceof Error ? cause.message : String(cause)}). Repeat ${method} with ` +
          'the same arguments in a few seconds.',
      );
    } finally {
      if (id != null) open.delete(id);
      listening.delete(abort);
    }
  }

  return {
    async take(text) {
      if (text.trim() === '') return;
      let message: BridgeMessage;
      try {
        message = (parseAnswer(text) ?? {}) as BridgeMessage;
      } catch {
        return write(
          JSON.stringify({
            jsonrpc: '2.0',
            id: null,
            error: {
              code: -32700,
              message: 'the line is not valid JSON. Check its quotes, commas and braces',
            },
          }),
        );
      }
      const { requestId } = message.params ?? {};
      // Over HTTP, a request is cancelled by closing its connection.
      if (message.method === 'notifications/cancelled' && requestId !== undefined)
        return open.get(requestId)?.abort();
      if (message.method === 'initialize') {
        handshake = forwardMessage(text, message);
        return handshake;
      }
      // All later messages need the version from the handshake.
      await handshake;
      await forwardMessage(text, message);
    },
    end() {
      for (const abort of listening) abort.abort();
    },
  };
}
