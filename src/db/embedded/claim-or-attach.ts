import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError } from './embedded-errors.ts';
import { claim, type Owner, type OwnerLock } from './owner-lock.ts';
import { openSession } from './lock-session.ts';
import type { Log } from './embedded-types.ts';

/** How long a tool waits for a service that is starting, and everyone for a tool that is at work. Milliseconds. */
const patience = 60_000;

/**
 * Becomes the database's owner; or, for a tool beside a running service, learns where that service's database is.
 * A service is refused at once by another service; a tool's work is waited for, it is a matter of moments.
 * @throws EmbeddedServerError a second instance, or one that does not get ready
 */
export async function claimOrAttach(
  socket: string,
  kind: Owner['kind'],
  home: string,
  log: Log,
): Promise<{ lock: OwnerLock } | { serving: NonNullable<Owner['serving']> }> {
  const start = performance.now();
  let told = false;
  for (;;) {
    const claimed = await claim(socket, kind);
    if ('lock' in claimed) return claimed;
    const { owner } = claimed;
    const who = owner.pid === undefined ? 'another Stoa' : `another Stoa (process ${owner.pid})`;
    if (kind === 'service' && owner.kind !== 'tool') {
      throw new EmbeddedServerError(
        `The database in ${home} is in use by ${who}: stop that one first, or set DATA_DIR to another folder.`,
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
    if (performance.now() - start > patience) {
      throw new EmbeddedServerError(
        `The database in ${home} is in use by ${who}, which is not ready after a minute: look at its log, then try again.`,
      );
    }
    if (!told) log(`waiting for ${who}, which uses the database`, { pid: owner.pid });
    told = true;
    await sleep(100);
  }
}
