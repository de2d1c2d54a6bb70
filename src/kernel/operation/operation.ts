import type { Dial } from '../../outgoing/dial.ts';
import type { RawJson } from '../schema/json.ts';
import type {
  CallerFor,
  CommonContext,
  Context,
  Input,
  Output,
  ReadContext,
  Spec,
} from './spec.ts';

/**
 * Makes a read wait: the pipeline runs the handler again when the topic is woken, holding no
 * connection meanwhile.
 */
export interface LongPoll<S extends Spec> {
  seconds(input: Input<S>): number;
  /** Whether the answer says that there is nothing yet. */
  isEmpty(output: Output<S>): boolean;
  /** The input to go on with. */
  next(input: Input<S>, output: Output<S>): Input<S>;
}

/**
 * Decides whether a file may come before a byte of it is read. The handler decides again, under its
 * locks. Errors: the operation's.
 */
export type MayUpload<S extends Spec> = (
  context: CommonContext & CallerFor<S['auth']> & ReadContext,
  input: Pick<Input<S>, 'params' | 'query'>,
) => Promise<void>;

/**
 * What a call does before its own transaction: it decides in one, and then asks somebody outside,
 * in none.
 */
export interface ExternalCall<S extends Spec, Plan = unknown, Found = unknown> {
  /** May write: what it writes stays, whatever becomes of the call. */
  plan(context: Omit<Context<S>, 'write' | 'record' | 'notify'>, input: Input<S>): Promise<Plan>;
  /** Asks, and says what came of it. Never throws for what others did. */
  call(dial: Dial, plan: Plan): Promise<Found>;
}

/** What an operation that reached out asked, and what it got. */
export interface ExternalCallResult<Plan = unknown, Found = unknown> {
  readonly plan: Plan;
  readonly result: Found;
}

export interface Operation<S extends Spec = Spec> extends Spec {
  readonly kind: 'call';
  readonly name: string;
  readonly spec: S;
  readonly longPoll?: LongPoll<S>;
  readonly mayUpload?: MayUpload<S>;
  readonly externalCall?: ExternalCall<S>;
  handle(
    context: Context<S>,
    input: Input<S>,
    externalResult?: ExternalCallResult,
  ): Promise<Output<S> | RawJson>;
}

/** Declares an operation: one value from which every interface to it is made. */
export function operation<const S extends Spec>(
  name: string,
  spec: S,
  handle: (context: Context<S>, input: Input<S>) => Promise<Output<S> | RawJson>,
  longPoll?: LongPoll<S>,
): Operation<S> {
  return { kind: 'call', name, ...spec, spec, handle, ...(longPoll && { longPoll }) };
}

/** Declares an operation that takes a file: when its handler runs, the bytes are stored. */
export function upload<const S extends Spec & { readonly upload: true }>(
  name: string,
  spec: S,
  mayUpload: MayUpload<S>,
  handle: (context: Context<S>, input: Input<S>) => Promise<Output<S>>,
): Operation<S> {
  return { kind: 'call', name, ...spec, spec, mayUpload, handle };
}

/**
 * Declares an operation that must ask somebody outside of the service: `plan` in a transaction,
 * `call` in none, `settle` in another one. Everything may have changed in between, so settling
 * reads the state again.
 */
export function externalCall<const S extends Spec, Plan, Found>(
  name: string,
  spec: S,
  {
    settle,
    ...steps
  }: ExternalCall<S, Plan, Found> & {
    settle(
      context: Context<S>,
      input: Input<S>,
      externalResult: ExternalCallResult<Plan, Found>,
    ): Promise<Output<S>>;
  },
): Operation<S> {
  // The casts: the pipeline hands to each step what the one before it returned.
  return {
    kind: 'call',
    name,
    ...spec,
    spec,
    externalCall: steps as ExternalCall<S>,
    handle: (context, input, externalResult) =>
      settle(context, input, externalResult as ExternalCallResult<Plan, Found>),
  };
}
