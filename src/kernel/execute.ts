import type { Database, Transaction } from '../db/database.ts';
import { DatabaseUnavailable, isUniqueViolation } from '../db/errors.ts';
import type { StoredRecord } from './callers.store.ts';
import { type AdministratorHashes, authorize, type Caller, type Credentials, identify } from './callers.ts';
import { type Clock, iso } from './clock.ts';
import { type Addressee, type Closing, close, type NewEvent, type Notice, type PortableAct } from './closing.store.ts';
import { codesOf } from './codes-of.ts';
import { sha256 } from './credentials.ts';
import { fail, invalid, StoaError } from './errors.ts';
import type { Hub } from './hub.ts';
import { findRecord, type RecordKey } from './idempotency.store.ts';
import { fingerprint, isIdempotencyKey, readIdempotencyKey, seal, unseal } from './idempotency.ts';
import type { NewId, Random } from './ids.ts';
import type { Installation } from './installation.ts';
import { interfaceOf } from './interface-of.ts';
import { Json } from './json.ts';
import { type Context, type Input, isMutation, type Operation, type Reply, type Spec } from './operation.ts';
import type { RateLimiter, RateState } from './rate-limits.ts';
import type { Usage } from './usage.ts';
import { waitForNews } from './wait.ts';

/** What the pipeline needs of the world. */
export interface Environment {
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  readonly hub: Hub;
  readonly installation: Installation;
  readonly administrators: AdministratorHashes;
  readonly rateLimiter: RateLimiter;
  readonly usage: Usage;
  /** Tests hold every answer to its schema and every error to what is declared; in production serialization strips what is not declared. */
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
  readonly signal?: AbortSignal;
  /** A step of a stream that was admitted already: it takes no token. */
  readonly unlimited?: boolean;
  /** Told as soon as it is known, also when the call fails later. */
  readonly onRate?: (state: RateState) => void;
  readonly onCaller?: (caller: Caller) => void;
}

export interface Result {
  /** The body, serialized. */
  readonly text: string;
  readonly replayed: boolean;
  readonly reply: Reply;
  /** Whether the answer may depend on who asked. */
  readonly credentialed: boolean;
}

export type Execute = (operation: Operation, call: Call) => Promise<Result>;

const ROTATION_REPLAY_MS = 24 * 3600 * 1000;

/** Whose idempotency keys they are, and which credential seals answers that carry a secret (contract, section 3, rules 2 and 8). */
function identityOf(operation: Operation, caller: Caller, credentials: Credentials, idempotencyKey: string) {
  if (caller.agent && operation.auth !== 'admin') {
    return { scope: `agent:${caller.agent.id}`, key: idempotencyKey, credential: credentials.apiKey ?? '', credentialId: caller.key?.id ?? '' };
  }
  if (caller.administrator && operation.auth === 'admin') {
    return { scope: `admin:${caller.administrator.id}`, key: idempotencyKey, credential: credentials.adminKey ?? '', credentialId: caller.administrator.id };
  }
  // The key is all that opens the sealed answer: beside it lies only its hash.
  return { scope: 'anonymous', key: sha256(idempotencyKey).toString('hex'), credential: idempotencyKey, credentialId: 'anonymous' };
}

