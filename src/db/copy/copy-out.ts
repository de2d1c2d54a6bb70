import { Readable } from 'node:stream';
import type pg from 'pg';

/** Rows are many and short: they are joined to pieces of this size. */
const PIECE_BYTES = 128 * 1024;

/** The rows of a `COPY ... TO STDOUT`, as a stream of bytes that holds the server back. */
class CopyOut extends Readable implements pg.Submittable {
  readonly #statement: string;
  readonly #countRow: () => void;
  #connection: pg.Connection | undefined;
  #piece = Buffer.allocUnsafe(PIECE_BYTES);
  #used = 0;

  constructor(statement: string, countRow: () => void) {
    super({ highWaterMark: 2 * PIECE_BYTES });
    this.#statement = statement;
    this.#countRow = countRow;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  #flush(): void {
    if (this.#used === 0) return;
    const isWanted = this.push(this.#piece.subarray(0, this.#used));
    this.#piece = Buffer.allocUnsafe(PIECE_BYTES);
    this.#used = 0;
    if (!isWanted) this.#connection?.stream.pause();
  }

  /** The driver calls it for each row. Its bytes are only valid during the call. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.destroyed) return;
    this.#countRow();
    if (this.#used + chunk.length > PIECE_BYTES) this.#flush();
    if (chunk.length > PIECE_BYTES) this.push(Buffer.from(chunk));
    else this.#used += chunk.copy(this.#piece, this.#used);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.destroyed) return;
    this.#flush();
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection?.stream.resume();
    done(error);
  }
}

/**
 * Runs a `COPY ... TO STDOUT` and returns its output. `countRow` is called for each row that
 * arrives. The stream fails with the error of the statement.
 */
export const copyOut = (client: pg.Client, statement: string, countRow = () => {}): Readable =>
  client.query(new CopyOut(statement, countRow));
