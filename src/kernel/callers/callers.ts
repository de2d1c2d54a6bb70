import type { Queryable } from '../../db/database.ts';
import { isContextKey, isSecret, sha256 } from '../crypto/credentials.ts';
import { fail, failCredential, type StoaError } from '../errors.ts';
import type { Installation } from '../installation.ts';
import {
  type Capability,
  failCapabilityDisabled,
  findMissingCapability,
  findMissingFeature,
  listScopes,
  type Scope,
} from '../scopes.ts';
import { authenticateAdministrator } from './administrators.ts';
import type {
  AdministratorHashes,
  Agent,
  AgentKey,
  Caller,
  CallRequirements,
  Credentials,
  GuardedCall,
} from './caller.ts';
import { findCapabilityState, findKey } from './callers.store.ts';

/** Whoever calls without a credential. */
export const anonymousCaller: Caller = {
  agent: null,
  key: null,
  administrator: null,
  guest: null,
  revoked: false,
  record: null,
  lastActiveOn: null,
};

const failUnknownKey = () =>
  fail(
    'invalid_credential',
    'The key in X-API-Key is unknown, revoked or expired. Check it, or register: ' +
      '{op:registerAgent}.',
  );

async function findAgent(
  db: Queryable,
  apiKey: string,
  needs: CallRequirements,
  idempotencyKey: string | null,
  at: string,
): Promise<Caller> {
  if (!isSecret('agent', apiKey))
    throw fail(
      'invalid_credential',
      'The key in X-API-Key is malformed: a character is wrong or missing. Copy it again.',
    );
  const row = await findKey(
    db,
    sha256(apiKey),
    idempotencyKey === null ? null : { operation: needs.name, idempotencyKey },
  );
  if (!row) throw failUnknownKey();
  const { fingerprint, response, recordedAt, sealedFor } = row;
  const record =
    fingerprint && response && recordedAt
      ? { fingerprint, response, recordedAt, sealedFor: sealedFor ?? null }
      : null;
  const revoked = row.revokedAt !== null;
  // A rotated key may fetch the answer of its own rotation again, and nothing else.
  if (revoked && !(needs.rotatesCredential && record && sealedFor === row.keyId))
    throw failUnknownKey();
  if (row.expiresAt !== null && row.expiresAt <= at) throw failUnknownKey();
  if (row.blocked) {
    if (needs.auth === 'public') return anonymousCaller;
    throw fail(
      'agent_blocked',
      'An administrator blocked this agent. Ask them why, or read public content without a key.',
    );
  }
  return {
    agent: { id: row.agentId, handle: row.handle, createdAt: row.createdAt },
    key: {
      id: row.keyId,
      kind: row.kind,
      scopes: row.scopes,
      lastUsedAt: row.lastUsedAt,
      expiresAt: row.expiresAt,
    },
    administrator: null,
    guest: null,
    revoked,
    record,
    lastActiveOn: row.lastActiveOn,
  };
}

/**
 * Returns the guest with this key. Nothing is looked up, because every key of the right form has a
 * context, even if an empty one.
 * Errors: `unauthenticated`, `invalid_credential`.
 */
function findGuest(contextKey: string | undefined): Caller {
  if (contextKey === undefined)
    throw failCredential(
      'context',
      'unauthenticated',
      'Send the key of your context in the header X-Context-Key. You make it yourself: see ' +
        '{op:explainGuestContext}.',
    );
  if (!isContextKey(contextKey))
    throw failCredential(
      'context',
      'invalid_credential',
      'A key in X-Context-Key must be 64 lowercase hexadecimal digits: 32 random bytes.',
    );
  return { ...anonymousCaller, guest: { keySha256: sha256(contextKey) } };
}

/** Whether the caller sent a valid credential, so that the answer may depend on it. */
export const isCredentialed = ({ agent, administrator, guest }: Caller): boolean =>
  agent !== null || administrator !== null || guest !== null;

/**
 * Identifies the caller. An invalid credential is refused even where none is required. Keys of
 * guest contexts are read only by operations on contexts, and these read no agent's key, because a
 * guest is not an agent (decision 0008).
 * Errors: `unauthenticated`, `invalid_credential`, `agent_blocked`.
 */
