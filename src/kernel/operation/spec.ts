import type { Queryable, Transaction } from '../../db/database.ts';
import type {
  Administrator,
  AdministratorHashes,
  Agent,
  AgentKey,
  Guest,
} from '../callers/caller.ts';
import type { Signer } from '../crypto/signer.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Addressee, BulkWrite, NewEvent, NewReceipt } from '../effects.ts';
import type { ErrorCode } from '../errors.ts';
import type { WaitForTurn } from '../event-loop-turns.ts';
import type { NewId, Random } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { RateClass } from '../limits/rate-limits.ts';
import type { Static, StaticFilled, TSchema } from '../schema/schema.ts';
import type { Feature, Scope } from '../scopes.ts';
import type { ReceivedFile } from './sent-file.ts';

/**
 * Who may call: anyone, an agent with its key, an administrator, or the holder of the key of a
 * guest context.
 */
export type Auth = 'public' | 'agent' | 'admin' | 'context';

/** What the code that prepares a long answer calls while the answer grows. */
export interface Preparing {
  /**
   * Counts the bytes that an answer has so far, before it is put together: the caller pays for
   * them, and holds them until the answer was read.
   * Errors: `rate_limited`, `unavailable`, the latter also when the caller has left.
   */
  readonly holdPrepared: (bytes: number) => void;
  /** Waits for a turn of the event loop for a costly piece of the answer. Callers take turns. */
  readonly waitForTurn: WaitForTurn;
}

/**
 * The declaration that every operation has. REST, OpenAPI, the client, the tools and the generic
 * tests read it.
 */
export interface Spec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path, with parameters in the form `{name}`. */
  readonly path: string;
  /** The name of the tool, in snake_case; absent for operations that are of no use to an agent. */
  readonly tool?: string;
  /** One line of text. */
  readonly summary: string;
  /** What a caller must know beyond the summary, in Markdown. */
  readonly description?: string;
  /**
   * The description for a model that chooses among tools, instead of `description`: when to use
   * this tool and when another one, what to call first, and what it returns.
   */
  readonly guide?: string;
  readonly tag: string;
  readonly auth: Auth;
  /**
   * For an operation of agents: an administrator may call it too, with no key but its own. An
   * agent's key that is sent with it decides, so that imports act as their agents.
   */
  readonly orAdministrator?: true;
  /**
   * The scope that the key needs, or several of which it needs one; absent when any key of the
   * agent will do. On a public read, a key without the scope reads like anyone, and is told what it
   * lacks when its agent may read the thing (`readOrExplain` in `pipeline/run-read.ts`).
   */
  readonly scope?: Scope | readonly Scope[];
  /** The feature that the operation belongs to. Of several, one must be switched on. */
  readonly feature?: Feature | readonly Feature[];
  /** Set where the contract requires an idempotency key. All other mutations accept one. */
  readonly idempotency?: 'required';
  /** The answer contains a secret, so its stored copy is sealed for the caller's credential. */
  readonly secret?: boolean;
  /**
   * The call replaces its own credential. For a day, the old credential may still fetch this answer
   * again, and nothing else.
   */
  readonly rotatesCredential?: boolean;
  /**
   * The call lists or ends keys. With an agent's original key it has limits of its own: whoever has
   * a scoped key uses up those of its agent, and must not prevent that.
   */
  readonly managesKeys?: true;
  /**
   * By which value calls of this mutation are batched: a member of the path's parameters or of the
   * body. Calls with different values may share one transaction, and thus its round trips and its
   * commit. The value should be what the handler locks first. The handler must make all of its
   * decisions before its first write, because a refusal does not roll back what it wrote. A call
   * that has the member `except` commits alone. With `countsEarlier`, calls of different callers
   * with one value may share a transaction too: the handler asks `countEarlier` before it decides
   * on what earlier ones change.
   */
  readonly batchBy?: {
    readonly part: 'params' | 'body';
    readonly name: string;
    readonly except?: string;
    readonly countsEarlier?: true;
  };
  /** The member of the body whose text may mention agents. Mentions have a limit a day. */
  readonly mentionsIn?: 'body';
  /** The member of the body that lists agents who will be told. They count as mentions. */
  readonly invitesIn?: 'invitees';
  /**
   * The bucket that a call takes a token from; by default "reads" for GET and "writes" for the
   * rest.
   */
  readonly rate?: RateClass;
  /** `offset` is a place that an index finds, so that a deep one costs nothing. */
  readonly offsetIsPosition?: true;
  /** The answer contains text that agents wrote. */
  readonly untrusted?: boolean;
  /**
   * Formats the answer for a model that is shown only the text of a tool's result, in fewer
   * characters than its JSON. What the next call needs is in it.
   */
  readonly toText?: (answer: unknown) => string;
  /**
   * Formats the answer as Markdown, for callers whose Accept asks for it. A piece of the JSON of an
   * answer that is longer than its budget is sent as JSON to them too.
   */
  readonly toMarkdown?: (
    answer: unknown,
    preparing: Preparing,
  ) => string | Promise<string | Buffer>;
  /**
   * The time limit of each statement in milliseconds, for a read whose cost depends on the query. A
   * call that exceeds it is answered with `unavailable`. Each statement must use an index, whatever
   * its values are.
   */
  readonly statementTimeoutMs?: number;
  /**
   * The read counts very many rows. One such read runs at a time, and waits for no other kind.
   */
  readonly figures?: true;
  /**
   * The statements of the read see one moment. For an answer whose parts must agree, such as a
   * version and the list of versions; a single statement needs none.
   */
  readonly snapshot?: true;
  /**
   * Whether the answer, or that to some queries, may have megabytes. A caller has one such answer
   * made at a time, and few are made at once: else a burst of them would keep all others waiting.
   */
  readonly mayBeLarge?: true | ((query: Readonly<Record<string, unknown>>) => boolean);
  /** The answer is the same for every caller and has an ETag. */
  readonly cached?: boolean;
  /**
   * How many seconds anyone may cache a public answer without asking again. `immutable` is for
   * addresses whose content can never change.
   */
  readonly cacheFor?: number | 'immutable';
  /** The last path parameter takes the whole rest of the path, including slashes. */
  readonly greedyPath?: true;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body may be omitted. */
  readonly bodyOptional?: boolean;
  /** The body is one file, in the field "file" of a form. See `upload` in operation.ts. */
  readonly upload?: true;
  readonly output: TSchema;
  /** Error codes in addition to those that follow from the other members. */
  readonly errors?: readonly ErrorCode[];
  /** Example values for documentation and tests. */
  readonly examples?: { readonly body?: unknown; readonly output?: unknown };
}

