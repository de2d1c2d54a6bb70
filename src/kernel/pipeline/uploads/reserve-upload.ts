import type { GuardedCall } from '../../callers/caller.ts';
import { StoaError } from '../../errors.ts';
import type { GiveBack } from '../../limits/storage-quotas.ts';
import type { Operation } from '../../operation/operation.ts';
import { assertDiskSpace } from '../disk-floor.ts';
import type { Call, Environment } from '../environment.ts';

/** After so many bytes of a file, the floor of free disk is asked for again. */
const CHECKED_BYTES = 2 * 1024 * 1024;

/**
 * What an upload takes before its first byte is written. A file that never ends would otherwise lie
 * on the disk for as long as its sender likes, and cost nothing.
 */
export interface UploadReservation {
  /** Notes bytes that were written. Errors: `unavailable` when the disk is nearly full. */
  write(bytes: number): Promise<void>;
  /**
   * Keeps so many of the reserved bytes of the day, because the file has them, and returns the
   * function that gives them back. Null when none were reserved.
   */
  settle(bytes: number): GiveBack | null;
  /** Gives back whatever is not settled. */
  release(): void;
}

/**
 * Reserves bytes of the caller's day and of the disk for a file of at most `bytes`. A call that was
 * answered before is answered again, whatever is left of the day.
 * Errors: `limit_exceeded` with `limit`, `unavailable`.
 */
export async function reserveUpload(
  env: Environment,
  operation: Operation,
  { address }: Call,
  { at, caller }: GuardedCall,
  bytes: number,
  isReplay: () => Promise<boolean>,
): Promise<UploadReservation> {
  const { disk, storageQuotas } = env;
  const takeBytes = async () => {
    try {
      return await storageQuotas.take(caller.agent?.id ?? null, address, bytes, at);
    } catch (error) {
      if (error instanceof StoaError && (await isReplay())) return null;
      throw error;
    }
  };
  const giveBack = caller.administrator ? null : await takeBytes();
  const endOnDisk = disk.reserve(bytes);
  let isSettled = false;
  let unchecked = 0;
  const release = () => {
    endOnDisk();
    if (!isSettled) giveBack?.();
  };
  const assertRoom = async () => {
    unchecked = 0;
    await assertDiskSpace(env, operation, disk.reservedBytes);
  };
  await assertRoom().catch((error: unknown) => {
    release();
    throw error;
  });
  return {
    release,
    async write(written) {
      endOnDisk(written);
      unchecked += written;
      if (unchecked >= CHECKED_BYTES) await assertRoom();
    },
    settle(kept) {
      if (!giveBack) return null;
      isSettled = true;
      giveBack(Math.max(0, bytes - kept));
      return giveBack;
    },
  };
}