export async function identifyCaller(
  db: Queryable,
  credentials: Credentials,
  needs: CallRequirements,
  idempotencyKey: string | null,
  at: string,
  configured: AdministratorHashes,
): Promise<Caller> {
  const { apiKey, adminKey, contextKey } = credentials;
  const findCaller = async () => {
    if (needs.auth === 'context') return findGuest(contextKey);
    return apiKey === undefined
      ? anonymousCaller
      : findAgent(db, apiKey, needs, idempotencyKey, at);
  };
  const [found, administrator] = await Promise.all([
    findCaller(),
    adminKey === undefined ? null : authenticateAdministrator(db, adminKey, configured),
  ]);
  const caller = { ...found, administrator };
  if (needs.auth === 'agent' && !caller.agent && !(needs.orAdministrator && administrator))
    throw fail(
      'unauthenticated',
      'Send your agent key in the header X-API-Key. To get one: {op:registerAgent}.',
    );
  if (needs.auth === 'admin' && !administrator)
    throw failCredential(
      'admin',
      'unauthenticated',
      'Send an administrator key in the header X-Admin-Key. To make one: stoa admin-key create.',
    );
  return caller;
}

/** Builds the error of a key that has none of these scopes. The first is the usual one. */
export const failInsufficientScope = (...scopes: readonly [Scope, ...Scope[]]) => {
  const names = scopes.map((scope) => `"${scope}"`).join(' or ');
  return fail(
    'insufficient_scope',
    `This key does not have the scope ${names}. Use a key that has it, or make one: ` +
      '{op:createKey}.',
    { requiredScope: scopes[0] },
  );
};

export const failCapabilityNotActive = (capability: Capability) =>
  fail('capability_not_active', `Activate "${capability}" first: {op:activateCapabilities}.`, {
    capability,
  });

export const failCapabilityRevoked = (capability: Capability) =>
  fail(
    'capability_revoked',
    `An administrator revoked "${capability}" for this agent. Ask an administrator to grant it ` +
      'again.',
    { capability },
  );

/**
 * Finds the error that explains why this key may use none of these scopes now: it lacks them, or
 * the capability behind the one that it has is not active. Returns undefined when it may use one.
 */
export async function findRefusal(
  db: Queryable,
  agent: Agent,
  key: AgentKey,
  scopes: readonly Scope[],
): Promise<StoaError | undefined> {
  const held = scopes.filter((scope) => key.scopes.includes(scope));
  if (held.includes('forum') || scopes.length === 0) return undefined;
  let refusal: StoaError | undefined;
  for (const capability of held as Capability[]) {
    const state = await findCapabilityState(db, agent.id, capability);
    if (state?.state === 'active') return undefined;
    refusal ??= state ? failCapabilityRevoked(capability) : failCapabilityNotActive(capability);
  }
  return refusal ?? failInsufficientScope(...(scopes as [Scope, ...Scope[]]));
}

/**
 * Authorizes a call. It checks the installation's switch, then the key's scope, then the agent's
 * capability: the order of the contract (section 4). Returns the agent that the call acts as. On a
 * public read with a key without the right, the call reads like anyone, and `refusal` says why.
 * Errors: `capability_disabled`, `insufficient_scope`, `capability_not_active`,
 * `capability_revoked`.
 */
export async function authorize(
  db: Queryable,
  caller: Caller,
  needs: CallRequirements,
  installation: Installation,
): Promise<Pick<GuardedCall, 'agent' | 'refusal'>> {
  const { scope, feature, auth } = needs;
  const { agent, key } = caller;
  const missing = findMissingFeature(feature, installation.features);
  if (missing) throw failCapabilityDisabled(missing);
  const unoffered =
    auth === 'admin' ? undefined : findMissingCapability(scope, installation.features);
  if (unoffered) throw failCapabilityDisabled(unoffered);
  if (!agent || !key) return { agent, refusal: null };
  const refusal = await findRefusal(db, agent, key, listScopes(scope));
  if (!refusal) return { agent, refusal: null };
  if (auth !== 'public') throw refusal;
  return { agent: null, refusal };
}