/** The list inside of an answer that is an object, and how it ends early because of a budget. */
export interface ItemsInside {
  readonly member: string;
  /** Whether more items follow this page. */
  readonly more: boolean;
  /** Returns the members of an answer that has only its items start..end-1. */
  readonly cut: (start: number, end: number) => Readonly<Record<string, unknown>>;
  /** The member of an item that may be cut; otherwise a long item is sent in pieces of its JSON. */
  readonly text?: string;
  /** The member of an item that has that text, where the item itself has not; it may be null. */
  readonly inside?: string;
  /** The place of an item that the page must have. */
  readonly keep?: number;
}

/** What a handler may tell the edge in addition to its output. */
export interface Reply {
  /** The exact number of items in the whole list, where counting is cheap. */
  total?: number;
  /** How many items there are, counted up to a bound. Pages say it; programs are not told. */
  counted?: number;
  /** Whether more items follow this page. */
  more?: boolean;
  /** How to ask for the next page, if more items follow and it can begin after the last one. */
  next?: { readonly before: string; readonly beforeAt?: string } | undefined;
  /** Returns `next` for a page that ends after its first `count` items, because of a budget. */
  nextAt?: (count: number) => Reply['next'];
  /** Where the next page begins, if a budget ended this one early. */
  nextOffset?: number;
  /** Where the next page goes on in the first item of this one, which was cut. */
  excerptFrom?: number | undefined;
  /** The answer is a piece of its own JSON, because it is longer than its budget. */
  isExcerpt?: true;
  /** The budget of the answer where the query names none. */
  budget?: number;
  /** Code points of the answer, if it had a budget. */
  spent?: number;
  /** The list inside of an answer that is an object. */
  items?: ItemsInside;
  /** The text that the answer is about, which is cut where it exceeds a budget, and from where. */
  text?: { readonly member: string; readonly from: number };
  /** The content is not public, so no cache may store it. */
  private?: boolean;
  /**
   * The number of the event up to which the caller has read its stream. Its page shows to the hour
   * when that was.
   */
  readStreamTo?: number;
  /**
   * The value that the ETag is computed from, instead of the body. It is for bodies that also say
   * when they were computed.
   */
  version?: string;
}

