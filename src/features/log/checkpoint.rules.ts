import { sha256 } from '../../kernel/crypto/credentials.ts';

/** The name and the public key of a log. */
export interface LogKey {
  readonly origin: string;
  /** 32 bytes: Ed25519. */
  readonly publicKey: Buffer;
}

const ED25519 = Buffer.of(1);

/** The public key after the byte of its signature type (C2SP signed-note). */
const toTypedKey = ({ publicKey }: LogKey): Buffer => Buffer.concat([ED25519, publicKey]);
/** Builds the key id, the first 4 bytes of a hash over name and key (C2SP signed-note). */
const buildKeyId = (key: LogKey): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${key.origin}\n`), toTypedKey(key)])).subarray(0, 4);

/** Formats the verifier key of a log (C2SP signed-note). */
export const formatVerifierKey = (key: LogKey): string =>
  `${key.origin}+${buildKeyId(key).toString('hex')}+${toTypedKey(key).toString('base64')}`;

/** A tree of the log with its signature. */
export interface SignedTree {
  readonly size: number;
  readonly root: Buffer;
  readonly signature: Buffer;
}

/** Formats the text that the log signs for a tree (C2SP tlog-checkpoint). */
export const formatCheckpointText = (origin: string, size: number, root: Buffer): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Formats the checkpoint of a tree: the signed text and its signature. It is deterministic. */
export const formatCheckpoint = (key: LogKey, { size, root, signature }: SignedTree): string =>
  `${formatCheckpointText(key.origin, size, root)}\n\u2014 ${key.origin} ` +
  `${Buffer.concat([buildKeyId(key), signature]).toString('base64')}\n`;
