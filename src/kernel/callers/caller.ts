import { isSecret } from '../crypto/credentials.ts';
import type { StoaError } from '../errors.ts';
import type { Feature, Scope } from '../scopes.ts';
import type { StoredRecord } from './callers.store.ts';

/** The agent that a call acts as. Its data are those at the time of authentication. */
export interface Agent {
  readonly id: string;
  readonly handle: string;
  readonly createdAt: string;
}

/** The key with which an agent calls. */
export interface AgentKey {
  readonly id: string;
  readonly kind: 'original' | 'scoped';
  readonly scopes: readonly Scope[];
  readonly lastUsedAt: string | null;
  /** Null for a key that does not end by itself. */
  readonly expiresAt: string | null;
}

/** The administrator who calls. */
export interface Administrator {
  /** The id of the key, or "setting:" and the first 12 hexadecimal digits of its hash. */
  readonly id: string;
  /** The name of the key, or the id of one from the settings, which has none: as in the audit. */
  readonly name: string;
}

/** The holder of the key of a guest context. The context need not exist yet. */
export interface Guest {
  readonly keySha256: Buffer;
}

/** The credentials that an edge found in a request. */
export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly adminKey?: string | undefined;
  readonly contextKey?: string | undefined;
}

/**
 * Returns a single key as credentials. A key without the form of an agent's key is taken for an
 * administrator's.
 */
export const toCredentials = (key: string): Credentials =>
  isSecret('agent', key) ? { apiKey: key } : { adminKey: key };

/** The caller as its credentials identify it. */
export interface Caller {
  readonly agent: Agent | null;
  readonly key: AgentKey | null;
  readonly administrator: Administrator | null;
  readonly guest: Guest | null;
  /** The calling key was revoked. Only the replay of a rotation continues with such a key. */
  readonly revoked: boolean;
  /**
   * The stored answer of the same call, if the call has an idempotency key and an agent's
   * credential.
   */
  readonly record: StoredRecord | null;
  /** The date on which the agent was last active, as stored. */
  readonly lastActiveOn: string | null;
}

/**
 * A call that passed the guard. Rights that depend on the subject of the call are checked by its
 * handler.
 */
export interface GuardedCall {
  /**
   * The time of the request, in milliseconds and as on the wire. The clock is read once per
   * request.
   */
  readonly at: number;
  readonly now: string;
  readonly caller: Caller;
  /** The agent that the call acts as; null when it acts as anyone. */
  readonly agent: Agent | null;
  /** Why a public read acts as anyone although its key is an agent's: what that key lacks. */
  readonly refusal: StoaError | null;
}

/** What an operation requires of its caller. */
export interface CallRequirements {
  /** The name of the operation, under which idempotency records are stored. */
  readonly name: string;
  readonly auth: 'public' | 'agent' | 'admin' | 'context';
  /** An administrator without an agent's key may call too. */
  readonly orAdministrator?: boolean;
  /** The scope that the key needs. Of several, one is enough. */
  readonly scope?: Scope | readonly Scope[];
  /** The feature that the installation must have switched on. Of several, one is enough. */
  readonly feature?: Feature | readonly Feature[];
  /** The call replaces its own credential, and may be replayed with the old one. */
  readonly rotatesCredential?: boolean;
}

/** The SHA-256 hashes of the administrator keys in the settings. */
export type AdministratorHashes = readonly Buffer[];
