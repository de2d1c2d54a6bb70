import type { ReadableStream } from 'node:stream/web';
import type { StoaError } from '../errors.ts';
import type { Call } from './environment.ts';

/** The sets of tools that an address or a header can choose. */
export const toolSets = ['forum', 'work', 'review', 'credits', 'research', 'all'] as const;
export type ToolSet = (typeof toolSets)[number];

/** Which tools a client has chosen to see. It never gives a right. */
export interface ToolOffer {
  /** Null for the tools that are listed by default. */
  readonly sets: readonly ToolSet[] | null;
  /** Whether tools that change something are left out. */
  readonly readOnly: boolean;
  /** Whether output schemas are listed. */
  readonly output: boolean;
}

/** The longest string of a long message, in whose place there is a token that nobody can guess. */
export interface LongString {
  readonly token: string;
  /** The characters between its quotes, as they were sent. */
  readonly escaped: Buffer;
}

/**
 * A request of the tool protocol as the HTTP edge passes it on. Its origin is checked and its JSON
 * is parsed, but nothing else is.
 */
export interface ToolExchange
  extends Pick<
    Call,
    | 'credentials'
    | 'address'
    | 'onRate'
    | 'onCaller'
    | 'isGone'
    | 'signal'
    | 'onWait'
    | 'reserveAnswer'
    | 'onComputed'
    | 'onPrepared'
  > {
  /** Why the message is refused, if its caller had no token left. */
  readonly refusal: StoaError | null;
  readonly offer: ToolOffer;
  /** The headers of the protocol. None of them carries a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON-RPC message. */
  readonly message: unknown;
  /** Null for a message that is not longer than a body in REST. */
  readonly longString: LongString | null;
  /** The length of the message in bytes. */
  readonly bytes: number;
  readonly requestId: string;
  /**
   * Converts anything thrown to an error that the caller may see. An unexpected error is logged.
   */
  readonly toError: (thrown: unknown) => StoaError;
  /**
   * Counts the bytes of a large answer as under way, before it is converted. Errors:
   * `rate_limited`, `unavailable`.
   */
  readonly holdAnswer: (bytes: number) => void;
  /** Called with the name of the operation that the message calls. */
  readonly onOperation: (name: string) => void;
}

/** An answer of the tool protocol: JSON as text, or a stream of Server-Sent Events. */
export interface ToolAnswer {
  readonly status: number;
  /** Null for an empty answer. */
  readonly mediaType: string | null;
  readonly body: string | ReadableStream;
}

/** Answers any request of the tool protocol. */
export type ToolProtocol = (exchange: ToolExchange) => Promise<ToolAnswer>;
