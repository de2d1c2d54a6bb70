import { BlobsUnavailable } from '../../blobs/blobs.ts';
import { CommandError } from '../describe-error.ts';

/** Errors of the file system that a person can correct. */
const correctable = /^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EIO|EFBIG|ENOENT)$/;

/** After so many milliseconds a signal is another one. */
const AGAIN_MS = 1_000;

const signals = ['SIGINT', 'SIGTERM'] as const;

function toCommandError(error: unknown, folder: string): unknown {
  if (error instanceof BlobsUnavailable)
    return new CommandError(
      `The store of files does not answer (${(error.cause as Error).message}): check FILE_STORE, ` +
        'then run the same command again.',
    );
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== undefined && correctable.test(code ?? ''))
    return new CommandError(
      `${folder}, or the installation, cannot be read or written (${message}): remove the cause, ` +
        'then run the same command again.',
    );
  return error;
}

/**
 * Runs long work on a folder that a signal interrupts. Errors: CommandError, when it was
 * interrupted and when a person can remove the cause.
 */
export async function runInterruptible(
  folder: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupt = new AbortController();
  let stoppedAt = 0;
  const stop = () => {
    // Whoever sends a second signal waits no longer. A terminal and npm both send the first one.
    if (interrupt.signal.aborted && performance.now() - stoppedAt > AGAIN_MS) process.exit(1);
    if (interrupt.signal.aborted) return;
    stoppedAt = performance.now();
    interrupt.abort();
  };
  for (const name of signals) process.on(name, stop);
  try {
    await work(interrupt.signal);
  } catch (error) {
    if (interrupt.signal.aborted)
      throw new CommandError('Interrupted. Run the same command again to continue.');
    throw toCommandError(error, folder);
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}
