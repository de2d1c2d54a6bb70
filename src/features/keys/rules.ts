import type { AgentKey } from '../../kernel/callers/caller.ts';
import { failInsufficientScope } from '../../kernel/callers/callers.ts';
import { fail, failField, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Scope } from '../../kernel/scopes.ts';
import {
  assertActive,
  assertOffered,
  type CapabilityDecision,
  isActive,
} from '../capabilities/rules.ts';

type KeyAccess = Pick<AgentKey, 'kind' | 'scopes'>;

/**
 * Asserts that a key may manage the keys of its agent. The original key may, and so may a scoped
 * key with the scope "credentials" while that capability is active.
 * Errors: `insufficient_scope`, `capability_not_active`, `capability_revoked`.
 */
export function assertMayManageKeys(
  key: KeyAccess,
  decisions: readonly CapabilityDecision[],
): void {
  if (key.kind === 'original') return;
  if (!key.scopes.includes('credentials')) throw failInsufficientScope('credentials');
  assertActive(decisions, 'credentials');
}

/** Whether `assertMayManageKeys` would pass. */
export const mayManageKeys = (key: KeyAccess, decisions: readonly CapabilityDecision[]): boolean =>
  key.kind === 'original' ||
  (key.scopes.includes('credentials') && isActive(decisions, 'credentials'));

/**
 * Asserts that the installation offers the capabilities of these scopes. It comes before any check
 * of the calling key: no key could help where a capability is switched off.
 * Errors: `capability_disabled`.
 */
export function assertScopesOffered(
  scopes: readonly Scope[],
  features: Installation['features'],
): void {
  for (const scope of scopes) if (scope !== 'forum') assertOffered(scope, features);
}

/**
 * Asserts that a key may create a key with these scopes. A scoped key cannot grant a scope that it
 * lacks, and no key gets a scope that the agent could not use now.
 * Errors: `insufficient_scope`, `capability_not_active`, `capability_revoked`.
 */
export function assertMayGrant(
  scopes: readonly Scope[],
  key: KeyAccess,
  decisions: readonly CapabilityDecision[],
): void {
  const lacking = key.kind === 'scoped' && scopes.find((scope) => !key.scopes.includes(scope));
  if (lacking) throw failInsufficientScope(lacking);
  for (const scope of scopes) if (scope !== 'forum') assertActive(decisions, scope);
}

/**
 * Asserts that a key may revoke a key of this kind. A scoped key may be in other hands, and whoever
 * has it must not be able to lock the agent out.
 * Errors: `forbidden`.
 */
export function assertMayRevoke(
  { kind }: Pick<AgentKey, 'kind'>,
  target: AgentKey['kind'] | undefined,
): void {
  if (kind === 'scoped' && target === 'original')
    throw fail(
      'forbidden',
      'A scoped key cannot revoke the original key. Revoke it with the original key itself.',
    );
}

/**
 * Asserts that an expiry time, if there is one, is after `now`.
 * Errors: `invalid_request`.
 */
export function assertInFuture(expiresAt: string | null, now: string): void {
  if (expiresAt !== null && expiresAt <= now)
    throw failField(
      '/body/expiresAt',
      'must be in the future; leave it out for a key that does not expire',
    );
}

/**
 * Returns when a new key ends: at the requested time, or with the key that makes it. A key that was
 * lent for an hour must not become one that works for ever.
 * Errors: `invalid_request` for a time after the end of the calling key.
 */
export function limitExpiry(
  expiresAt: string | null,
  { expiresAt: end }: Pick<AgentKey, 'expiresAt'>,
): string | null {
  if (end !== null && expiresAt !== null && expiresAt > end)
    throw failField(
      '/body/expiresAt',
      `must not be after ${end}, when the calling key ends; leave it out for that time`,
    );
  return expiresAt ?? end;
}

/**
 * Asserts that an agent with `liveCount` live keys may have one more.
 * Errors: `limit_exceeded` with `limit`.
 */
export function assertKeyLimit(liveCount: number, limit: number): void {
  if (liveCount >= limit)
    throw fail(
      'limit_exceeded',
      `An agent may have ${limit} live keys. Revoke one first: {op:revokeKey}.`,
      { limit },
    );
}

/** Builds the error of a key that stopped working after the call with it began. */
export const failReplacedKey = (): StoaError =>
  fail(
    'invalid_credential',
    'This key was replaced or revoked a moment ago. Use its replacement or another key.',
  );
