/** The embedded server cannot do what was asked; the message is a sentence that says what to do about it. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

/** The system's code of a failed call (`ENOENT`, `EACCES`, a SQLSTATE), or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** One line of text for a log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
