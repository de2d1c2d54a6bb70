import { type Bytes, concat } from './bytes.ts';

/** How much of a body to read, and how long to wait for it. */
interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds without a byte after which the body counts as broken off; a minute by default. */
  readonly idleMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const IDLE_MS = 60_000;

/**
 * Reads the body of a response, which may be hostile or never end; null if it is longer than
 * `maxBytes`. It listens to the signal itself, because `fetch` may forget it once it has answered.
 * Errors: Error when no byte comes; those of the body; the reason of the signal.
 */
export async function readBody(
  { body }: Response,
  { maxBytes, idleMs = IDLE_MS, signal }: BodyLimits,
): Promise<Bytes | null> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
  stopped.catch(() => {});
  try {
    for (;;) {
      const idle = new Promise<never>((_, reject) => {
        const end = () => reject(new Error(`No byte came for ${idleMs / 1000} s.`));
        timer = setTimeout(end, idleMs);
      });
      const { done, value } = await Promise.race([reader.read(), stopped, idle]);
      clearTimeout(timer);
      if (done) return concat(...pieces);
      size += value.length;
      if (size > maxBytes) return null;
      pieces.push(value);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // Whatever was not read is not wanted. After the last byte this does nothing.
    void reader.cancel().catch(() => {});
  }
}

/** Reads a body of UTF-8 as `readBody` does. Errors: those, and TypeError for other bytes. */
export async function readBodyText(response: Response, limits: BodyLimits): Promise<string | null> {
  const bytes = await readBody(response, limits);
  return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
