import type { Blobs } from '../../blobs/blobs.ts';
import type { Staging } from '../../blobs/staging.ts';
import type { Database } from '../../db/database.ts';
import type { Dial } from '../../outgoing/dial.ts';
import type { AdministratorHashes, Caller, Credentials } from '../callers/caller.ts';
import type { RateLimiter, RateState } from '../callers/rate-limits.ts';
import type { Sessions } from '../callers/sessions.ts';
import type { Usage } from '../callers/usage.ts';
import type { Clock } from '../clock.ts';
import type { Signer } from '../crypto/signer.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Visitor } from '../html/page.ts';
import type { Hub } from '../hub.ts';
import type { NewId, Random } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { ApiDocument } from '../operation/api-document.ts';
import type { Operation } from '../operation/operation.ts';
import type { IncomingFile } from '../operation/sent-file.ts';
import type { Reply } from '../operation/spec.ts';
import type { GroupCommit } from './group-commit/group-commit.ts';

/** What the pipeline needs of the world. */
export interface Environment {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  /** The bytes of files. */
  readonly blobs: Blobs;
  /** Where files wait until all of their bytes have arrived. */
  readonly staging: Staging;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  readonly hub: Hub;
  readonly installation: Installation;
  /**
   * The OpenAPI document, made when it is first asked for: the address in it is known when the port
   * is open.
   */
  readonly openApi: () => ApiDocument;
  readonly signer: Signer;
  /** Secrets that must be used again, under WEBHOOKS_ENCRYPTION_KEY. */
  readonly webhookSecrets: Vault;
  /** The same under DATA_KEY, where there is one. */
  readonly dataSecrets: Vault;
  /** Of people who read pages. */
  readonly sessions: Sessions;
  readonly dial: Dial;
  readonly administrators: AdministratorHashes;
  readonly rateLimiter: RateLimiter;
  readonly usage: Usage;
  /**
   * Tests hold every answer to its schema and every error to what is declared; in production
   * serialization strips what is not declared.
   */
  readonly checkOutputs: boolean;
}

/** A call as an edge hands it over: everything still as it came, nothing checked. */
export interface Call {
  readonly credentials: Credentials;
  /** Address of the caller, for limits on calls without a key. */
  readonly address: string;
  readonly idempotencyKey: string | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Begins to read the file of an upload. */
  readonly file?: () => Promise<IncomingFile>;
  readonly signal?: AbortSignal;
  /** Who reads a page by a session, and not by a key in a header. */
  readonly visitor?: Visitor | null;
  /** A step of a stream that was admitted already: it takes no token. */
  readonly skipRateLimit?: boolean;
  /** Told as soon as it is known, also when the call fails later. */
  readonly onRate?: (state: RateState) => void;
  readonly onCaller?: (caller: Caller) => void;
}

export interface CallResult {
  /** The body, serialized. */
  readonly body: string | Buffer;
  readonly replayed: boolean;
  readonly reply: Reply;
  /** Whether the answer may depend on who asked. */
  readonly credentialed: boolean;
}

export type Execute = (operation: Operation, call: Call) => Promise<CallResult>;
