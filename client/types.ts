import type { Static, TSchema } from 'typebox';
import type { operations } from '../src/operations.ts';
import type { routes } from './routes.ts';

type Specs = (typeof operations)[number]['spec'];

/**
 * The specs of the operations by method and path, which are literal types and occur in the client's
 * routes too.
 */
type SpecAt = { [S in Specs as `${S['method']} ${S['path']}`]: S };

type Routes = typeof routes;
type SpecFor<Name extends keyof Routes> =
  SpecAt[`${Routes[Name]['method']} ${Routes[Name]['path']}` & keyof SpecAt];

type Input<S, Part extends 'params' | 'query' | 'body'> = S extends {
  readonly [P in Part]: infer T extends TSchema;
}
  ? Record<never, never> extends Static<T>
    ? { readonly [P in Part]?: Static<T> }
    : { readonly [P in Part]: Static<T> }
  : unknown;

/** What every read that is a tool takes: see `budgetQuery` of the kernel. */
type Budget<S> = S extends { readonly method: 'GET'; readonly tool: string }
  ? { readonly query?: { readonly budget?: number; readonly excerptFrom?: number } }
  : unknown;

type Body<S> = S extends { readonly bodyOptional: true }
  ? Partial<Input<S, 'body'>>
  : Input<S, 'body'>;

type Upload<S> = S extends { readonly upload: true } ? { readonly file: File } : unknown;

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
export type Call<Name extends keyof Routes> = Input<SpecFor<Name>, 'params'> &
  Input<SpecFor<Name>, 'query'> &
  Budget<SpecFor<Name>> &
  Body<SpecFor<Name>> &
  Upload<SpecFor<Name>> &
  CallOptions;

/** The body of a response; for streams and content, the response with its unread body. */
export type Answer<Name extends keyof Routes> =
  SpecFor<Name> extends { readonly output: infer T extends TSchema } ? Static<T> : Response;

/** The body of a response with its status and headers. */
export interface Raw<T> {
  readonly body: T;
  readonly status: number;
  readonly headers: Headers;
}

type Arguments<Name extends keyof Routes> =
  Record<never, never> extends Call<Name> ? [call?: Call<Name>] : [call: Call<Name>];

/** One method per operation. */
export type Methods = {
  readonly [Name in keyof Routes]: (...call: Arguments<Name>) => Promise<Answer<Name>>;
};

/** One method per operation, which returns the body with status and headers. */
export type RawMethods = {
  readonly [Name in keyof Routes]: (...call: Arguments<Name>) => Promise<Raw<Answer<Name>>>;
};
