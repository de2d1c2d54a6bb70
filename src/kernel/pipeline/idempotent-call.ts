import type { Transaction } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Admission } from './guard.ts';
import type { StoredRecord } from '../callers/callers.store.ts';
import { iso } from '../clock.ts';
import type { Closing } from '../../features/adjudication/closing.store.ts';
import { sha256 } from '../crypto/credentials.ts';
import type { Call, Environment } from './environment.ts';
import { fail } from '../errors.ts';
import * as idempotency from './idempotency.store.ts';
import { fingerprint, sealAnswer, unsealAnswer } from './idempotency.ts';
import type { Operation } from '../operation/operation.ts';
import type { Input, Spec } from '../operation/spec.ts';

const ROTATION_REPLAY_MS = 24 * 3600 * 1000;
/** A call that reaches out takes five seconds, and its two transactions at most as long again. */
const CLAIM_MS = 20_000;

/** Whose idempotency keys they are, and which credential seals answers that carry a secret (contract, section 3, rules 2 and 8). */
function identityOf(
  operation: Operation,
  { caller }: Admission,
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
  if (caller.administrator && operation.auth === 'admin') {
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
  // The key is all that opens the sealed answer: beside it lies only its hash.
  return {
    scope: 'anonymous',
    key: sha256(key).toString('hex'),
    credential: key,
    credentialId: 'anonymous',
  };
}

/** A call that carries an idempotency key: what it answered before, and how to remember what it answers now. */
export interface Repetition {
  /** Whether a call with this key was answered before, be it the same or another one. */
  known(): Promise<boolean>;
  /** The first answer, if there is one. Errors: `idempotency_key_reused`, `idempotency_replay_sealed`, `invalid_credential`. */
  before(): Promise<string | null>;
  /** The same after this call failed: the first one may have committed meanwhile, and then its answer counts. */
  meanwhile(): Promise<string | null>;
  /** Holds the key while the call is outside of any transaction. Errors: `idempotency_in_progress` when another one holds it, or has just answered. */
  claim(tx: Transaction): Promise<void>;
  /** Gives the key back in the transaction that writes the record. */
  settle(tx: Transaction): void;
  /** Gives the key back after a failure, unused. */
  release(): Promise<void>;
  /** The record to write with the effect. */
  record(text: string): NonNullable<Closing['record']>;
}

export function repetitionOf(
  env: Environment,
  operation: Operation,
  call: Call,
  admission: Admission,
  { params, query, body }: Input<Spec>,
  idempotencyKey: string,
): Repetition {
  const { scope, key, credential, credentialId } = identityOf(
    operation,
    admission,
    call,
    idempotencyKey,
  );
  const recordKey = { scope, operation: operation.name, key };
  const print = fingerprint(operation.method, operation.path, params, query, body);
  const sealedFor = operation.secret ? credentialId : null;

  function replay(record: StoredRecord | undefined): string | null {
    if (!record) return null;
    if (!record.fingerprint.equals(print)) {
      const detail =
        'This Idempotency-Key was used for a different request. Use a new key for a new action, or repeat the first request exactly.';
      throw fail('idempotency_key_reused', detail);
    }
    if (record.sealedFor === null) return record.response.toString('utf8');
    if (record.sealedFor !== sealedFor) {
      throw fail(
        'idempotency_replay_sealed',
        'The first answer carried a secret and can only be replayed with the credential that asked for it.',
      );
    }
    return unsealAnswer(record.response, credential, idempotencyKey);
  }

  const claim = { ...recordKey, holder: env.newId() };

  return {
    async claim(tx) {
      const free = await idempotency.claim(tx, {
        ...claim,
        now: admission.now,
        until: iso(admission.at + CLAIM_MS),
      });
      // Whoever held it may have answered since this call looked.
      if (!free || (await idempotency.findRecord(tx, recordKey))) throw inProgress();
    },
    settle: (tx) => tx.send(idempotency.unclaim(claim)),
    release: async () => void (await env.db.run(idempotency.unclaim(claim))),
    known: async () => (await idempotency.findRecord(env.db, recordKey)) !== undefined,
    async before() {
      const { record, revoked, agent } = admission.caller;
      if (!record)
        return agent && operation.auth !== 'admin'
          ? null
          : replay(await idempotency.findRecord(env.db, recordKey));
      if (revoked && Date.parse(record.recordedAt) + ROTATION_REPLAY_MS < admission.at) {
        throw fail('invalid_credential', 'The key in X-API-Key was rotated. Use the new one.');
      }
      return replay(record);
    },
    meanwhile: async () => replay(await idempotency.findRecord(env.db, recordKey)),
    record: (text) => ({
      ...recordKey,
      fingerprint: print,
      sealedFor,
      response:
        sealedFor === null
          ? Buffer.from(text)
          : sealAnswer(text, credential, idempotencyKey, env.random),
    }),
  };
}

const inProgress = () =>
  fail(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key has not finished. Repeat in a second.',
    { retryAfterSeconds: 1 },
  );

/** What a call whose record lost against another's is told, in case that one is still not to be seen. */
export const ofRace = (error: unknown): unknown =>
  isUniqueViolation(error, 'idempotency_records_pkey') ? inProgress() : error;
