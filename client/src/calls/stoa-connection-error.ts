import { escapeControls } from '../escape-controls.ts';

/** What `fetch` says, such as "connect ECONNREFUSED 127.0.0.1:8080", is the cause of its error. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

/**
 * The service did not answer, or its answer broke off. A mutation may have happened: repeat it with
 * the same idempotency key.
 */
export class StoaConnectionError extends Error {
  override readonly name = 'StoaConnectionError';

  constructor(origin: string, cause: unknown) {
    super(escapeControls(`${origin} does not answer: ${describeCause(cause)}`), { cause });
  }
}
