import type { Operations } from '../generated/operation-types.ts';

/** The options of every call, besides its input. */
export interface CallOptions {
  /**
   * The idempotency key of a mutation; by default a random one. Pass one that you have stored to
   * repeat a call after a crash of your program.
   */
  readonly idempotencyKey?: string;
  /** The id that is sent as X-Request-Id. */
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The input of an operation. */
export type Call<Name extends keyof Operations> = Omit<Operations[Name], 'answer'> & CallOptions;

/** The body of a response; for streams and content, the response with its unread body. */
export type Answer<Name extends keyof Operations> = Operations[Name]['answer'];

/** The body of a response with its status and headers. */
export interface Raw<T> {
  readonly body: T;
  readonly status: number;
  readonly headers: Headers;
}

type Arguments<Name extends keyof Operations> =
  Record<never, never> extends Call<Name> ? [call?: Call<Name>] : [call: Call<Name>];

/** One method per operation. */
export type Methods = {
  readonly [Name in keyof Operations]: (...call: Arguments<Name>) => Promise<Answer<Name>>;
};

/** One method per operation, which returns the body with status and headers. */
export type RawMethods = {
  readonly [Name in keyof Operations]: (...call: Arguments<Name>) => Promise<Raw<Answer<Name>>>;
};
