import type { Blobs, ByteRange } from '../blobs/blobs.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { ApiDocument } from './api-document.ts';
import type { Administrator, Agent, AgentKey, Guest } from './callers.ts';
import type { Addressee, BulkWrite, NewEvent, PortableAct } from './closing.store.ts';
import type { Dial } from './dial.ts';
import type { ErrorCode } from './errors.ts';
import type { FormOperation } from './form.ts';
import type { Hub } from './hub.ts';
import type { NewId, Random } from './ids.ts';
import type { Installation } from './installation.ts';
import type { Json } from './json.ts';
import type { Page, Visitor } from './page.ts';
import type { RateClass } from './rate-limits.ts';
import type { Static, TSchema } from './schema.ts';
import type { Feature, Scope } from './scopes.ts';
import type { Signer } from './signer.ts';
import type { ReceivedFile } from './uploads.ts';
import type { Vault } from './vault.ts';

/** Who may call: anyone, an agent with its key, an administrator, or whoever has the key of a guest context. */
export type Auth = 'public' | 'agent' | 'admin' | 'context';

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
  /** In its place, for a model that chooses among tools: when this one and when another, what comes first, what comes back. */
  readonly guide?: string;
  readonly tag: string;
  readonly auth: Auth;
  /** Scope that the key needs; none where any key of the agent will do. On public reads: without it the caller reads as anyone does. */
  readonly scope?: Scope;
  /** Switch of the installation that the operation belongs to; of several, one must be on. */
  readonly feature?: Feature | readonly Feature[];
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
  /** A read whose cost depends on what is asked: each statement has so many milliseconds, then the answer is `unavailable`. All of them run by index, whatever is asked. */
  readonly readFor?: number;
  /** The answer is the same for everyone and has an ETag. */
  readonly cached?: boolean;
  /** For so many seconds anyone may keep a public answer without asking again; for ever where what stands at the address can never change. */
  readonly keep?: number | 'for ever';
  /** The last parameter of the path goes on to its end: it may have slashes in it. */
  readonly restOfPath?: true;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  /** The body is one file, in the field "file" of a form: see `upload` below. */
  readonly upload?: true;
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
  /** What the ETag is made of, where the body says more than that: when it was looked up. */
  version?: string;
}

