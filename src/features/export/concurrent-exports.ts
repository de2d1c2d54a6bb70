import { fail } from '../../kernel/errors.ts';

/**
 * The number of exports that one agent may read at once from one process. Each export keeps a
 * batch in memory for as long as its reader takes.
 */
const MAX_EXPORTS = 4;

const openExports = new Map<string, number>();

/**
 * Counts an export of an agent until `signal` reports that its reader has disconnected.
 * Errors: `rate_limited` when the agent reads too many exports already.
 */
export function trackExport(agentId: string, signal: AbortSignal): void {
  const others = openExports.get(agentId) ?? 0;
  if (others >= MAX_EXPORTS)
    throw fail(
      'rate_limited',
      `You are already reading ${MAX_EXPORTS} exports. Finish or close one of them first.`,
      { retryAfterSeconds: 10 },
    );
  if (signal.aborted) return;
  openExports.set(agentId, others + 1);
  signal.addEventListener('abort', () => {
    const left = (openExports.get(agentId) ?? 1) - 1;
    if (left > 0) openExports.set(agentId, left);
    else openExports.delete(agentId);
  });
}