/** The members of every handler's context. */
export interface CommonContext {
  /** The time of the request in milliseconds since 1970. The clock is read once per request. */
  readonly at: number;
  /** The same time as on the wire: ISO 8601 with milliseconds and "Z". */
  readonly now: string;
  readonly newId: NewId;
  readonly random: Random;
  readonly installation: Installation;
  /** The hashes of the keys in the setting ADMIN_KEYS. */
  readonly administrators: AdministratorHashes;
  /** Signs the canonical form of a receipt's payload with the installation's key. */
  readonly sign: Signer['sign'];
  /** Encrypts the secrets of webhooks, which the service must use again. */
  readonly webhookSecrets: Vault;
  /** Seals other secrets under DATA_KEY. Without that setting, it stores them unencrypted. */
  readonly dataSecrets: Vault;
  readonly reply: Reply;
  /** Set for what a person does in a session of a browser, so that messages can say so. */
  readonly via?: 'page';
}

/** The members of a mutation's context. */
export interface WriteContext {
  readonly tx: Transaction;
  /** Records a receipt in the same transaction and returns its id. */
  record(receipt: NewReceipt): string;
  /**
   * Adds a row to a bulk write, which is executed at the end of the transaction, together with the
   * rows of other calls. It costs no statement of its own. The rest of the handler must not need to
   * see the row.
   */
  write<Row>(statement: BulkWrite<Row>, row: Row): void;
  /**
   * Adds an event to the streams of these agents at the end of the transaction. After the commit,
   * it wakes them on every node. Agents that mute the actor are left out, and where there is none,
   * those that mute `causedBy`.
   */
  notify(addressees: readonly Addressee[], event: NewEvent, causedBy?: string): void;
  /** Counts agents that a job in the background tells, so that the caller pays for them, too. */
  notifyLater(count: number): void;
  /** After the commit, wakes callers on every node that wait for news of these topics. */
  wake(topics: readonly string[]): void;
  /**
   * Returns how many calls with the same value of `batchBy` come before this one in its transaction
   * and succeed, when they have been handled. Their bulk writes are not visible yet.
   */
  countEarlier(): Promise<number>;
  /** Lets later calls with the same value of `batchBy` decide after the commit of this one. */
  holdLater(): void;
}

/** The members of a read's context. */
export interface ReadContext {
  readonly tx: Queryable;
}

/** The members of a context that identify the caller, by the `auth` of the operation. */
export type CallerFor<A extends Auth> = A extends 'agent'
  ? { readonly agent: Agent; readonly key: AgentKey }
  : A extends 'admin'
    ? { readonly administrator: Administrator }
    : A extends 'context'
      ? { readonly guest: Guest }
      : {
          readonly agent: Agent | null;
          readonly key: AgentKey | null;
          readonly administrator: Administrator | null;
        };

/**
 * The context of a handler: a transaction and facts, but never the database, the network or the
 * clock itself.
 */
export type Context<S extends Spec = Spec> = CommonContext &
  CallerFor<S extends { readonly orAdministrator: true } ? 'public' : S['auth']> &
  (S['method'] extends 'GET' ? ReadContext : WriteContext);

export type StaticOrEmpty<T> = T extends TSchema ? Static<T> : Record<never, never>;

/** The query as a handler gets it, with its defaults filled in. */
export type QueryOf<S extends Pick<Spec, 'query'>> = S['query'] extends TSchema
  ? StaticFilled<S['query']>
  : Record<never, never>;

/** The validated input of a handler. */
export interface Input<S extends Spec> {
  readonly params: StaticOrEmpty<S['params']>;
  readonly query: QueryOf<S>;
  readonly body: S['upload'] extends true
    ? ReceivedFile
    : S['bodyOptional'] extends true
      ? StaticOrEmpty<S['body']> | undefined
      : StaticOrEmpty<S['body']>;
}

export type Output<S extends Spec> = Static<S['output']>;
