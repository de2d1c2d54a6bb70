import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError } from './embedded-errors.ts';
import type { LogMessage } from './embedded-types.ts';
import { openSession } from './lock-session.ts';
import { claimOwnership, type Owner, type OwnerLock } from './owner-lock.ts';

/** How long a tool waits for a service that is starting, and anyone for a tool that is running. */
const WAIT_LIMIT_MS = 60_000;

/**
 * Claims the database for this process. A tool that finds a running service gets the location of
 * that service's database instead. A service fails at once when another service is the owner; it
 * waits for a tool, which ends within moments.
 * Errors: EmbeddedServerError when another service is the owner, or the owner does not become ready
 * within a minute.
 */
export async function claimOrAttach(
  socket: string,
  kind: Owner['kind'],
  home: string,
  log: LogMessage,
): Promise<{ lock: OwnerLock } | { serving: NonNullable<Owner['serving']> }> {
  const start = performance.now();
  let isLogged = false;
  for (;;) {
    const claimed = await claimOwnership(socket, kind);
    if ('lock' in claimed) return claimed;
    const { owner } = claimed;
    const who = owner.pid === undefined ? 'another Stoa' : `another Stoa (process ${owner.pid})`;
    if (kind === 'service' && owner.kind !== 'tool') {
      throw new EmbeddedServerError(
        `The database in ${home} is in use by ${who}: stop that one first, or set DATA_DIR ` +
          'to another folder.',
      );
    }
    if (kind === 'tool' && owner.kind === 'service' && owner.serving) {
      const { serving } = owner;
      const client = await openSession(serving.connection, serving.connection.database).catch(
        () => undefined,
      );
      await client?.end();
      if (client) return { serving };
    }
    if (performance.now() - start > WAIT_LIMIT_MS) {
      throw new EmbeddedServerError(
        `The database in ${home} is in use by ${who}, which is not ready after a minute: ` +
          'look at its log, then try again.',
      );
    }
    if (!isLogged) log(`waiting for ${who}, which uses the database`, { ownerPid: owner.pid });
    isLogged = true;
    await sleep(100);
  }
}
