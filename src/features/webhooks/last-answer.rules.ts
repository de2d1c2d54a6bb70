import type { CheckedHook } from './rules.ts';

/**
 * Returns when the receiver of a hook last answered what the service sent to it, if it answered the
 * last one; otherwise null. A configuration alone says nothing: it is shown what was seen.
 */
export const findLastAnswer = ({
  alive,
  state,
  attempts,
  verifiedAt,
  lastDeliveredAt,
}: CheckedHook): string | null => {
  if (!alive || state !== 'active' || attempts > 0) return null;
  const answers = [verifiedAt, lastDeliveredAt].filter((at) => at !== null);
  return answers.sort().at(-1) ?? null;
};
