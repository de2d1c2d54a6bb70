import type { Transaction } from '../../db/database.ts';
import type { GuardedCall } from '../callers/caller.ts';
import type { StoredRecord } from '../callers/callers.store.ts';
import { isReplacementUsed } from '../callers/callers.store.ts';
import { toIso } from '../clock.ts';
import { sha256 } from '../crypto/credentials.ts';
import { fail } from '../errors.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Spec } from '../operation/spec.ts';
import type { Call, Environment } from './environment.ts';
import type { CommitEffects } from './group-commit/commit-effects.store.ts';
import * as idempotency from './idempotency.store.ts';
import { computeFingerprint, sealAnswer, unsealAnswer } from './idempotency.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ROTATION_REPLAY_MS = 15 * 60 * 1000;
/**
 * How long a claim lasts. The external call has five seconds, and each wait of its two transactions
 * for a lock has five seconds too.
 */
const CLAIM_MS = 20_000;

/**
 * Returns the owner of the idempotency key, and the credential that seals answers with a secret
 * (contract, section 3, rules 2 and 8).
 */
function getKeyIdentity(
  operation: Operation,
  { caller }: GuardedCall,
  { credentials }: Call,
  key: string,
) {
  if (caller.agent && operation.auth !== 'admin') {
    return {
      scope: `agent:${caller.agent.id}`,
      key,
      credential: credentials.apiKey ?? '',
      credentialId: caller.key?.id ?? '',
    };
  }
  if (caller.administrator && (operation.auth === 'admin' || operation.orAdministrator)) {
    return {
      scope: `admin:${caller.administrator.id}`,
      key,
      credential: credentials.adminKey ?? '',
      credentialId: caller.administrator.id,
    };
  }
  if (caller.guest) {
    const context = caller.guest.keySha256.toString('hex');
    return {
      scope: `context:${context}`,
      key,
      credential: credentials.contextKey ?? '',
      credentialId: context,
    };
  }
  // Only the key itself opens the sealed answer, so only its hash is stored next to it.
  return {
    scope: 'anonymous',
    key: sha256(key).toString('hex'),
    credential: key,
    credentialId: 'anonymous',
  };
}

/** A call that carries an idempotency key. It finds the earlier answer and stores the new one. */
export interface IdempotentCall {
  /** Names the record: its owner, the operation and the key. */
  readonly name: string;
  /** Whether a call with this key was answered before, even if it was a different request. */
  hasReplay(): Promise<boolean>;
  /**
   * Finds the first answer, or null.
   * Errors: `idempotency_key_reused`, `idempotency_replay_sealed`, `invalid_credential`.
   */
  findReplay(): Promise<string | null>;
  /**
   * Finds the answer of a concurrent call after this one failed. The other one may have committed
   * in the meantime, and then its answer counts. Errors: as `findReplay`.
   */
  findConcurrentReplay(): Promise<string | null>;
  /**
   * Claims the key while the call is outside of any transaction.
   * Errors: `idempotency_in_progress` when another call holds it or has just answered.
   */
  claimKey(tx: Transaction): Promise<void>;
  /** Releases the key in the transaction that writes the record. */
  settleKey(tx: Transaction): void;
  /** Releases the key, unused, after a failure. */
  releaseKey(): Promise<void>;
  /** Builds the record that is written together with the effects. */
  buildRecord(text: string): NonNullable<CommitEffects['record']>;
}

/** Begins an idempotent call. Nothing is read or written before its methods are called. */
export function beginIdempotentCall(
  env: Environment,
  operation: Operation,
  call: Call,
  guardedCall: GuardedCall,
  { params, query, body }: Input<Spec>,
  idempotencyKey: string,
): IdempotentCall {
  const { scope, key, credential, credentialId } = getKeyIdentity(
    operation,
    guardedCall,
    call,
    idempotencyKey,
  );
  const recordKey = { scope, operation: operation.name, key };
  const requestFingerprint = computeFingerprint(
    operation.method,
    operation.path,
    params,
    query,
    body,
  );
  const sealedFor = operation.secret ? credentialId : null;

  const expiry = toIso(guardedCall.at - env.installation.limits.idempotencyDays * DAY_MS);

  /**
   * Returns a record unless it has expired. One that no job has deleted yet is deleted here, so
   * that its key is free.
   */
  async function dropExpired(record: StoredRecord | null): Promise<StoredRecord | null> {
    if (!record || record.recordedAt >= expiry) return record;
    await idempotency.deleteRecordBefore(env.db, recordKey, expiry);
    return null;
  }

  const findRecord = async () =>
    dropExpired((await idempotency.findRecord(env.db, recordKey)) ?? null);

  function replay(record: StoredRecord | null): string | null {
    if (!record) return null;
    if (!record.fingerprint.equals(requestFingerprint)) {
      const detail =
        'This {idempotencyKey} was used for a different request. Use a new key for a new ' +
        'action, or repeat the first request exactly.';
      throw fail('idempotency_key_reused', detail);
    }
    if (record.sealedFor === null) return record.response.toString('utf8');
    if (record.sealedFor !== sealedFor) {
      throw fail(
        'idempotency_replay_sealed',
        'The first answer carried a secret and can only be replayed with the credential ' +
          'that asked for it. Repeat the call with that one, or use a new {idempotencyKey}.',
      );
    }
    return unsealAnswer(record.response, credential, idempotencyKey);
  }

  /** Whether the caller has the new key for certain, or had the time to fetch it again. */
  const isRotationOver = async (agentId: string, keyId: string, rotatedAt: string) =>
    Date.parse(rotatedAt) + ROTATION_REPLAY_MS < guardedCall.at ||
    (await isReplacementUsed(env.db, agentId, keyId, rotatedAt));

  const claim = { ...recordKey, holder: env.newId() };

  return {
    name: JSON.stringify([scope, operation.name, key]),
    async claimKey(tx) {
      const free = await idempotency.insertClaim(tx, {
        ...claim,
        now: guardedCall.now,
        until: toIso(guardedCall.at + CLAIM_MS),
      });
      // The previous holder may have answered since this call looked.
      if (!free || (await idempotency.findRecord(tx, recordKey))) throw failInProgress();
    },
    settleKey: (tx) => tx.send(idempotency.deleteClaim(claim)),
    releaseKey: async () => void (await env.db.run(idempotency.deleteClaim(claim))),
    hasReplay: async () => (await findRecord()) !== null,
    async findReplay() {
      const { revoked, agent, key } = guardedCall.caller;
      const record = await dropExpired(guardedCall.caller.record);
      if (!record) return agent && operation.auth !== 'admin' ? null : replay(await findRecord());
      if (revoked && agent && key && (await isRotationOver(agent.id, key.id, record.recordedAt)))
        throw fail('invalid_credential', 'The key in X-API-Key was rotated. Use the new one.');
      return replay(record);
    },
    findConcurrentReplay: async () => replay(await findRecord()),
    buildRecord: (text) => ({
      ...recordKey,
      fingerprint: requestFingerprint,
      sealedFor,
      response:
        sealedFor === null
          ? Buffer.from(text)
          : sealAnswer(text, credential, idempotencyKey, env.random),
    }),
  };
}

const failInProgress = () =>
  fail(
    'idempotency_in_progress',
    'The first request with this {idempotencyKey} has not finished. Repeat in a second.',
    { retryAfterSeconds: 1 },
  );

/**
 * Returns the error for a call whose record conflicted with a concurrent call's, in case that
 * record is not visible yet. Returns any other error unchanged.
 */
export const toConflictError = (error: unknown): unknown =>
  idempotency.isRecordConflict(error) ? failInProgress() : error;
