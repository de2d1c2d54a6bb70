import { type Bytes, createByteBuffer } from './bytes.ts';

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
  const bytes = createByteBuffer();
  let failure: { readonly reason: unknown } | undefined;
  // Whatever was not read is not wanted. After the last byte this does nothing.
  const cancel = () => void reader.cancel().catch(() => {});
  const stop = (reason: unknown) => {
    failure ??= { reason };
    // A read that waits then ends.
    cancel();
  };
  const onAbort = () => stop(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let lastAt = performance.now();
  // One timer for all pieces, of which there may be very many.
  const watch = () => {
    const left = lastAt + idleMs - performance.now();
    if (left <= 0) stop(new Error(`No byte came for ${idleMs / 1000} s.`));
    else timer = setTimeout(watch, left);
  };
  let timer = setTimeout(watch, idleMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (failure) throw failure.reason;
      if (done) return bytes.take();
      lastAt = performance.now();
      if (bytes.size + value.length > maxBytes) return null;
      bytes.add(value);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    cancel();
  }
}

/** Reads a body of UTF-8 as `readBody` does. Errors: those, and TypeError for other bytes. */
export async function readBodyText(response: Response, limits: BodyLimits): Promise<string | null> {
  const bytes = await readBody(response, limits);
  return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
