import type { ReadableStream } from 'node:stream/web';
import type { StoaError } from '../errors.ts';
import type { Call } from './environment.ts';

/**
 * A request of the tool protocol as the HTTP edge hands it over: its origin is checked, its JSON is
 * read, nothing else.
 */
export interface ToolExchange
  extends Pick<Call, 'credentials' | 'address' | 'onRate' | 'onCaller'> {
  /** The headers that belong to the protocol, and none that carries a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON-RPC message. */
  readonly message: unknown;
  /** How long it is. */
  readonly bytes: number;
  readonly requestId: string;
  /** Aborts when the caller has gone. Made when first asked for. */
  readonly signal: () => AbortSignal;
  /**
   * Whatever was thrown, as an error that the caller may see; what is not known by name is logged.
   */
  readonly toError: (thrown: unknown) => StoaError;
  /** Told which operation the message calls. */
  readonly onOperation: (name: string) => void;
}

/** What the tool protocol answers: JSON as text, or Server-Sent Events as they come. */
export interface ToolAnswer {
  readonly status: number;
  /** Null where there is nothing to say. */
  readonly mediaType: string | null;
  readonly body: string | ReadableStream;
}

/** Answers a request of the tool protocol, whatever it is. */
export type ToolProtocol = (exchange: ToolExchange) => Promise<ToolAnswer>;
