import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import { seal, unseal } from '../../kernel/crypto/sealing.ts';
import { deriveSealingKey, SigningKeyError } from '../../kernel/crypto/signer.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { formatCheckpointText } from './checkpoint.rules.ts';
import { EMPTY_FRONTIER, getRoot } from './merkle-tree.rules.ts';
import * as logs from './store.ts';

/**
 * Signs the trees of this installation's log with Ed25519, so the same tree always has the same
 * signature.
 */
export interface LogSigner {
  /** Returns the signature of the tree with this size and root. */
  sign(size: number, root: Buffer): Buffer;
}

/** The bytes before the seed of an Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const toPrivateKey = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

const toPublicKey = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x as string, 'base64url');

const createLogSigner = (origin: string, key: KeyObject): LogSigner => ({
  sign: (size, root) => sign(null, Buffer.from(formatCheckpointText(origin, size, root)), key),
});

/**
 * Returns the seed of a stored key.
 * Errors: SigningKeyError when DATA_KEY is missing or did not seal the key, or when the stored key
 * does not match its public key.
 */
function unsealSeed(
  { origin, privateKey, sealed, publicKey }: logs.StoredLog,
  sealing: Buffer | null,
): Buffer {
  const remedy = 'Set the one that sealed it: the log can only continue with its own key.';
  if (sealed && !sealing)
    throw new SigningKeyError(
      `DATA_KEY must be set: the key of the log of this installation is sealed. ${remedy}`,
    );
  try {
    const seed = sealed && sealing ? unseal(sealing, privateKey, origin) : privateKey;
    if (toPublicKey(toPrivateKey(seed)).equals(publicKey)) return seed;
  } catch (cause) {
    throw new SigningKeyError(
      `DATA_KEY is not the one under which the key of the log was sealed. ${remedy}`,
      { cause },
    );
  }
  throw new SigningKeyError(
    'The key of the log of this installation was changed in the database. Restore log_state ' +
      'from a backup.',
  );
}

/**
 * Opens the log of the installation and returns its signer. When there is no log yet, it creates
 * one with a new key and an empty tree; of several nodes that try at once, one succeeds.
 * Errors: SigningKeyError, DatabaseUnavailable.
 */
export async function openLog(
  env: Pick<Environment, 'db' | 'random' | 'installation'>,
  dataKey: string | null,
): Promise<LogSigner> {
  const { db, random, installation } = env;
  const sealing = deriveSealingKey(dataKey);
  const stored = await logs.find(db);
  if (!stored) {
    const seed = random(32);
    const origin = `${installation.baseUrl.replace(/^https?:\/\//, '')}/log`;
    const key = toPrivateKey(seed);
    const empty = { size: EMPTY_FRONTIER.size, root: getRoot(EMPTY_FRONTIER) };
    const privateKey = sealing ? seal(sealing, seed, origin, random) : seed;
    const created = { origin, publicKey: toPublicKey(key), privateKey, sealed: sealing !== null };
    await logs.insert(db, created, {
      ...empty,
      signature: createLogSigner(origin, key).sign(empty.size, empty.root),
    });
    return openLog(env, dataKey);
  }
  const seed = unsealSeed(stored, sealing);
  if (sealing && !stored.sealed)
    await logs.updateSealedKey(db, seal(sealing, seed, stored.origin, random));
  return createLogSigner(stored.origin, toPrivateKey(seed));
}

/**
 * Asserts that the key of the log, if there is one, can be opened. It changes nothing.
 * Errors: SigningKeyError.
 */
export async function assertLogKeyOpens(db: Queryable, dataKey: string | null): Promise<void> {
  const stored = await logs.find(db);
  if (stored) unsealSeed(stored, deriveSealingKey(dataKey));
}
