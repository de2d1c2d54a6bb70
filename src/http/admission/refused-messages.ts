import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.ts';

/** Refusals of a caller in one window that are still answered in the protocol's own form. */
const EXPLAINED_REFUSALS = 30;
const WINDOW_MS = 60_000;
/** Callers whose refusals are counted at once. */
const MAX_CALLERS = 10_000;

/**
 * Creates the count of messages that were refused without a token. It takes one more of a caller,
 * and returns whether that one is still read and answered in the protocol's own form, so that a
 * model learns the reason. A caller that sends on regardless gets plain refusals, which cost less.
 */
export function createRefusedMessages(clock: Clock): (caller: string) => boolean {
  const windows = new LRUCache<string, { readonly endsAt: number; count: number }>({
    max: MAX_CALLERS,
  });
  return (caller) => {
    const now = clock();
    let window = windows.get(caller);
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_MS, count: 0 };
      windows.set(caller, window);
    }
    window.count += 1;
    return window.count <= EXPLAINED_REFUSALS;
  };
}
