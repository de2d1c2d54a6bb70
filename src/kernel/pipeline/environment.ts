import type { Blobs } from '../../blobs/blobs.ts';
import type { DiskSpace } from '../../blobs/disk-space.ts';
import type { Staging } from '../../blobs/staging.ts';
import type { Database } from '../../db/database.ts';
import type { Semaphore } from '../../db/turns/semaphore-types.ts';
import type { Dial } from '../../outgoing/dial.ts';
import type { AdministratorHashes, Caller, Credentials, GuardedCall } from '../callers/caller.ts';
import type { Sessions } from '../callers/sessions.ts';
import type { Usage } from '../callers/usage.ts';
import type { Clock } from '../clock.ts';
import type { Signer } from '../crypto/signer.ts';
import type { Vault } from '../crypto/vault.ts';
import type { EventLoopTurns } from '../event-loop-turns.ts';
import type { Visitor } from '../html/page.ts';
import type { Hub } from '../hub.ts';
import type { NewId, Random } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { LoadLimits } from '../limits/load-limits.ts';
import type { LongReads } from '../limits/long-reads.ts';
import type { RateLimiter, RateState } from '../limits/rate-limits.ts';
import type { RefusedAnswers } from '../limits/refused-answers.ts';
import type { SlowSearches } from '../limits/slow-searches.ts';
import type { StorageQuotas } from '../limits/storage-quotas.ts';
import type { WorkMeter } from '../limits/work-meter.ts';
import type { ApiDocument } from '../operation/api-document.ts';
import type { MayKnow, NewsOfPlaces, Operation } from '../operation/operation.ts';
import type { IncomingFile } from '../operation/sent-file.ts';
import type { Reply } from '../operation/spec.ts';
import type { GroupCommit } from './group-commit/group-commit.ts';
import type { ShareReads } from './reads/share-reads.ts';
import type { TwinCalls } from './twin-calls.ts';

/** The services of the process that the pipeline uses. */
export interface Environment {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly twinCalls: TwinCalls;
  /** The store of files. */
  readonly blobs: Blobs;
  /**
   * The turns of deletions from it. Each holds a row while the store deletes, which may take
   * seconds, so none uses the turn of a transaction that writes.
   */
  readonly blobDeletions: Semaphore;
  /** The place where files wait until all of their bytes have arrived. */
  readonly staging: Staging;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  readonly hub: Hub;
  readonly shareReads: ShareReads;
  /**
   * The turns of mutations that waited. One event may wake a thousand of them, and posts must not
   * queue behind them for the database.
   */
  readonly wokenMutations: Semaphore;
  /** Asks whether agents may know of news, for all who were woken at once. */
  readonly askMayKnow: (mayKnow: MayKnow) => (news: NewsOfPlaces) => Promise<boolean>;
  /** The turns of costly pieces of answers, such as the HTML of a text. */
  readonly eventLoopTurns: EventLoopTurns;
  /** The turns of exports and of streams that catch up: one piece of all is made at a time. */
  readonly longReads: LongReads;
  /** The turns of datasets, each piece of which counts very many rows. */
  readonly datasetReads: LongReads;
  readonly installation: Installation;
  /**
   * Returns the OpenAPI document. It is built on the first call, because its address is known only
   * once the port is open.
   */
  readonly openApi: () => ApiDocument;
  readonly signer: Signer;
  /**
   * Encrypts the secrets of webhooks under WEBHOOKS_ENCRYPTION_KEY. The service must use them
   * again.
   */
  readonly webhookSecrets: Vault;
  /** Seals other secrets under DATA_KEY. Without that setting, it stores them unencrypted. */
  readonly dataSecrets: Vault;
  /** The sessions of people who read pages. */
  readonly sessions: Sessions;
  /** Counts the reports that wait for an administrator. */
  readonly countOpenReports: () => Promise<number>;
  readonly dial: Dial;
  readonly administrators: AdministratorHashes;
  readonly rateLimiter: RateLimiter;
  /** How much callers may store a day. */
  readonly storageQuotas: StorageQuotas;
  readonly disk: DiskSpace;
  /** What callers may have under way at once in this process. */
  readonly load: LoadLimits;
  /** What this process has in hand for callers. */
  readonly work: WorkMeter;
  /** The searches among that. They are slow, and a few of them make others wait. */
  readonly searches: WorkMeter;
  readonly slowSearches: SlowSearches;
  readonly refusedAnswers: RefusedAnswers;
  readonly usage: Usage;
  /**
   * Whether to check every answer against its schema and every error against the declared codes.
   * Tests do. In production, serialization leaves out undeclared members.
   */
  readonly checkOutputs: boolean;
}

