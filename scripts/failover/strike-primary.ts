import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../bench/content/varied-text.ts';
import { listPostgres, sendSignal } from '../../src/db/embedded/processes.ts';
import type { Cluster, RunningMember } from './cluster.ts';

/** What can happen to a primary, each with what it does. */
export const primaryFaults = {
  'kill-server': 'SIGKILL of PostgreSQL; its Patroni lives',
  'kill-machine': 'SIGKILL of PostgreSQL and Patroni, which come back after the failover',
  'freeze-machine': 'SIGSTOP of both until another server is the primary, then SIGCONT',
} as const;

export type PrimaryFault = keyof typeof primaryFaults;

/** How long a machine that was frozen may do harm before its Patroni goes on. */
const UNWATCHED_MS = 2_000;

const listServer = ({ folder }: RunningMember): Promise<number[]> =>
  listPostgres(join(folder, 'data'));

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) sendSignal(pid, signal);
}

/**
 * Tries to write to a server that is no primary any more, until it says so. Returns whether it
 * acknowledged a write: those would be lost.
 */
async function tryToWrite(cluster: Cluster, former: RunningMember): Promise<boolean> {
  let isHasty = false;
  try {
    const client = await cluster.connect(former);
    client.on('notice', () => {
      isHasty = true;
    });
    await client.query("INSERT INTO fence_probes VALUES ('by the former primary')");
    await client.end();
    return !isHasty;
  } catch {
    return false;
  }
}

/** Lets a fault strike the primary. Returns what is wrong, as sentences. */
export async function strikePrimary(
  cluster: Cluster,
  fault: PrimaryFault,
  random: SeededRandom,
): Promise<string[]> {
  const former = await cluster.waitForPrimary();
  const server = await listServer(former);
  if (fault === 'kill-server') {
    signalAll(server, 'SIGKILL');
    await cluster.waitForPrimary(former.name);
    return [];
  }
  const machine = [former.patroni.pid, ...server];
  if (fault === 'kill-machine') {
    signalAll(machine, 'SIGKILL');
    await cluster.waitForPrimary(former.name);
    await sleep(random.pickInt(3_000));
    await former.patroni.restart();
    return [];
  }
  signalAll(machine, 'SIGSTOP');
  await cluster.waitForPrimary(former.name);
  await sleep(random.pickInt(3_000));
  signalAll(server, 'SIGCONT');
  const writing = tryToWrite(cluster, former);
  await sleep(UNWATCHED_MS);
  signalAll(machine, 'SIGCONT');
  return (await writing) ? [`The former primary ${former.name} acknowledged a write.`] : [];
}