/** The one road to every handler: credential, rate, switch, scope, capability, schema, idempotency, handler, record, commit, wake. */
export function createExecutor(env: Environment): Execute {
  /** The answer that this call got before. Errors: `idempotency_key_reused`, `idempotency_replay_sealed`. */
  function replay(record: StoredRecord, print: Buffer, credential: string, sealedFor: string | null, key: string): string {
    if (!record.fingerprint.equals(print)) {
      throw fail(
        'idempotency_key_reused',
        'This Idempotency-Key was used for a different request. Use a new key for a new action, or repeat the first request exactly.',
      );
    }
    if (record.sealedFor === null) return record.response.toString('utf8');
    if (record.sealedFor !== sealedFor) {
      throw fail('idempotency_replay_sealed', 'The first answer carried a secret and can only be replayed with the credential that asked for it.');
    }
    return unseal(record.response, credential, key);
  }

  function validate(operation: Operation, call: Call): Input<Spec> {
    const check = interfaceOf(operation);
    const input = { params: call.params, query: call.query, body: call.body } as Input<Spec>;
    check.params(input.params);
    check.query(input.query);
    if (!operation.body && call.body !== undefined && JSON.stringify(call.body) !== '{}') throw invalid('/body', 'this operation takes none');
    if (operation.body && !(operation.bodyOptional && call.body === undefined)) check.body(input.body);
    return input;
  }

  function serialize(operation: Operation, output: unknown): string {
    const { stringify, fault } = interfaceOf(operation);
    const wrong = env.checkOutputs ? fault(output instanceof Json ? JSON.parse(output.text) : output) : undefined;
    if (wrong) throw new Error(`The answer of ${operation.name} does not fit its schema: ${wrong}`);
    return output instanceof Json ? output.text : stringify(output);
  }

  const execute: Execute = async (operation, call) => {
    const at = env.clock();
    const now = iso(at);
    const mutation = isMutation(operation);
    // Looked up together with the credential; what is wrong with it is said only to those who may call at all.
    const lookup = mutation && isIdempotencyKey(call.idempotencyKey) ? call.idempotencyKey : null;

    const limit = (who: string) => env.rateLimiter.take(operation.rate ?? (mutation ? 'writes' : 'reads'), who, at, (state) => call.onRate?.(state));

    let caller: Caller;
    try {
      caller = await identify(env.db, call.credentials, operation, lookup, now, env.administrators);
    } catch (error) {
      // Guessing keys costs what anonymous reading costs.
      if (error instanceof StoaError && !call.unlimited) await env.rateLimiter.take('reads', `address:${call.address}`, at, (state) => call.onRate?.(state));
      throw error;
    }
    call.onCaller?.(caller);
    if (!caller.administrator && !call.unlimited) {
      await limit(caller.agent && operation.rate !== 'registrations' ? `agent:${caller.agent.id}` : `address:${call.address}`);
    }
    if (caller.agent && caller.key) env.usage.seen(caller.agent.id, caller.key, caller.lastActiveOn, now);

    const agent = await authorize(env.db, caller, operation, env.installation);
    const idempotencyKey = mutation ? readIdempotencyKey(call.idempotencyKey, operation) : null;
    const input = validate(operation, call);
    const reply: Reply = {};
    const common = {
      at,
      now,
      newId: env.newId,
      random: env.random,
      installation: env.installation,
      reply,
      agent,
      key: caller.key,
      administrator: caller.administrator,
    };
    const done = (text: string, replayed = false): Result => ({ text, replayed, reply, credentialed: caller.agent !== null || caller.administrator !== null });

    if (!mutation) {
      // Who waited may have lost its key or been blocked meanwhile.
      const stillMay = async () =>
        authorize(env.db, await identify(env.db, call.credentials, operation, null, iso(env.clock()), env.administrators), operation, env.installation);
      const read = async (step: Input<Spec>) => {
        const [output] = await Promise.all([operation.handle({ ...common, tx: env.db } as unknown as Context, step), step === input ? null : stillMay()]);
        return output;
      };
      const output = operation.longPoll && agent ? await waitForNews(env.hub, agent.id, operation.longPoll, input, read, call.signal) : await read(input);
      return done(serialize(operation, output));
    }

    const identity = identityOf(operation, caller, call.credentials, idempotencyKey ?? '');
    const record: RecordKey | null = idempotencyKey === null ? null : { scope: identity.scope, operation: operation.name, key: identity.key };
    const print = record && fingerprint(operation.method, operation.path, input.params, input.query, input.body);
    const credential = identity.credential;
    const sealedFor = operation.secret ? identity.credentialId : null;
    /** Answers with what the first call answered. */
    const again = (found: StoredRecord) => done(replay(found, print as Buffer, credential, sealedFor, idempotencyKey as string), true);

    if (caller.record) {
      const tooLate = caller.revoked && Date.parse(caller.record.recordedAt) + ROTATION_REPLAY_MS < at;
      if (tooLate) throw fail('invalid_credential', 'The key in X-API-Key was rotated. Use the new one.');
      return again(caller.record);
    }
    if (record && identity.scope !== `agent:${caller.agent?.id}`) {
      const found = await findRecord(env.db, record);
      if (found) return again(found);
    }

    let notices: Notice[] = [];
    const act = async (tx: Transaction) => {
      const acts: Closing['acts'][number][] = [];
      notices = [];
      const output = await operation.handle(
        {
          ...common,
          tx,
          record(event: PortableAct) {
            const id = env.newId();
            acts.push({ ...event, id });
            return id;
          },
          notify(addressees: readonly Addressee[], event: NewEvent) {
            notices.push({ addressees, event });
          },
        } as unknown as Context,
        input,
      );
      const text = serialize(operation, output);
      const response = sealedFor === null ? Buffer.from(text) : seal(text, credential, idempotencyKey ?? '', env.random);
      close(tx, { now, acts, notices, record: record && print && { ...record, fingerprint: print, sealedFor, response } });
      return text;
    };

    try {
      const text = await env.db.transaction(act);
      env.hub.publish(notices.flatMap(({ addressees }) => addressees.map(({ agentId }) => agentId)));
      return done(text);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      // The same call may have committed while this one ran: then its answer counts, not this error.
      const found = record && (await findRecord(env.db, record));
      if (found) return again(found);
      if (isUniqueViolation(error, 'idempotency_records_pkey')) {
        throw fail('idempotency_in_progress', 'The first request with this Idempotency-Key has not finished. Repeat in a second.', { retryAfterSeconds: 1 });
      }
      throw error;
    }
  };

  /** For tests: an error that an operation does not declare is a defect, not an answer. */
  const held: Execute = async (operation, call) => {
    try {
      return await execute(operation, call);
    } catch (error) {
      if (!(error instanceof StoaError) || codesOf(operation).includes(error.code)) throw error;
      throw new Error(`${operation.name} answered ${error.code}, which it does not declare.`, { cause: error });
    }
  };
  return env.checkOutputs ? held : execute;
}
