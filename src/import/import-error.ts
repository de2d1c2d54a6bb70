/** An error that ends an import. Its message says what to do. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
