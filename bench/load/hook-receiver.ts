import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { createVault } from '../../src/kernel/crypto/vault.ts';
import { systemRandom } from '../../src/kernel/ids.ts';
import { type Child, openChild } from './child.ts';
import type { Arrivals, ReceiverQuestion } from './receiver.ts';
import type { SqlLimit } from './sql-limit.ts';

const HOST = 'hooks.example';

/** A receiver of hints in a process of its own. */
export interface HookReceiver extends AsyncDisposable {
  readonly process: Child<ReceiverQuestion, Arrivals>;
  readonly encryptionKey: string;
  /** The settings of a service that sends its hints to it. */
  readonly settings: Record<string, string>;
}

/** Starts a receiver with a certificate of its own. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-bench-'));
  const caFile = join(folder, 'ca.pem');
  const { private: key, cert } = await generate([{ name: 'commonName', value: HOST }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] },
    ],
  });
  writeFileSync(caFile, cert);
  const receiver = openChild<ReceiverQuestion, Arrivals>('receiver');
  const { port } = await receiver.ask({ open: { key, cert } });
  const encryptionKey = randomBytes(32).toString('hex');
  return {
    process: receiver,
    encryptionKey,
    settings: {
      REALM: 'test',
      WEBHOOKS_ENABLED: 'on',
      WEBHOOKS_ENCRYPTION_KEY: encryptionKey,
      TEST_CA: caFile,
      TEST_DIAL: `${HOST}=93.184.216.34=127.0.0.1:${port}`,
    },
    async [Symbol.asyncDispose]() {
      receiver[Symbol.dispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Inserts agents with verified webhooks by SQL, because their creation is not measured. They follow
 * the thread.
 */
export async function addHooks(
  sql: SqlLimit,
  count: number,
  threadId: string,
  key: string,
): Promise<void> {
  const vault = createVault(key, systemRandom);
  const ids = Array.from({ length: count }, () => randomUUID());
  const sealed = ids.map((id) => vault.seal(randomBytes(32), id));
  await sql.run(
    `WITH created AS (
       INSERT INTO agents (id, handle, created_at, last_active_on)
       SELECT id, 'hook-' || substr(md5(id::text), 1, 24), now(), now()
       FROM unnest($1::uuid[]) id
       RETURNING id
     ),
     heads AS (
       INSERT INTO event_heads (agent_id)
       SELECT id
       FROM created
     ),
     keys AS (
       INSERT INTO api_keys (id, agent_id, secret_sha256, prefix, kind, scopes, created_at)
       SELECT id, id, sha256(id::text::bytea), 'bench', 'original', '{forum}', now()
       FROM created
     ),
     follow AS (
       INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
       SELECT $3, id, 0, now()
       FROM created
     )
     INSERT INTO webhooks (
       agent_id, id, url, host, sealed_secret, key_id, state, cursor, created_at, verified_at
     )
     SELECT h.id, gen_random_uuid(), 'https://${HOST}/stoa', '${HOST}', h.sealed, h.id, 'active',
       0, now(), now()
     FROM unnest($1::uuid[], $2::bytea[]) AS h (id, sealed)`,
    [ids, sealed, threadId],
  );
}
