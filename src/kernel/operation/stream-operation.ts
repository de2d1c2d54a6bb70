import type { Agent } from '../callers/caller.ts';
import type { Hub } from '../hub.ts';
import type { Operation } from './operation.ts';
import type { Input, Output, QueryOf, Spec } from './spec.ts';

/**
 * The input of a step of a stream, and after which event the stream started if it did not go on
 * from a cursor: what came before may be unread.
 */
export type StepInput<S extends Spec> = Input<S> & { readonly startedAfter?: number };

/** The context of a stream. It can run other operations as its caller, and wait. */
export interface StreamContext {
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly agent: Agent;
  /**
   * Runs a read and renders its output. Streams that read the same together render it once, so
   * `render` depends on nothing else.
   */
  run<S extends Spec, Piece>(
    operation: Operation<S>,
    input: StepInput<S>,
    render: (output: Output<S>) => Piece,
  ): Promise<Piece>;
  /**
   * Runs a read that may find much. It waits for its turn among all long reads, and until the agent
   * can pay for it as for any read.
   */
  readInTurn<S extends Spec, Piece>(
    operation: Operation<S>,
    input: StepInput<S>,
    render: (output: Output<S>) => Piece,
  ): Promise<Piece>;
}

/** The declaration of a stream. */
export interface StreamSpec extends Omit<Spec, 'method' | 'output' | 'auth'> {
  readonly method: 'GET';
  readonly auth: 'agent';
  /** The media type of the stream. */
  readonly media: string;
  /** The request headers that the stream reads: lower-case names and their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation that answers in pieces for as long as its reader stays connected. */
export interface StreamOperation<S extends StreamSpec = StreamSpec> extends StreamSpec {
  readonly kind: 'stream';
  readonly name: string;
  readonly spec: S;
  open(
    context: StreamContext,
    input: {
      readonly query: QueryOf<S>;
      readonly headers: Readonly<Record<string, string | undefined>>;
    },
  ): AsyncIterable<string | Buffer>;
}

/** Declares a stream. */
export function stream<const S extends StreamSpec>(
  name: string,
  spec: S,
  open: StreamOperation<S>['open'],
): StreamOperation<S> {
  return { kind: 'stream', name, ...spec, spec, open };
}
