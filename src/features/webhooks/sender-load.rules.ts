/** Attempts that this process makes at once. */
const MAX_RUNNING = 200;
/** Attempts at once to one host, so that a slow one does not hold up others. */
const MAX_RUNNING_PER_HOST = 16;
/**
 * Attempts at once to the hosts of one site, after which only its hosts without any may begin one,
 * up to the second number. Whoever has a domain has any number of hosts in it, and could take all
 * attempts if each host had its own share only.
 */
const MAX_RUNNING_PER_SITE = 64;
const MAX_OF_FULL_SITE = 96;
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
  /** Sites to whose hosts no further attempt may begin. */
  readonly busySites: readonly string[];
  readonly failingMayGo: boolean;
}

const hasFailed = ({ attempts }: DeliveryAttempt) => attempts > 0;

/**
 * Returns the site of a host: the last two labels of its name. Below some public suffixes, such as
 * co.uk, unrelated hosts are one site. They share more attempts than one host has.
 */
export const getSite = (host: string): string => host.split('.').slice(-2).join('.');

const count = (keys: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const countByHost = (attempts: readonly DeliveryAttempt[]) =>
  count(attempts.map((one) => one.host));
const countBySite = (attempts: readonly DeliveryAttempt[]) =>
  count(attempts.map((one) => getSite(one.host)));

/** Lists the keys that were counted at least `limit` times. */
const listFull = (counts: ReadonlyMap<string, number>, limit: number): string[] =>
  [...counts].filter(([, times]) => times >= limit).map(([key]) => key);

/** Whether one more attempt may begin to a host, beside these to it and to its site. */
const hasRoom = (atHost: number, atSite: number): boolean =>
  atSite < MAX_RUNNING_PER_SITE
    ? atHost < MAX_RUNNING_PER_HOST
    : atHost === 0 && atSite < MAX_OF_FULL_SITE;

function listBusyHosts(running: readonly DeliveryAttempt[]): string[] {
  const sites = countBySite(running);
  return [...countByHost(running)].flatMap(([host, atHost]) =>
    hasRoom(atHost, sites.get(getSite(host)) ?? 0) ? [] : [host],
  );
}

/** Computes the load from the running attempts. */
export const computeLoad = (running: readonly DeliveryAttempt[]): SenderLoad => ({
  free: MAX_RUNNING - running.length,
  busyHosts: listBusyHosts(running),
  busySites: listFull(countBySite(running), MAX_OF_FULL_SITE),
  failingMayGo: running.filter(hasFailed).length < MAX_RUNNING_FAILING,
});

/** Returns the due attempts that may begin now within all limits, in their order. */
export function chooseAttempts<A extends DeliveryAttempt>(
  due: readonly A[],
  running: readonly DeliveryAttempt[],
): A[] {
  const hosts = countByHost(running);
  const sites = countBySite(running);
  let free = MAX_RUNNING - running.length;
  let freeForFailing = MAX_RUNNING_FAILING - running.filter(hasFailed).length;
  return due.filter((attempt) => {
    const site = getSite(attempt.host);
    const atHost = hosts.get(attempt.host) ?? 0;
    const atSite = sites.get(site) ?? 0;
    const mayGo =
      free > 0 && hasRoom(atHost, atSite) && (freeForFailing > 0 || !hasFailed(attempt));
    if (!mayGo) return false;
    free -= 1;
    if (hasFailed(attempt)) freeForFailing -= 1;
    hosts.set(attempt.host, atHost + 1);
    sites.set(site, atSite + 1);
    return true;
  });
}
