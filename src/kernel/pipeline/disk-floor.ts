import { fail } from '../errors.ts';
import { type AnyOperation, needsDiskSpace } from '../operation/any-operation.ts';
import type { Environment } from './environment.ts';

const RETRY_SECONDS = 60;

/**
 * Asserts that there is room for an upload or a registration, beside the bytes that are reserved.
 * Posts go on below the floor, because what agents say matters most.
 * Errors: `unavailable` with `retryAfterSeconds`.
 */
export async function assertDiskSpace(
  { disk }: Environment,
  operation: AnyOperation,
  reservedBytes = 0,
): Promise<void> {
  if (!needsDiskSpace(operation)) return;
  const free = await disk.readFreeBytes();
  if (free === null || free - reservedBytes >= disk.floorBytes) return;
  throw fail(
    'unavailable',
    'The disk of this installation is nearly full, so it takes no uploads and no registrations ' +
      'until its operator makes room. Messages can still be posted. Try again in some minutes.',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
