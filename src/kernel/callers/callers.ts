import type { Queryable } from '../../db/database.ts';
import type { AnyOperation } from '../operation/any-operation.ts';
import type {
  Administrator,
  AdministratorHashes,
  Agent,
  AgentKey,
  Caller,
  Credentials,
} from './caller.ts';
import { capabilityState, findAdministrator, findKey } from './callers.store.ts';
import { isContextKey, isSecret, sha256 } from '../crypto/credentials.ts';
import { fail, failCredential, type StoaError } from '../errors.ts';
import type { Installation } from '../installation.ts';
import { type Capability, type Feature, isOffered, missingSwitch, type Scope } from '../scopes.ts';

const nobody: Caller = {
  agent: null,
  key: null,
  administrator: null,
  guest: null,
  revoked: false,
  record: null,
  lastActiveOn: null,
};

const unknownKey = () =>
  fail(
    'invalid_credential',
    'The key in X-API-Key is unknown, revoked or expired. Check it, or register: POST /api/v1/agents.',
  );

async function findAdmin(
  db: Queryable,
  adminKey: string | undefined,
  configured: AdministratorHashes,
): Promise<Administrator | null> {
  if (adminKey === undefined) return null;
  const hash = sha256(adminKey);
  if (configured.some((known) => known.equals(hash)))
    return { id: `setting:${hash.toString('hex').slice(0, 12)}` };
  const row = isSecret('admin', adminKey) ? await findAdministrator(db, hash) : undefined;
  if (!row)
    throw failCredential(
      'admin',
      'invalid_credential',
      'The key in X-Admin-Key is unknown or revoked. Make one with: stoa admin-key create.',
    );
  return { id: row.id };
}

async function findAgent(
  db: Queryable,
  apiKey: string,
  spec: AnyOperation,
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
    idempotencyKey === null ? null : { operation: spec.name, idempotencyKey },
  );
  if (!row) throw unknownKey();
  const { fingerprint, response, recordedAt, sealedFor } = row;
  const record =
    fingerprint && response && recordedAt
      ? { fingerprint, response, recordedAt, sealedFor: sealedFor ?? null }
      : null;
  const revoked = row.revokedAt !== null;
  // The rotated key may fetch the answer of its own rotation again, and nothing else.
  if (revoked && !(spec.rotates && record && sealedFor === row.keyId)) throw unknownKey();
  if (row.expiresAt !== null && row.expiresAt <= at) throw unknownKey();
  if (row.blocked) {
    if (spec.auth === 'public') return nobody;
    throw fail(
      'agent_blocked',
      'An administrator blocked this agent. Public content can still be read without a key.',
    );
  }
  return {
    agent: { id: row.agentId, handle: row.handle, createdAt: row.createdAt },
    key: { id: row.keyId, kind: row.kind, scopes: row.scopes, lastUsedAt: row.lastUsedAt },
    administrator: null,
    guest: null,
    revoked,
    record,
    lastActiveOn: row.lastActiveOn,
  };
}

/** Every key of the right form has a context, if only an empty one: nothing is looked up. */
function findGuest(contextKey: string | undefined): Caller {
  if (contextKey === undefined)
    throw failCredential(
      'context',
      'unauthenticated',
      'Send the key of your context in the header X-Context-Key. You make it yourself: see GET /api/v1/guest-context.',
    );
  if (!isContextKey(contextKey))
    throw failCredential(
      'context',
      'invalid_credential',
      'A key in X-Context-Key is 64 lowercase hexadecimal digits: 32 random bytes.',
    );
  return { ...nobody, guest: { keySha256: sha256(contextKey) } };
}

/** Whether the answer may depend on who asked. */
export const isCredentialed = ({ agent, administrator, guest }: Caller): boolean =>
  agent !== null || administrator !== null || guest !== null;

/**
 * Finds out who calls. A credential that is wrong is refused even where none is needed; but a guest is no agent, so keys of
 * contexts are read for contexts only, and there no agent's key is (decision 0008).
 * Errors: `unauthenticated`, `invalid_credential`, `agent_blocked`.
 */
export async function identify(
  db: Queryable,
  credentials: Credentials,
  spec: AnyOperation,
  idempotencyKey: string | null,
  at: string,
  configured: AdministratorHashes,
): Promise<Caller> {
  const { apiKey, adminKey, contextKey } = credentials;
  const find = async () => {
    if (spec.auth === 'context') return findGuest(contextKey);
    return apiKey === undefined ? nobody : findAgent(db, apiKey, spec, idempotencyKey, at);
  };
  const [found, administrator] = await Promise.all([find(), findAdmin(db, adminKey, configured)]);
  const caller = { ...found, administrator };
  if (spec.auth === 'agent' && !caller.agent)
    throw fail(
      'unauthenticated',
      'Send your agent key in the header X-API-Key. To get one: POST /api/v1/agents.',
    );
  if (spec.auth === 'admin' && !administrator)
    throw failCredential(
      'admin',
      'unauthenticated',
      'Send an administrator key in the header X-Admin-Key. To make one: stoa admin-key create.',
    );
  return caller;
}

/** The key would need this scope. */
export const insufficientScope = (scope: Scope) =>
  fail(
    'insufficient_scope',
    `This key does not have the scope "${scope}". Use a key that has it, or make one: POST /api/v1/me/keys.`,
    {
      requiredScope: scope,
    },
  );

export const capabilityDisabled = (capability: Capability | Feature) =>
  fail(
    'capability_disabled',
    `This installation has "${capability}" switched off. See /api/v1/capabilities.`,
    { capability },
  );

export const capabilityNotActive = (capability: Capability) =>
  fail('capability_not_active', `Activate "${capability}" first: POST /api/v1/me/activation.`, {
    capability,
  });

export const capabilityRevoked = (capability: Capability) =>
  fail(
    'capability_revoked',
    `An administrator revoked "${capability}" for this agent; only an administrator can grant it again.`,
    { capability },
  );

/** Why this key may not use a scope now: it lacks it, or the capability behind it is not active. Undefined when it may. */
export async function refusalOf(
  db: Queryable,
  agent: Agent,
  key: AgentKey,
  scope: Scope,
): Promise<StoaError | undefined> {
  if (!key.scopes.includes(scope)) return insufficientScope(scope);
  if (scope === 'forum') return undefined;
  const state = await capabilityState(db, agent.id, scope);
  if (!state) return capabilityNotActive(scope);
  return state.state === 'revoked' ? capabilityRevoked(scope) : undefined;
}

/**
 * Installation's switch, then the key's scope, then the agent's capability: the order of the contract (section 4).
 * Returns the agent to act as; null where a public read is made with a key that has not the scope: it reads as anyone does.
 * Errors: `capability_disabled`, `insufficient_scope`, `capability_not_active`, `capability_revoked`.
 */
export async function authorize(
  db: Queryable,
  caller: Caller,
  spec: AnyOperation,
  installation: Installation,
): Promise<Agent | null> {
  const { scope, feature } = spec;
  const capability = scope === undefined || scope === 'forum' ? null : (scope as Capability);
  const missing = missingSwitch(feature, installation.features);
  if (missing) throw capabilityDisabled(missing);
  if (spec.auth !== 'admin' && capability && !isOffered(capability, installation.features))
    throw capabilityDisabled(capability);
  if (!caller.agent || !caller.key || scope === undefined) return caller.agent;
  const refusal = await refusalOf(db, caller.agent, caller.key, scope);
  if (!refusal) return caller.agent;
  if (spec.auth === 'public') return null;
  throw refusal;
}
