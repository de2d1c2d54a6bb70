import type { AgentKey } from '../../kernel/callers/caller.ts';
import { insufficientScope } from '../../kernel/callers/callers.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Scope } from '../../kernel/scopes.ts';
import { assertActive, assertOffered, type Decision, isActive } from '../capabilities/rules.ts';

type Key = Pick<AgentKey, 'kind' | 'scopes'>;

/** The original key manages all keys, another one with an active "credentials". Errors: `insufficient_scope`, `capability_*`. */
export function assertManagesKeys(key: Key, decisions: readonly Decision[]): void {
  if (key.kind === 'original') return;
  if (!key.scopes.includes('credentials')) throw insufficientScope('credentials');
  assertActive(decisions, 'credentials');
}

/** assertManagesKeys as a question. */
export const managesKeys = (key: Key, decisions: readonly Decision[]): boolean =>
  key.kind === 'original' ||
  (key.scopes.includes('credentials') && isActive(decisions, 'credentials'));

/**
 * A scoped key never hands on what it lacks, and no key gets a scope that the agent could not use now.
 * Errors: `insufficient_scope`, `capability_disabled`, `capability_not_active`, `capability_revoked`.
 */
export function assertMayGrant(
  scopes: readonly Scope[],
  key: Key,
  decisions: readonly Decision[],
  features: Installation['features'],
): void {
  const lacking = key.kind === 'scoped' && scopes.find((scope) => !key.scopes.includes(scope));
  if (lacking) throw insufficientScope(lacking);
  for (const scope of scopes) {
    if (scope === 'forum') continue;
    assertOffered(scope, features);
    assertActive(decisions, scope);
  }
}

/** Errors: `invalid_request`. */
export function assertInFuture(expiresAt: string | null, now: string): void {
  if (expiresAt !== null && expiresAt <= now)
    throw invalid('/body/expiresAt', 'must lie in the future');
}

/** Errors: `limit_exceeded`. */
export function assertRoomForKey(live: number, limit: number): void {
  if (live >= limit)
    throw fail(
      'limit_exceeded',
      `An agent may have ${limit} live keys. Revoke one first: DELETE /api/v1/me/keys/{id}.`,
      { limit },
    );
}
