/** The embedded server cannot start or run. The message says what is wrong and what to do. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

/** Finds the code of a failed call, such as `ENOENT`, `EACCES` or an SQLSTATE. */
export function findSystemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the text of an error for a log line. */
export function describeReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
