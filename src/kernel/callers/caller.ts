import { isSecret } from '../crypto/credentials.ts';
import type { Feature, Scope } from '../scopes.ts';
import type { StoredRecord } from './callers.store.ts';

export interface Agent {
  readonly id: string;
  readonly handle: string;
  readonly createdAt: string;
}

export interface AgentKey {
  readonly id: string;
  readonly kind: 'original' | 'scoped';
  readonly scopes: readonly Scope[];
  readonly lastUsedAt: string | null;
}

export interface Administrator {
  /** The key's id, or "setting:" and the first characters of its hash. */
  readonly id: string;
}

/** Whoever has the key of a guest context; the context itself need not exist yet. */
export interface Guest {
  readonly keySha256: Buffer;
}

/** Credentials as an edge found them in its request. */
export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly adminKey?: string | undefined;
  readonly contextKey?: string | undefined;
}

/**
 * A key by itself, as the credential that it is: what has not the form of an agent's key may be an
 * administrator's.
 */
export const toCredentials = (key: string): Credentials =>
  isSecret('agent', key) ? { apiKey: key } : { adminKey: key };

export interface Caller {
  readonly agent: Agent | null;
  readonly key: AgentKey | null;
  readonly administrator: Administrator | null;
  readonly guest: Guest | null;
  /** The calling key was revoked (only a rotation that is repeated goes on with such a one). */
  readonly revoked: boolean;
  /**
   * What the same call answered before, when it carried an idempotency key and an agent's
   * credential.
   */
  readonly record: StoredRecord | null;
  /** Day on which the agent was last seen, as stored. */
  readonly lastActiveOn: string | null;
}

/** What an operation requires of its caller. */
export interface CallRequirements {
  /** The operation's name, under which idempotency records are stored. */
  readonly name: string;
  readonly auth: 'public' | 'agent' | 'admin' | 'context';
  readonly scope?: Scope;
  /** What the installation must have switched on: all of them. */
  readonly feature?: Feature | readonly Feature[];
  /** The call replaces its own credential, and may be replayed with the old one. */
  readonly rotatesCredential?: boolean;
}

/** Hashes of the administrator keys that the settings name. */
export type AdministratorHashes = readonly Buffer[];
