import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Queryable, Transaction } from '../../db/database.ts';
import { type Clock, toIso } from '../clock.ts';
import type { Random } from '../ids.ts';
import { buildSigningInput } from './jws.ts';
import { deriveKey, seal, unseal } from './sealing.ts';
import * as keys from './signing-keys.store.ts';

/** The service must not start, or not go on so; the message is a sentence that says what to do. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

export interface Signature {
  readonly keyId: number;
  readonly kid: string;
  /** 64 bytes: r and s. */
  readonly signature: Buffer;
}

/** Signs receipts with the installation's key. */
export interface Signer {
  /** Signs the bytes of a payload as a JWS does. Errors: SigningKeyError, DatabaseUnavailable. */
  sign(payload: string): Promise<Signature>;
  /**
   * Looks which key signs now, makes the first one, and seals it when DATA_KEY asks for it. Errors:
   * the same.
   */
  refresh(): Promise<void>;
}

interface KeyOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** DATA_KEY: 64 hex digits, or null. */
  readonly dataKey: string | null;
}

interface SignerOptions extends KeyOptions {
  readonly db: Queryable;
}

/** The key under which an installation's keys are sealed; null without DATA_KEY. */
export const deriveSealingKey = (dataKey: string | null): Buffer | null =>
  dataKey === null ? null : deriveKey(Buffer.from(dataKey, 'hex'), '', 'stoa signing keys');

async function generateKey({ clock, random, dataKey }: KeyOptions): Promise<keys.NewSigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
  const kid = await calculateJwkThumbprint(jwk);
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
  const sealing = deriveSealingKey(dataKey);
  return {
    kid,
    publicJwk: { ...jwk, kid, alg: 'ES256', use: 'sig' },
    privateKey: sealing ? seal(sealing, bytes, kid, random) : bytes,
    sealed: sealing !== null,
    createdAt: toIso(clock()),
  };
}

/**
 * The private half. Errors: SigningKeyError when DATA_KEY is not the one under which it was sealed,
 * or it is not the half of this key.
 */
async function openKey(
  { kid, privateKey, sealed }: keys.StoredSigningKey,
  dataKey: string | null,
): Promise<KeyObject> {
  const sealing = deriveSealingKey(dataKey);
  const toDo = 'Set the one with which it was.';
  if (sealed && !sealing)
    throw new SigningKeyError(
      `DATA_KEY must be set: the signing key of this installation is sealed under one. ${toDo}`,
    );
  try {
    const bytes = sealed && sealing ? unseal(sealing, privateKey, kid) : privateKey;
    const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
    if ((await calculateJwkThumbprint(createPublicKey(key).export({ format: 'jwk' }))) === kid)
      return key;
  } catch (cause) {
    throw new SigningKeyError(
      'DATA_KEY is not the one under which the signing key of this installation was sealed. ' +
        `${toDo}`,
      { cause },
    );
  }
  throw new SigningKeyError(
    'The signing key of this installation was changed in the database. Restore signing_keys ' +
      'from a backup.',
  );
}

/**
 * Errors: SigningKeyError when the key that signs, if there is one, cannot be opened. Changes
 * nothing.
 */
export async function assertKeyOpens(db: Queryable, dataKey: string | null): Promise<void> {
  const present = await keys.findCurrent(db);
  if (present) await openKey(present, dataKey);
}

/**
 * Makes a new key sign instead of the present one, whoever runs on the database: they learn of it
 * within seconds. Returns its name.
 * Errors: SigningKeyError when DATA_KEY does not open the present one: the services that run have
 * another, and could not open the new one.
 */
export async function rotateSigningKey(tx: Transaction, options: KeyOptions): Promise<string> {
  await assertKeyOpens(tx, options.dataKey);
  const key = await generateKey(options);
  await keys.replace(tx, key);
  return key.kid;
}

/** A signer on the keys in the database. Nothing is read before it is needed. */
export function createSigner(options: SignerOptions): Signer {
  const { db, random, dataKey } = options;
  let present: { readonly id: number; readonly kid: string; readonly key: KeyObject } | undefined;

  async function getOrCreateKey(): Promise<keys.StoredSigningKey> {
    const found = await keys.findCurrent(db);
    if (found) return found;
    await keys.insertFirst(db, await generateKey(options));
    return getOrCreateKey();
  }

  async function refresh(): Promise<void> {
    const found = await getOrCreateKey();
    if (present?.id === found.id) return;
    const key = await openKey(found, dataKey);
    const sealing = deriveSealingKey(dataKey);
    if (sealing && !found.sealed)
      await keys.updateSealed(db, found, seal(sealing, found.privateKey, found.kid, random));
    present = { id: found.id, kid: found.kid, key };
  }

  return {
    refresh,
    async sign(payload) {
      if (!present) await refresh();
      const { id: keyId, kid, key } = present as NonNullable<typeof present>;
      return {
        keyId,
        kid,
        signature: sign('sha256', Buffer.from(buildSigningInput(kid, payload)), {
          key,
          dsaEncoding: 'ieee-p1363',
        }),
      };
    },
  };
}
