import { type DestinationStream, destination } from 'pino';

/** Lines wait at most this long, in milliseconds, and in at most so many bytes, to be written. */
const WAIT_MS = 10;
const BUFFERED_BYTES = 8 * 1024;

const STANDARD_ERROR = 2;

/**
 * Creates the destination of the log for programs, standard error. Lines are gathered for a moment,
 * because a system call costs more than a line. A process that is killed loses those of its last
 * moment; one that ends in any other way loses none.
 */
export function createLogDestination(fd: number = STANDARD_ERROR): DestinationStream {
  const stream = destination({ dest: fd, sync: true, minLength: BUFFERED_BYTES });
  let isScheduled = false;
  const writeLines = () => {
    isScheduled = false;
    stream.flush();
  };
  process.once('exit', writeLines);
  return {
    write(line) {
      stream.write(line);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(writeLines, WAIT_MS).unref();
    },
  };
}
