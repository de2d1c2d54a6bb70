import type { Environment } from '../../kernel/pipeline/environment.ts';
import * as webhooks from './store.ts';

const BATCH_SIZE = 1_000;

/**
 * Describes what is wrong with WEBHOOKS_ENCRYPTION_KEY and what to do about it, as the end of a
 * sentence. Returns null when the key opens every stored secret.
 */
export async function describeKeyFault({
  db,
  webhookSecrets,
}: Pick<Environment, 'db' | 'webhookSecrets'>): Promise<string | null> {
  const unreadable = await countUnreadable({ db, webhookSecrets });
  if (unreadable === 0) return null;
  return (
    `cannot open the secrets of ${unreadable} stored ` +
    `${unreadable === 1 ? 'webhook' : 'webhooks'}: set the key with which they were ` +
    'stored, or start with WEBHOOKS_ENABLED=off and have their agents delete them.'
  );
}

async function countUnreadable({
  db,
  webhookSecrets,
}: Pick<Environment, 'db' | 'webhookSecrets'>): Promise<number> {
  let unreadable = 0;
  for (let after: string | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof webhooks.listSecrets>> = await webhooks.listSecrets(
      db,
      after,
      BATCH_SIZE,
    );
    for (const { agentId, sealedSecret } of rows) {
      try {
        webhookSecrets.open(sealedSecret, agentId);
      } catch {
        unreadable += 1;
      }
    }
    after = rows.at(-1)?.agentId ?? null;
    if (rows.length < BATCH_SIZE) return unreadable;
  }
}
