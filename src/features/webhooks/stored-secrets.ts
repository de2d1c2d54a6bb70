import type { Environment } from '../../kernel/pipeline/environment.ts';
import * as webhooks from './store.ts';

const BATCH = 1_000;

/** What is wrong with WEBHOOKS_ENCRYPTION_KEY and what to do about it, as the end of a sentence; null when it opens every stored secret. */
export async function faultOfKey({
  db,
  vault,
}: Pick<Environment, 'db' | 'vault'>): Promise<string | null> {
  const unreadable = await countUnreadable({ db, vault });
  if (unreadable === 0) return null;
  return `cannot open the secrets of ${unreadable} stored ${unreadable === 1 ? 'webhook' : 'webhooks'}: set the key under which they were stored, or start with WEBHOOKS_ENABLED=off and have their agents delete them.`;
}

async function countUnreadable({ db, vault }: Pick<Environment, 'db' | 'vault'>): Promise<number> {
  let unreadable = 0;
  for (let after: string | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof webhooks.listSecrets>> = await webhooks.listSecrets(
      db,
      after,
      BATCH,
    );
    for (const { agentId, sealedSecret } of rows) {
      try {
        vault.open(sealedSecret, agentId);
      } catch {
        unreadable += 1;
      }
    }
    after = rows.at(-1)?.agentId ?? null;
    if (rows.length < BATCH) return unreadable;
  }
}
