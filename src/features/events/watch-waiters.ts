import type { Queryable } from '../../db/database.ts';
import type { Hub } from '../../kernel/hub.ts';
import * as events from './store.ts';

const CHECK_MS = 1_000;

/** Looks by itself, once a second, whether those who wait have news: a notice between nodes may be lost. */
export function watchWaiters(db: Queryable, hub: Hub): () => void {
  const seen = new Map<string, number>();
  const timer = setInterval(async () => {
    const waiting = hub.waiting();
    const present = new Set(waiting);
    for (const id of seen.keys()) if (!present.has(id)) seen.delete(id);
    if (waiting.length === 0) return;
    const rows = await events.heads(db, waiting).catch(() => []);
    const news = rows.filter(
      ({ agentId, head }) => (seen.get(agentId) ?? head) < head || !seen.has(agentId),
    );
    for (const { agentId, head } of rows) seen.set(agentId, head);
    hub.deliver(news.map(({ agentId }) => agentId));
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
