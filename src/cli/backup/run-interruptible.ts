import { BlobsUnavailable } from '../../blobs/blobs.ts';
import { CommandError } from '../describe-error.ts';

/** Errors of the file system that a person can correct. */
const correctable = /^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EIO|EFBIG|ENOENT)$/;

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
  const stop = () => {
    // Whoever sends a second signal waits no longer.
    if (interrupt.signal.aborted) process.exit(1);
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
