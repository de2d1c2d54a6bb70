/**
 * Kills the primary of a PostgreSQL cluster again and again while agents do everything that they
 * can do, and proves afterwards that nothing acknowledged was lost. It builds the cluster on
 * loopback: three servers with Patroni, etcd and HAProxy, of which every other node of the service
 * uses the proxy, and the others a list of hosts. It needs Debian's packages postgresql, patroni,
 * etcd-server, python3-etcd and haproxy. Usage:
 * npm run failover -- --help
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { createRandom } from '../../bench/content/varied-text.ts';
import { runSeed } from '../faults/run-seed.ts';
import { openSite } from '../faults/site.ts';
import { parseAmount } from '../parse-amount.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { openPostTarget } from './open-post-target.ts';
import { type PrimaryFault, primaryFaults, strikePrimary } from './strike-primary.ts';
import { watchPosts } from './watch-posts.ts';

const KILLS_OF_ROUND = 4;
/** How long everybody goes on before a kill and after the last one. */
const QUIET_MS = 2_000;

interface Flags {
  readonly kills: number;
  readonly seed: number;
  readonly only: readonly PrimaryFault[];
  readonly keep?: true;
}

const { kills, seed, only, keep } = new Command('failover')
  .description('kills the primary of a cluster again and again, and proves that nothing was lost')
  .option('--kills <number>', 'how often', parseAmount, 20)
  .option('--seed <number>', 'seed of the order of faults', parseAmount, 1)
  .addOption(
    new Option('--only <fault...>', 'how it is killed')
      .choices(Object.keys(primaryFaults))
      .default(Object.keys(primaryFaults), 'each in turn'),
  )
  .option('--keep', 'leaves the cluster for looking at')
  .parse()
  .opts<Flags>();
const say = (line: string) => process.stdout.write(`${line}\n`);

let cluster: Cluster | undefined;
await using site = await openSite({
  nodes: 2,
  store: 'folder',
  startDatabase: async () => (cluster = await startCluster(keep === true)),
});
const database = cluster as unknown as Cluster;
await site.query('CREATE TABLE fence_probes (text text)');
const target = await openPostTarget(site);
const violations: string[] = [];

/** Kills the primary so many times. The cluster is whole before each kill. */
async function killPrimaries(from: number, to: number): Promise<readonly string[]> {
  const watch = watchPosts(target);
  for (let nr = from; nr < to; nr++) {
    await sleep(QUIET_MS);
    await database.waitUntilWhole();
    watch.takeLongestGap();
    const fault = only[nr % only.length] as PrimaryFault;
    const random = createRandom(seed * 1_000 + nr);
    violations.push(...(await strikePrimary(database, fault, random)));
    await database.waitUntilWhole();
    await sleep(QUIET_MS);
    say(`| ${nr + 1} | ${fault} | ${(watch.takeLongestGap() / 1000).toFixed(1)} |`);
  }
  return await watch.stop();
}

say('| Kill | Fault | Without an acknowledged post, s |\n|--:|---|--:|');
for (let from = 0; from < kills; from += KILLS_OF_ROUND) {
  const to = Math.min(kills, from + KILLS_OF_ROUND);
  let posted: readonly string[] = [];
  const { acts, violations: found } = await runSeed(site, seed + from, async () => {
    posted = await killPrimaries(from, to);
  });
  violations.push(...found, ...(await target.findMissing(posted)));
  say(`Kills ${from + 1} to ${to}: ${acts} acts and ${posted.length} posts beside them.`);
}
const probes = await site.query('SELECT FROM fence_probes');
if (probes.length > 0) violations.push('A write of a former primary is there.');
for (const violation of violations) say(violation);
say(violations.length === 0 ? 'Nothing was lost.' : `${violations.length} violations.`);
if (violations.length > 0) process.exitCode = 1;
