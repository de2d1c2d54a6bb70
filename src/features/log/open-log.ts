import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { EMPTY_FRONTIER, rootOf } from '../../kernel/merkle.ts';
import { seal, unseal } from '../../kernel/crypto/sealing.ts';
import { SigningKeyError, sealingKeyOf } from '../../kernel/crypto/signer.ts';
import { checkpointText } from './rules.ts';
import * as logs from './store.ts';

/** Signs the trees of this installation's log. Ed25519: the same tree has always the same signature. */
export interface Log {
  sign(size: number, root: Buffer): Buffer;
}

/** What stands before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

const publicOf = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x as string, 'base64url');

const signer = (origin: string, key: KeyObject): Log => ({
  sign: (size, root) => sign(null, Buffer.from(checkpointText(origin, size, root)), key),
});

/** The seed of a stored key. Errors: SigningKeyError when DATA_KEY is not the one under which it was sealed. */
function seedOf(
  { origin, privateKey, sealed, publicKey }: logs.StoredLog,
  sealing: Buffer | null,
): Buffer {
  const toDo = 'Set the one with which it was: the log can only go on with its own key.';
  if (sealed && !sealing)
    throw new SigningKeyError(
      `DATA_KEY must be set: the key of the log of this installation is sealed. ${toDo}`,
    );
  try {
    const seed = sealed && sealing ? unseal(sealing, privateKey, origin) : privateKey;
    if (publicOf(keyOf(seed)).equals(publicKey)) return seed;
  } catch (cause) {
    throw new SigningKeyError(
      `DATA_KEY is not the one under which the key of the log was sealed. ${toDo}`,
      { cause },
    );
  }
  throw new SigningKeyError(
    'The key of the log of this installation was changed in the database. Restore log_state from a backup.',
  );
}

/**
 * Opens the log of the installation; makes it, with its key and its empty tree, if there is none yet: of nodes that do so at once, one does.
 * Errors: SigningKeyError, DatabaseUnavailable.
 */
export async function openLog(
  env: Pick<Environment, 'db' | 'random' | 'installation'>,
  dataKey: string | null,
): Promise<Log> {
  const { db, random, installation } = env;
  const sealing = sealingKeyOf(dataKey);
  const stored = await logs.find(db);
  if (!stored) {
    const seed = random(32);
    const origin = `${installation.baseUrl.replace(/^https?:\/\//, '')}/log`;
    const key = keyOf(seed);
    const empty = { size: EMPTY_FRONTIER.size, root: rootOf(EMPTY_FRONTIER) };
    const privateKey = sealing ? seal(sealing, seed, origin, random) : seed;
    const made = { origin, publicKey: publicOf(key), privateKey, sealed: sealing !== null };
    await logs.insert(db, made, {
      ...empty,
      signature: signer(origin, key).sign(empty.size, empty.root),
    });
    return openLog(env, dataKey);
  }
  const seed = seedOf(stored, sealing);
  if (sealing && !stored.sealed)
    await logs.keepSealed(db, seal(sealing, seed, stored.origin, random));
  return signer(stored.origin, keyOf(seed));
}

/** Errors: SigningKeyError when the key of the log, if there is one, cannot be opened. Changes nothing. */
export async function assertOpens(db: Queryable, dataKey: string | null): Promise<void> {
  const stored = await logs.find(db);
  if (stored) seedOf(stored, sealingKeyOf(dataKey));
}