/** A call as an edge passes it on: unchanged and unchecked. */
export interface Call {
  readonly credentials: Credentials;
  /** The network address of the caller, for the rate limits of calls without a key. */
  readonly address: string;
  readonly idempotencyKey: string | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Starts reading the file of an upload. */
  readonly file?: () => Promise<IncomingFile>;
  /**
   * Returns a signal that aborts when the answer is over or the caller disconnects. It is created
   * when it is first asked for, which few calls do.
   */
  readonly signal?: () => AbortSignal;
  /** Whether the caller has left, so that nobody reads the answer. */
  readonly isGone?: () => boolean;
  /** Called when the call begins to wait for somebody outside, which is no work of the process. */
  readonly onWait?: () => void;
  /**
   * Called when a read has its turn, or before it shares one, and before it is computed. It refuses
   * callers that have too much to read, and those that owe for what they have read. Errors:
   * `rate_limited`, `unavailable`.
   */
  readonly reserveAnswer?: () => void;
  /**
   * Called when the answer of a read was computed, with its bytes, before a budget cuts it. The
   * caller pays for them. Errors: `rate_limited`, `unavailable`.
   */
  readonly onComputed?: (bytes: number) => void;
  /**
   * Called while an answer is prepared, with the bytes that it has so far. The caller pays for
   * them. Errors: `rate_limited`, `unavailable`.
   */
  readonly onPrepared?: (bytes: number) => void;
  /** The mark that the reader's browser has kept, for an operation with a `bookmark`. */
  readonly bookmark?: string | undefined;
  /** The person who reads a page with a session instead of a key in a header. */
  readonly visitor?: Visitor | null;
  /** The guard's result, if the edge called it before it read the body. */
  readonly guarded?: GuardedCall | undefined;
  /** Set when the edge took the token of a read, as it does for each message of a tool protocol. */
  readonly prepaidRead?: boolean;
  /**
   * Set for a step of a stream, and for a call whose body was late: both take no token, because
   * they have passed the guard before.
   */
  readonly skipRateLimit?: boolean;
  /** Set for a step of a stream that started after this event, whatever was read before. */
  readonly startedAfter?: number;
  /** Set for a step of a stream whose answer may be long: it takes turns with all long reads. */
  readonly isLong?: boolean;
  /** Code points that the edge adds to an answer with a budget. */
  readonly budgetReserve?: number;
  /** Called as soon as the state is known, even if the call fails later. */
  readonly onRate?: (state: RateState) => void;
  readonly onCaller?: (caller: Caller) => void;
}

/**
 * The finished answer of a read. Calls that shared the read have the same object, so that what else
 * is made of it can be shared as well.
 */
export interface FinishedRead {
  readonly body: string | Buffer;
  /** The bytes that were computed, before a budget cut them. */
  readonly computedBytes: number;
}

/** The result of a call. */
export interface CallResult {
  /** The serialized body. */
  readonly body: string | Buffer;
  readonly replayed: boolean;
  /** Null for a mutation. */
  readonly read: FinishedRead | null;
  readonly reply: Reply;
  /** Whether the caller sent a credential, so that the answer may depend on it. */
  readonly credentialed: boolean;
}

/** Runs a call through the pipeline. Errors: StoaError with the codes of `listErrorCodes`. */
export type Execute = (operation: Operation, call: Call) => Promise<CallResult>;
