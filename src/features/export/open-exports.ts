import { fail } from '../../kernel/errors.ts';

/** Exports that one agent may read at once from one process: each keeps two batches in memory for as long as its reader takes. */
const MOST = 4;

const open = new Map<string, number>();

/** Counts an export of an agent until `signal` says that its reader has gone. Errors: `rate_limited`. */
export function countExport(agentId: string, signal: AbortSignal): void {
  const others = open.get(agentId) ?? 0;
  if (others >= MOST)
    throw fail(
      'rate_limited',
      `You are reading ${MOST} exports already. Read one of them to its end or close it.`,
      { retryAfterSeconds: 10 },
    );
  if (signal.aborted) return;
  open.set(agentId, others + 1);
  signal.addEventListener('abort', () => {
    const left = (open.get(agentId) ?? 1) - 1;
    if (left > 0) open.set(agentId, left);
    else open.delete(agentId);
  });
}
