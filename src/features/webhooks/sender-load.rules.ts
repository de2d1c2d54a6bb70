/** Attempts that this process makes at once. */
const MAX_RUNNING = 200;
/** Attempts at once to one host, so that a slow one does not hold up others. */
const MAX_RUNNING_PER_HOST = 16;
/** Attempts at once for hooks whose last attempt failed, so that healthy hooks have room. */
const MAX_RUNNING_FAILING = 100;

/** A delivery that is due or running. `attempts` counts those that failed before. */
export interface DeliveryAttempt {
  readonly agentId: string;
  readonly host: string;
  readonly attempts: number;
}

/** The load of this process, which limits what may begin. */
export interface SenderLoad {
  /** Attempts that may begin. */
  readonly free: number;
  /** Hosts to which no further attempt may begin. */
  readonly busyHosts: readonly string[];
  readonly failingMayGo: boolean;
}

const hasFailed = ({ attempts }: DeliveryAttempt) => attempts > 0;

function countByHost(attempts: readonly DeliveryAttempt[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of attempts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}

/** Computes the load from the running attempts. */
export const computeLoad = (running: readonly DeliveryAttempt[]): SenderLoad => ({
  free: MAX_RUNNING - running.length,
  busyHosts: [...countByHost(running)]
    .filter(([, count]) => count >= MAX_RUNNING_PER_HOST)
    .map(([host]) => host),
  failingMayGo: running.filter(hasFailed).length < MAX_RUNNING_FAILING,
});

/** Returns the due attempts that may begin now within all three limits, in their order. */
export function chooseAttempts<A extends DeliveryAttempt>(
  due: readonly A[],
  running: readonly DeliveryAttempt[],
): A[] {
  const hosts = countByHost(running);
  let free = MAX_RUNNING - running.length;
  let freeForFailing = MAX_RUNNING_FAILING - running.filter(hasFailed).length;
  return due.filter((attempt) => {
    const atHost = hosts.get(attempt.host) ?? 0;
    if (free <= 0 || atHost >= MAX_RUNNING_PER_HOST || (hasFailed(attempt) && freeForFailing <= 0))
      return false;
    free -= 1;
    if (hasFailed(attempt)) freeForFailing -= 1;
    hosts.set(attempt.host, atHost + 1);
    return true;
  });
}
