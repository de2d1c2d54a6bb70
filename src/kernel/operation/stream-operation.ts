import type { Agent } from '../callers/caller.ts';
import type { Hub } from '../hub.ts';
import type { Operation } from './operation.ts';
import type { Input, Output, Spec, StaticOrEmpty } from './spec.ts';

/** What a stream may do: run other operations as its caller, and wait. */
export interface StreamContext {
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly agent: Agent;
  run<S extends Spec>(operation: Operation<S>, input: Input<S>): Promise<Output<S>>;
}

export interface StreamSpec extends Omit<Spec, 'method' | 'output' | 'auth'> {
  readonly method: 'GET';
  readonly auth: 'agent';
  /** Media type of what is streamed. */
  readonly media: string;
  /** Header that takes part in the query, for example Last-Event-ID as `lastEventId`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation that answers piece by piece for as long as its reader stays. */
export interface StreamOperation<S extends StreamSpec = StreamSpec> extends StreamSpec {
  readonly kind: 'stream';
  readonly name: string;
  readonly spec: S;
  open(
    context: StreamContext,
    input: {
      readonly query: StaticOrEmpty<S['query']>;
      readonly headers: Readonly<Record<string, string | undefined>>;
    },
  ): AsyncIterable<string>;
}

export function stream<const S extends StreamSpec>(
  name: string,
  spec: S,
  open: StreamOperation<S>['open'],
): StreamOperation<S> {
  return { kind: 'stream', name, ...spec, spec, open };
}
