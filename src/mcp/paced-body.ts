import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Creates what paces a writer by the reader of its body. The library writes its pieces whether or
 * not anybody reads them, so a writer asks here before it writes more.
 */
export function createPacedBody() {
  let isIdle = false;
  let hasEnded = false;
  let wake = () => {};
  const end = () => {
    hasEnded = true;
    wake();
  };
  return {
    /** Returns when the reader has taken everything, or has left. One writer may wait at a time. */
    async waitUntilTaken(): Promise<void> {
      // A reader that waits gets what was just written before the next turn.
      await nextTurn();
      if (isIdle || hasEnded) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    /** Returns the body as its reader gets it. */
    wrap(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
      const reader = body.getReader();
      const readPiece = async () => {
        let isRead = false;
        const read = reader.read().finally(() => {
          isRead = true;
        });
        // What was written already arrives before the next turn.
        await Promise.race([read, nextTurn()]);
        if (!isRead) {
          isIdle = true;
          wake();
        }
        const piece = await read;
        isIdle = false;
        return piece;
      };
      return new ReadableStream(
        {
          async pull(controller) {
            try {
              const { done, value } = await readPiece();
              if (!done) return controller.enqueue(value);
              end();
              controller.close();
            } catch (error) {
              end();
              throw error;
            }
          },
          async cancel(reason) {
            end();
            await reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
