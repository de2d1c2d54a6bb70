import * as claims from '../../blobs/blob-claims.store.ts';
import { fail, failField, type StoaError } from '../errors.ts';
import type { ReceivedFile } from '../operation/sent-file.ts';
import { normaliseFileName } from '../schema/text.ts';
import type { Call, Environment } from './environment.ts';

/** A file that arrived completely and waits for what the operation makes of it. */
export interface Upload {
  readonly file: ReceivedFile;
  /** What makes two files the same request: bytes, name and the type that was sent. */
  readonly fingerprint: {
    readonly sha256: string;
    readonly name: string;
    readonly mediaType: string;
  };
  /** Stores the bytes, claimed so that nobody takes them away before they are kept. */
  store(): Promise<void>;
  /**
   * Gives the claim back, if there is one, when the operation fails; the bytes go, unless someone
   * else needs them.
   */
  release(): Promise<void>;
  /** Removes what only the upload itself needed. */
  discard(): Promise<void>;
}

export const failTooLarge = (limit: number): StoaError =>
  fail('payload_too_large', `The file is larger than ${limit} bytes. Send less, or split it.`, {
    limit,
  });

async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > limit) throw failTooLarge(limit);
    yield piece;
  }
}

/**
 * Reads the file of a call. Errors: `payload_too_large`, `invalid_request` for its name, those of
 * the edge; BlobsUnavailable. Nothing is left then.
 */
export async function receiveUpload(
  { db, blobs: store, staging, installation, newId }: Environment,
  call: Call,
  now: string,
): Promise<Upload> {
  if (!call.file) throw failField('/body/file', 'is required');
  const { name, mediaType, bytes } = await call.file();
  const nameResult = normaliseFileName(name);
  if ('fault' in nameResult)
    throw failField('/body/file', `the name of the file ${nameResult.fault}`);
  const { path, size, sha256, head, discard } = await staging.receive(
    newId(),
    limitBytes(bytes, installation.limits.fileBytes),
  );
  const hash = sha256.toString('hex');
  let claimed = false;
  return {
    file: { name: nameResult.value, size, sha256, head },
    fingerprint: { sha256: hash, name: nameResult.value, mediaType: mediaType.toLowerCase() },
    async store() {
      await claims.insertClaim(db, sha256, size, now);
      claimed = true;
      await store.put(hash, path, size);
    },
    async release() {
      if (!claimed) return;
      await db.transaction(async (tx) => {
        if (await claims.releaseClaim(tx, sha256)) await store.delete(hash);
      });
    },
    discard,
  };
}
