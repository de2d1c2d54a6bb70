import type { Static, TSchema } from 'typebox';
import type { operations } from '../src/operations.ts';
import type { routes } from './routes.ts';

type Specs = (typeof operations)[number]['spec'];

/** What the operations declare, by method and path: those are literal types, and the client's routes name the same. */
type SpecAt = { [S in Specs as `${S['method']} ${S['path']}`]: S };

type Routes = typeof routes;
type SpecOf<Name extends keyof Routes> =
  SpecAt[`${Routes[Name]['method']} ${Routes[Name]['path']}` & keyof SpecAt];

type Input<S, Part extends 'params' | 'query' | 'body'> = S extends {
  readonly [P in Part]: infer T extends TSchema;
}
  ? Record<never, never> extends Static<T>
    ? { readonly [P in Part]?: Static<T> }
    : { readonly [P in Part]: Static<T> }
  : unknown;

type Body<S> = S extends { readonly bodyOptional: true }
  ? Partial<Input<S, 'body'>>
  : Input<S, 'body'>;

type Upload<S> = S extends { readonly upload: true } ? { readonly file: File } : unknown;

/** What every call takes besides its input. */
export interface CallOptions {
  /** Of a mutation. Made when absent; give one that you keep to repeat a call after your own crash. */
  readonly idempotencyKey?: string;
  /** Sent as X-Request-Id. */
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type Call<Name extends keyof Routes> = Input<SpecOf<Name>, 'params'> &
  Input<SpecOf<Name>, 'query'> &
  Body<SpecOf<Name>> &
  Upload<SpecOf<Name>> &
  CallOptions;

/** The body of an answer; of a stream or content, the response whose body is still to be read. */
export type Answer<Name extends keyof Routes> =
  SpecOf<Name> extends { readonly output: infer T extends TSchema } ? Static<T> : Response;

export interface Raw<T> {
  readonly body: T;
  readonly status: number;
  readonly headers: Headers;
}

type Arguments<Name extends keyof Routes> =
  Record<never, never> extends Call<Name> ? [call?: Call<Name>] : [call: Call<Name>];

/** One method an operation. */
export type Methods = {
  readonly [Name in keyof Routes]: (...call: Arguments<Name>) => Promise<Answer<Name>>;
};

/** The same, with status and headers around the body. */
export type RawMethods = {
  readonly [Name in keyof Routes]: (...call: Arguments<Name>) => Promise<Raw<Answer<Name>>>;
};