interface Common {
  /** Now, in milliseconds; one reading per request. */
  readonly at: number;
  /** The same moment as the wire writes it. */
  readonly now: string;
  readonly newId: NewId;
  readonly random: Random;
  readonly installation: Installation;
  /** Signs the canonical form of a receipt's payload with the installation's key. */
  readonly sign: Signer['sign'];
  /** Keeps secrets that the service must use again. */
  readonly vault: Vault;
  /** The same under DATA_KEY, where there is one. */
  readonly safe: Vault;
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
    : A extends 'context'
      ? { readonly guest: Guest }
      : { readonly agent: Agent | null; readonly key: AgentKey | null };

/** What a handler gets: a transaction and facts, never the database, the network or the clock itself. */
export type Context<S extends Spec = Spec> = Common & CallerOf<S['auth']> & (S['method'] extends 'GET' ? Reading : Writing);

type Part<T> = T extends TSchema ? Static<T> : Record<never, never>;

export interface Input<S extends Spec> {
  readonly params: Part<S['params']>;
  readonly query: Part<S['query']>;
  readonly body: S['upload'] extends true ? ReceivedFile : S['bodyOptional'] extends true ? Part<S['body']> | undefined : Part<S['body']>;
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

/** Decides whether a file may come before a byte of it is read. The handler decides again, under its locks. Errors: the operation's. */
export type MayUpload<S extends Spec> = (context: Common & CallerOf<S['auth']> & Reading, input: Pick<Input<S>, 'params' | 'query'>) => Promise<void>;

/** What a call does before its own transaction: it decides in one, and then asks somebody outside, in none. */
export interface Reach<S extends Spec, Plan = unknown, Found = unknown> {
  /** May write: what it writes stays, whatever becomes of the call. */
  plan(context: Omit<Context<S>, 'write' | 'record' | 'notify'>, input: Input<S>): Promise<Plan>;
  /** Asks, and says what came of it. Never throws for what others did. */
  call(dial: Dial, plan: Plan): Promise<Found>;
}

/** What an operation that reached out asked, and what it got. */
export interface Reached<Plan = unknown, Found = unknown> {
  readonly plan: Plan;
  readonly found: Found;
}

export interface Operation<S extends Spec = Spec> extends Spec {
  readonly kind: 'call';
  readonly name: string;
  readonly spec: S;
  readonly longPoll?: LongPoll<S>;
  readonly mayUpload?: MayUpload<S>;
  readonly reach?: Reach<S>;
  handle(context: Context<S>, input: Input<S>, reached?: Reached): Promise<Output<S> | Json>;
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
 * Declares an operation that must ask somebody outside of the service: `plan` in a transaction, `call` in none, `settle` in another one. Everything
 * may have changed in between, so settling reads the state again.
 */
export function outgoing<const S extends Spec, Plan, Found>(
  name: string,
  spec: S,
  { settle, ...reach }: Reach<S, Plan, Found> & { settle(context: Context<S>, input: Input<S>, reached: Reached<Plan, Found>): Promise<Output<S>> },
): Operation<S> {
  // The casts: the pipeline hands to each step what the one before it returned.
  return {
    kind: 'call',
    name,
    ...spec,
    spec,
    reach: reach as Reach<S>,
    handle: (context, input, reached) => settle(context, input, reached as Reached<Plan, Found>),
  };
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

/** Bytes of some media type, found but not yet read. */
export interface Content {
  readonly mediaType: string;
  /** Only some may see it: nobody may keep it. */
  readonly private: boolean;
  /** Strong entity tag, without quotes. */
  readonly etag?: string;
  /** Bytes in all, where they are known before. */
  readonly size?: number;
  /** What others made is offered for download under this name, and never shown as a page of this service. */
  readonly download?: string;
  /** Further headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The bytes, read as they are asked for; a range of them only where the operation has `ranges`. An error with the first piece is
   * answered as any other; a later one breaks the answer off: it must never look whole.
   */
  open(range?: ByteRange): AsyncIterable<Uint8Array | string>;
}

export interface ContentSpec extends Omit<Spec, 'method' | 'output'> {
  readonly method: 'GET';
  /** Media type, or a range of them, of what is answered. */
  readonly media: string;
  /** The content has an entity tag and a size, and any part of it can be had alone. */
  readonly ranges?: true;
  /** The content has a name to keep it under. */
  readonly download?: true;
  /** For people: they read it with a session too, and what is wrong is told by a page. */
  readonly forPeople?: true;
  /** What is answered instead of a refusal while the installation has it switched off: a page says how to switch it on. */
  readonly off?: Page;
}

/** What finds content: a read's context, and what an answer that takes its time needs. */
export type ContentContext<S extends Pick<Spec, 'auth'> = ContentSpec> = Common &
  CallerOf<S['auth']> &
  Reading & {
    readonly blobs: Blobs;
    /** What the interface is, for pages about it. */
    readonly openApi: () => ApiDocument;
    readonly signal: AbortSignal;
    /** Whom a page greets: who has a session. */
    readonly visitor: Visitor | null;
    /** Runs reads that may be long: in their turn among such, in one snapshot, each statement for so many milliseconds at most. */
    readLong<Result>(milliseconds: number, work: (tx: Queryable) => Promise<Result>): Promise<Result>;
    /** As whom the call acts by now, for answers that take their time: a key may have been revoked or an agent blocked. Errors: as for any call. */
    agentNow(): Promise<Agent | null>;
  };

/** An operation whose answer is not JSON: a file, a text, an export. */
export interface ContentOperation<S extends ContentSpec = ContentSpec> extends ContentSpec {
  readonly kind: 'content';
  readonly name: string;
  readonly spec: S;
  find(context: ContentContext<S>, input: { readonly params: Part<S['params']>; readonly query: Part<S['query']> }): Promise<Content>;
}

export function content<const S extends ContentSpec>(name: string, spec: S, find: ContentOperation<S>['find']): ContentOperation<S> {
  return { kind: 'content', name, ...spec, spec, find };
}

export type AnyOperation = Operation | StreamOperation | ContentOperation | FormOperation;

/** Whether people read it, with a browser and by a session. */
export const isForPeople = (operation: AnyOperation): boolean => operation.kind === 'form' || ('forPeople' in operation && operation.forPeople === true);

/** Whether members of a query that it does not know are left out instead of refused: people come by links that others put marks on, such as utm_source. */
export const ignoresUnknownQuery = (operation: AnyOperation): boolean => operation.kind === 'content' && operation.forPeople === true;

/** Whether calling changes anything. */
export const isMutation = (spec: { readonly method: string }): boolean => spec.method !== 'GET';
