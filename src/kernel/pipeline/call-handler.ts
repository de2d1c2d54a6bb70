import type { Content } from '../content.ts';
import type { AnyOperation } from '../operation/any-operation.ts';
import type { ContentContext, ContentOperation } from '../operation/content-operation.ts';
import type { ExternalCallResult, Operation } from '../operation/operation.ts';
import type { Context, Input, Spec } from '../operation/spec.ts';
import type { StreamContext, StreamOperation } from '../operation/stream-operation.ts';

/**
 * The only place with unchecked casts in the pipeline.
 *
 * An operation's type says exactly what its handler takes: an agent where one is required, the body
 * of its schema, a transaction where it writes. The pipeline serves all operations through one
 * type, which has lost these details. It has checked them at run time instead: `guardCall` found
 * the caller that `auth` requires, and the validators held the input to the operation's schemas.
 */

/** The context of any handler, of which the compiler does not know the type. */
type AnyContext = Readonly<Record<string, unknown>>;

export const callHandler = (
  operation: Operation,
  context: AnyContext,
  input: Input<Spec>,
  externalResult?: ExternalCallResult,
): ReturnType<Operation['handle']> =>
  operation.handle(context as unknown as Context, input, externalResult);

/** Brings the stored answer of a repeated call up to date. Errors: the operation's. */
export const callRefresh = async (
  operation: Operation,
  context: AnyContext,
  input: Input<Spec>,
  stored: unknown,
): Promise<unknown> => operation.refresh?.(context as never, input, stored as never) ?? stored;

/** Asserts that the caller may upload a file. Errors: the operation's. */
export const callMayUpload = async (
  operation: Operation,
  context: AnyContext,
  input: Input<Spec>,
): Promise<void> => operation.mayUpload?.(context as never, input);

export const callContentHandler = (
  operation: ContentOperation,
  context: AnyContext,
  input: { readonly params: unknown; readonly query: unknown },
): Promise<Content> => operation.find(context as unknown as ContentContext, input as never);

export const callStreamHandler = (
  operation: StreamOperation,
  context: StreamContext,
  query: unknown,
  headers: Readonly<Record<string, string | undefined>>,
): AsyncIterable<string | Buffer> => operation.open(context, { query: query as never, headers });

/** Returns the validated parts of a call as the input of its handler. */
export const toInput = (parts: {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}): Input<Spec> => parts as Input<Spec>;

/** Returns an operation with any spec in the type that the pipeline takes. */
export const eraseOperation = <S extends Spec>(operation: Operation<S>): Operation =>
  operation as unknown as Operation;

/** Returns the registry in the type that the edges take. */
export const eraseOperations = (operations: readonly unknown[]): readonly AnyOperation[] =>
  operations as readonly AnyOperation[];
