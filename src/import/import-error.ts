/** What ends an import: one sentence that says what to do. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
