import type { Queryable } from '../../db/database.ts';
import type { Dial } from '../../outgoing/dial.ts';
import type { RawJson } from '../schema/json.ts';
import { addBudgetQuery } from './budget-query.ts';
import type {
  CallerFor,
  CommonContext,
  Context,
  Input,
  Output,
  ReadContext,
  Spec,
  WriteContext,
} from './spec.ts';

/**
 * Makes a read wait for news, or a mutation for something to act on. When the agent is woken, the
 * pipeline runs the handler again. While it waits, it holds no connection.
 */
export interface LongPoll<S extends Spec> {
  seconds(input: Input<S>): number;
  /** Whether the answer has no news yet. */
  isEmpty(output: Output<S>): boolean;
  /** Returns the input for the next attempt. */
  next(input: Input<S>, output: Output<S>): Input<S>;
  /** The topic that wakes it. Without one, the events of the caller do. */
  topic?(input: Input<S>, agentId: string): string;
  /** Who looks when the topic has news in some places; without it, everybody does. */
  readonly mayKnow?: MayKnow;
}

/**
 * Says of each of these waits whether its agent may know of news in one of its places. It looks no
 * sooner: a look may end in an error, and so tell when it was.
 */
export type MayKnow = (
  db: Queryable,
  waits: readonly NewsOfPlaces[],
) => Promise<readonly boolean[]>;

/** News in places of which an agent may know or not. */
export interface NewsOfPlaces {
  readonly agentId: string;
  readonly places: readonly string[];
}

/**
 * Brings the stored answer of a repeated call up to date, where the contract says so. It reads
 * outside of any transaction.
 * Errors: the operation's own.
 */
export type Refresh<S extends Spec> = (
  context: CommonContext & CallerFor<S['auth']> & ReadContext,
  input: Input<S>,
  stored: Output<S>,
) => Promise<Output<S>>;

/**
 * Decides whether the caller may upload a file, before the first byte is read. The handler decides
 * again, under its locks. Errors: the operation's.
 */
export type MayUpload<S extends Spec> = (
  context: CommonContext & CallerFor<S['auth']> & ReadContext,
  input: Pick<Input<S>, 'params' | 'query'>,
) => Promise<void>;

/**
 * The steps of a call that come before its own transaction: a decision in a transaction, and then a
 * request to an external system outside of any transaction.
 */
export interface ExternalCall<S extends Spec, Plan = unknown, Found = unknown> {
  /** Decides what to request. It may write, and its writes persist even if the call fails later. */
  plan(
    context: Omit<Context<S>, Exclude<keyof WriteContext, 'tx'>>,
    input: Input<S>,
  ): Promise<Plan>;
  /** Makes the request and returns its result. It never throws because of an external failure. */
  call(dial: Dial, plan: Plan): Promise<Found>;
}

/** The plan of an external call and its result. */
export interface ExternalCallResult<Plan = unknown, Found = unknown> {
  readonly plan: Plan;
  readonly result: Found;
}

/** A read or a mutation with a JSON answer. */
export interface Operation<S extends Spec = Spec> extends Spec {
  readonly kind: 'call';
  readonly name: string;
  readonly spec: S;
  readonly longPoll?: LongPoll<S>;
  readonly refresh?: Refresh<S>;
  readonly mayUpload?: MayUpload<S>;
  readonly externalCall?: ExternalCall<S>;
  handle(
    context: Context<S>,
    input: Input<S>,
    externalResult?: ExternalCallResult,
  ): Promise<Output<S> | RawJson>;
}

/** Declares an operation, from which all of its interfaces are derived. */
export function operation<const S extends Spec>(
  name: string,
  spec: S,
  handle: (context: Context<S>, input: Input<S>) => Promise<Output<S> | RawJson>,
  longPoll?: LongPoll<S> | null,
  refresh?: Refresh<S>,
): Operation<S> {
  const query = addBudgetQuery(spec);
  return {
    kind: 'call',
    name,
    ...spec,
    ...(query && { query }),
    spec,
    handle,
    ...(longPoll && { longPoll }),
    ...(refresh && { refresh }),
  };
}

/** Declares an operation that takes a file. The bytes are stored before its handler runs. */
export function upload<const S extends Spec & { readonly upload: true }>(
  name: string,
  spec: S,
  mayUpload: MayUpload<S>,
  handle: (context: Context<S>, input: Input<S>) => Promise<Output<S>>,
): Operation<S> {
  return { kind: 'call', name, ...spec, spec, mayUpload, handle };
}

/**
 * Declares an operation that calls an external system. `plan` runs in a transaction, `call` in
 * none, and `settle` in another one. Everything may have changed in between, so `settle` reads the
 * state again.
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
  // The casts are safe because the pipeline passes to each step what the previous one returned.
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
