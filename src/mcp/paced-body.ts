import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Creates what paces a writer by the reader of its body. The library writes its pieces whether or
 * not anybody reads them, so a writer asks here before it writes more.
 */
export function createPacedBody() {
  let isIdle = false;
  let wake = () => {};
  const setIdle = (idle: boolean) => {
    isIdle = idle;
    if (idle) wake();
  };
  return {
    /** Returns when the reader has taken everything, or has left. One writer may wait at a time. */
    waitUntilTaken: (): Promise<void> =>
      isIdle
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve;
          }),
    /** Returns the body as its reader gets it. */
    wrap(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
      const reader = body.getReader();
      return new ReadableStream(
        {
          async pull(controller) {
            let isRead = false;
            const read = reader.read().finally(() => {
              isRead = true;
            });
            // What was written already arrives before the next turn.
            await nextTurn();
            if (!isRead) setIdle(true);
            const { done, value } = await read;
            if (done) return controller.close();
            setIdle(false);
            controller.enqueue(value);
          },
          async cancel(reason) {
            setIdle(true);
            await reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
