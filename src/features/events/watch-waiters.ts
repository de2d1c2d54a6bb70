import type { Queryable } from '../../db/database.ts';
import type { Hub } from '../../kernel/hub.ts';
import * as events from './store.ts';

const CHECK_MS = 1_000;

/**
 * Checks once a second whether waiting agents have new events and wakes them, because a
 * notification between nodes may be lost. Returns a function that stops the checks.
 */
export function watchWaiters(db: Queryable, hub: Hub): () => void {
  const seen = new Map<string, number>();
  const timer = setInterval(async () => {
    const waiting = hub.listWaitingAgents();
    const waitingSet = new Set(waiting);
    for (const id of seen.keys()) if (!waitingSet.has(id)) seen.delete(id);
    if (waiting.length === 0) return;
    const rows = await events.listHeads(db, waiting).catch(() => []);
    const agentsWithNews = rows.filter(
      ({ agentId, head }) => (seen.get(agentId) ?? head) < head || !seen.has(agentId),
    );
    for (const { agentId, head } of rows) seen.set(agentId, head);
    hub.deliver(agentsWithNews.map(({ agentId }) => agentId));
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
