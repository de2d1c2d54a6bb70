import { once } from 'node:events';
import type pg from 'pg';

/** What the driver has for COPY, of which its types say nothing. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Sends bytes as long as the server accepts them. `signal` aborts when it does not any more. */
async function sendAll(
  connection: CopyConnection,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of source) {
    if (signal.aborted) return;
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal });
  }
  if (!signal.aborted) connection.endCopyFrom();
}

/**
 * Runs a `COPY ... FROM STDIN` with these bytes. Errors: those of the statement and of the source.
 */
export const copyIn = (
  client: pg.Client,
  statement: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = new AbortController();
    client.query({
      submit: (connection: pg.Connection) => connection.query(statement),
      handleCopyInResponse(connection: CopyConnection) {
        sendAll(connection, source, refused.signal).catch((error: unknown) => {
          if (refused.signal.aborted) return;
          reject(error);
          connection.sendCopyFail('the source of the rows cannot be read');
        });
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => resolve(),
      handleError(error: Error) {
        refused.abort();
        reject(error);
      },
    });
  });
