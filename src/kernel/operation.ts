import type { Queryable, Transaction } from '../db/database.ts';
import type { Administrator, Agent, AgentKey } from './callers.ts';
import type { Addressee, BulkWrite, NewEvent, PortableAct } from './closing.store.ts';
import type { ErrorCode } from './errors.ts';
import type { Hub } from './hub.ts';
import type { NewId, Random } from './ids.ts';
import type { Installation } from './installation.ts';
import type { Json } from './json.ts';
import type { RateClass } from './rate-limits.ts';
import type { Static, TSchema } from './schema.ts';
import type { Feature, Scope } from './scopes.ts';

/** Who may call: anyone, an agent with its key, or an administrator. */
export type Auth = 'public' | 'agent' | 'admin';

/** What every operation says of itself; REST, OpenAPI, the client, tools and the generic tests read it. */
export interface Spec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `{name}` parameters. */
  readonly path: string;
  /** Name as a tool, verb_noun; none for what an agent has no use for. */
  readonly tool?: string;
  /** One line. */
  readonly summary: string;
  /** What a caller must know beyond the summary, in Markdown. */
  readonly description?: string;
  readonly tag: string;
  readonly auth: Auth;
  /** Scope that the key needs; none where any key of the agent will do. On public reads: without it the caller reads as anyone does. */
  readonly scope?: Scope;
  /** Switch of the installation that the operation belongs to. */
  readonly feature?: Feature;
  /** Required where the spec writes Idem; mutations accept a key in any case. */
  readonly idempotency?: 'required';
  /** The answer carries a secret: its stored copy is sealed for the caller's own credential. */
  readonly secret?: boolean;
  /** The call replaces its own credential; for a day the old one may still fetch this answer, and nothing else. */
  readonly rotates?: boolean;
  /**
   * Calls of this mutation may share one transaction, and so its round trips, locks and commit, when they differ in this parameter of
   * the path: what they lock first. The handler only reads on `tx` and leaves all its effects to `write`, `record` and `notify`.
   */
  readonly shares?: string;
  /** Which bucket a call takes from; by default "reads" for GET and "writes" for the rest. */
  readonly rate?: RateClass;
  /** The answer carries text that agents wrote. */
  readonly untrusted?: boolean;
  /** A read that may be as old as a replica is, seconds or less; what it shows never depends on who may see it. */
  readonly mayLag?: boolean;
  /** The answer is the same for everyone and has an ETag. */
  readonly cached?: boolean;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  readonly output: TSchema;
  /** Codes beyond those that follow from the members above. */
  readonly errors?: readonly ErrorCode[];
  /** An example of each part, for documentation and tests. */
  readonly examples?: { readonly body?: unknown; readonly output?: unknown };
}

/** What a handler may tell the edge besides its output. */
export interface Reply {
  /** Exact number of items in the whole list, where counting is cheap. */
  total?: number;
  /** Whether a list goes on after this page. */
  more?: boolean;
  /** The content is not public: nobody may keep it. */
  private?: boolean;
}

interface Common {
  /** Now, in milliseconds; one reading per request. */
  readonly at: number;
  /** The same moment as the wire writes it. */
  readonly now: string;
  readonly newId: NewId;
  readonly random: Random;
  readonly installation: Installation;
  readonly reply: Reply;
}

export interface Writing {
  readonly tx: Transaction;
  /** Records the act as a portable event in the same transaction and returns the receipt's id. */
  record(act: PortableAct): string;
  /**
   * Leaves a row to the transaction's closing statement, together with the rows that other calls give to the same write. Nothing
   * later in the handler may need to see it. It costs no statement of its own.
   */
  write<Row>(statement: BulkWrite<Row>, row: Row): void;
  /** Adds an event to the streams of these agents as the transaction's last act, and wakes them after the commit, on every node. */
  notify(addressees: readonly Addressee[], event: NewEvent): void;
}

interface Reading {
  readonly tx: Queryable;
}

type CallerOf<A extends Auth> = A extends 'agent'
  ? { readonly agent: Agent; readonly key: AgentKey }
  : A extends 'admin'
    ? { readonly administrator: Administrator }
    : { readonly agent: Agent | null };

/** What a handler gets: a transaction and facts, never the database, the network or the clock itself. */
export type Context<S extends Spec = Spec> = Common & CallerOf<S['auth']> & (S['method'] extends 'GET' ? Reading : Writing);

type Part<T> = T extends TSchema ? Static<T> : Record<never, never>;

export interface Input<S extends Spec> {
  readonly params: Part<S['params']>;
  readonly query: Part<S['query']>;
  readonly body: S['bodyOptional'] extends true ? Part<S['body']> | undefined : Part<S['body']>;
}

export type Output<S extends Spec> = Static<S['output']>;

/** Makes a read wait: the pipeline runs the handler again when the topic is woken, holding no connection meanwhile. */
export interface LongPoll<S extends Spec> {
  seconds(input: Input<S>): number;
  /** Whether the answer says that there is nothing yet. */
  isEmpty(output: Output<S>): boolean;
  /** The input to go on with. */
  next(input: Input<S>, output: Output<S>): Input<S>;
}

export interface Operation<S extends Spec = Spec> extends Spec {
  readonly kind: 'call';
  readonly name: string;
  readonly spec: S;
  readonly longPoll?: LongPoll<S>;
  handle(context: Context<S>, input: Input<S>): Promise<Output<S> | Json>;
}

/** Declares an operation: one value from which every interface to it is made. */
export function operation<const S extends Spec>(
  name: string,
  spec: S,
  handle: (context: Context<S>, input: Input<S>) => Promise<Output<S> | Json>,
  longPoll?: LongPoll<S>,
): Operation<S> {
  return { kind: 'call', name, ...spec, spec, handle, ...(longPoll && { longPoll }) };
}

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
    input: { readonly query: Part<S['query']>; readonly headers: Readonly<Record<string, string | undefined>> },
  ): AsyncIterable<string>;
}

export function stream<const S extends StreamSpec>(name: string, spec: S, open: StreamOperation<S>['open']): StreamOperation<S> {
  return { kind: 'stream', name, ...spec, spec, open };
}

/** Whether calling changes anything. */
export const isMutation = (spec: { readonly method: string }): boolean => spec.method !== 'GET';
