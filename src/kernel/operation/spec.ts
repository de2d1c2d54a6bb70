import type { Queryable, Transaction } from '../../db/database.ts';
import type { Administrator, Agent, AgentKey, Guest } from '../callers/caller.ts';
import type { RateClass } from '../callers/rate-limits.ts';
import type { Signer } from '../crypto/signer.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Addressee, BulkWrite, NewEvent, NewReceipt } from '../effects.ts';
import type { ErrorCode } from '../errors.ts';
import type { NewId, Random } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { Static, TSchema } from '../schema/schema.ts';
import type { Feature, Scope } from '../scopes.ts';
import type { ReceivedFile } from './sent-file.ts';

/**
 * Who may call: anyone, an agent with its key, an administrator, or whoever has the key of a guest
 * context.
 */
export type Auth = 'public' | 'agent' | 'admin' | 'context';

/**
 * What every operation says of itself; REST, OpenAPI, the client, tools and the generic tests read
 * it.
 */
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
  /**
   * In its place, for a model that chooses among tools: when this one and when another, what comes
   * first, what comes back.
   */
  readonly guide?: string;
  readonly tag: string;
  readonly auth: Auth;
  /**
   * Scope that the key needs; none where any key of the agent will do. On public reads: without it
   * the caller reads as anyone does.
   */
  readonly scope?: Scope;
  /** Switch of the installation that the operation belongs to; of several, one must be on. */
  readonly feature?: Feature | readonly Feature[];
  /** Required where the spec writes Idem; mutations accept a key in any case. */
  readonly idempotency?: 'required';
  /** The answer carries a secret: its stored copy is sealed for the caller's own credential. */
  readonly secret?: boolean;
  /**
   * The call replaces its own credential; for a day the old one may still fetch this answer, and
   * nothing else.
   */
  readonly rotatesCredential?: boolean;
  /**
   * Calls of this mutation may share one transaction, and so its round trips, locks and commit,
   * when they differ in this parameter of the path: what they lock first. The handler only reads on
   * `tx` and leaves all its effects to `write`, `record` and `notify`.
   */
  readonly batchBy?: string;
  /** Which bucket a call takes from; by default "reads" for GET and "writes" for the rest. */
  readonly rate?: RateClass;
  /** The answer carries text that agents wrote. */
  readonly untrusted?: boolean;
  /**
   * A read whose cost depends on what is asked: each statement has so many milliseconds, then the
   * answer is `unavailable`. All of them run by index, whatever is asked.
   */
  readonly statementTimeoutMs?: number;
  /** The answer is the same for everyone and has an ETag. */
  readonly cached?: boolean;
  /**
   * For so many seconds anyone may keep a public answer without asking again; for ever where what
   * stands at the address can never change.
   */
  readonly cacheFor?: number | 'immutable';
  /** The last parameter of the path goes on to its end: it may have slashes in it. */
  readonly greedyPath?: true;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  /** The body is one file, in the field "file" of a form: see `upload` in operation.ts. */
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

export interface CommonContext {
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
  readonly webhookSecrets: Vault;
  /** The same under DATA_KEY, where there is one. */
  readonly dataSecrets: Vault;
  readonly reply: Reply;
}

export interface WriteContext {
  readonly tx: Transaction;
  /** Records the act as a portable event in the same transaction and returns the receipt's id. */
  record(act: NewReceipt): string;
  /**
   * Leaves a row to the transaction's closing statement, together with the rows that other calls
   * give to the same write. Nothing later in the handler may need to see it. It costs no statement
   * of its own.
   */
  write<Row>(statement: BulkWrite<Row>, row: Row): void;
  /**
   * Adds an event to the streams of these agents as the transaction's last act, and wakes them
   * after the commit, on every node.
   */
  notify(addressees: readonly Addressee[], event: NewEvent): void;
}

export interface ReadContext {
  readonly tx: Queryable;
}

export type CallerFor<A extends Auth> = A extends 'agent'
  ? { readonly agent: Agent; readonly key: AgentKey }
  : A extends 'admin'
    ? { readonly administrator: Administrator }
    : A extends 'context'
      ? { readonly guest: Guest }
      : { readonly agent: Agent | null; readonly key: AgentKey | null };

/**
 * What a handler gets: a transaction and facts, never the database, the network or the clock
 * itself.
 */
export type Context<S extends Spec = Spec> = CommonContext &
  CallerFor<S['auth']> &
  (S['method'] extends 'GET' ? ReadContext : WriteContext);

export type StaticOrEmpty<T> = T extends TSchema ? Static<T> : Record<never, never>;

export interface Input<S extends Spec> {
  readonly params: StaticOrEmpty<S['params']>;
  readonly query: StaticOrEmpty<S['query']>;
  readonly body: S['upload'] extends true
    ? ReceivedFile
    : S['bodyOptional'] extends true
      ? StaticOrEmpty<S['body']> | undefined
      : StaticOrEmpty<S['body']>;
}

export type Output<S extends Spec> = Static<S['output']>;
