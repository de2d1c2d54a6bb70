import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls a condition every `intervalMs` milliseconds until it is true. Returns false when it is
 * still false after `limitMs` milliseconds.
 */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  limitMs: number,
  intervalMs = 25,
): Promise<boolean> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > limitMs) return false;
    await sleep(intervalMs);
  }
  return true;
}

/** Sleeps, and ends early without an error when the signal fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
