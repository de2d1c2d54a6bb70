import * as claims from '../../../blobs/blob-claims.store.ts';
import type { Transaction } from '../../../db/database.ts';
import { fail, failField, type StoaError } from '../../errors.ts';
import type { GiveBack } from '../../limits/storage-quotas.ts';
import type { ReceivedFile } from '../../operation/sent-file.ts';
import { normaliseFileName } from '../../schema/text.ts';
import type { Call, Environment } from '../environment.ts';
import type { UploadReservation } from './reserve-upload.ts';

/** A file that has arrived completely, before the operation handles it. */
export interface Upload {
  readonly file: ReceivedFile;
  /**
   * The values that identify the request: the hash of the bytes, the name, and the type that was
   * sent.
   */
  readonly fingerprint: {
    readonly sha256: string;
    readonly name: string;
    readonly mediaType: string;
  };
  /**
   * Claims and stores the bytes. The claim prevents their deletion until the operation keeps them.
   */
  store(): Promise<void>;
  /**
   * Releases the claim, if there is one, when the operation fails. The bytes are deleted unless
   * something else refers to them.
   */
  release(): Promise<void>;
  /** Keeps so many of the reserved bytes of the day, see `UploadReservation`. */
  settle(bytes: number): GiveBack | null;
  /** Deletes the temporary copy of the upload, and gives back what it reserved and did not use. */
  discard(): Promise<void>;
}

/** Builds the error of a file that is larger than `limit` bytes. */
export const failTooLarge = (limit: number): StoaError =>
  fail('payload_too_large', `The file is larger than ${limit} bytes. Send less, or split it.`, {
    limit,
  });

async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  limit: number,
  reservation: UploadReservation,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > limit) throw failTooLarge(limit);
    yield piece;
    // The next piece is asked for when this one is written.
    await reservation.write(piece.length);
  }
}

/**
 * Receives the file of a call of `caller`. `reserve` is called before its first byte is written,
 * with the number of bytes that it can have. A failure leaves nothing behind.
 * Errors: `payload_too_large`, `invalid_request` for its name, those of the edge and of `reserve`;
 * BlobsUnavailable.
 */
export async function receiveUpload(
  { db, blobs: store, blobDeletions, staging, installation, newId }: Environment,
  caller: string,
  call: Call,
  now: string,
  reserve: (bytes: number) => Promise<UploadReservation>,
): Promise<Upload> {
  if (!call.file) throw failField('/body/file', 'is required');
  const { name, mediaType, bytes, announcedBytes = Number.POSITIVE_INFINITY } = await call.file();
  const nameResult = normaliseFileName(name);
  if ('fault' in nameResult)
    throw failField('/body/file', `the name of the file ${nameResult.fault}. Rename the file`);
  const { fileBytes } = installation.limits;
  const reservation = await reserve(Math.min(announcedBytes, fileBytes));
  const { path, size, sha256, head, discard } = await staging
    .receive(newId(), limitBytes(bytes, fileBytes, reservation))
    .catch((error: unknown) => {
      reservation.release();
      throw error;
    });
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
      const releaseClaim = async (tx: Transaction) => {
        if (await claims.releaseClaim(tx, sha256)) await store.delete(hash);
      };
      await blobDeletions.run(() => db.transaction(releaseClaim, { skipsQueue: true }), caller);
    },
    settle: reservation.settle,
    async discard() {
      reservation.release();
      await discard();
    },
  };
}
