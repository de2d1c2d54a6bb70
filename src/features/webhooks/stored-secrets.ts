import type { Environment } from '../../kernel/environment.ts';
import * as webhooks from './store.ts';

const BATCH = 1_000;

/** How many secrets of webhooks are stored that do not open with the key of the settings. */
export async function countUnreadableSecrets({ db, vault }: Pick<Environment, 'db' | 'vault'>): Promise<number> {
  let unreadable = 0;
  for (let after: string | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof webhooks.listSecrets>> = await webhooks.listSecrets(db, after, BATCH);
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
