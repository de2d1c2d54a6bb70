import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../bench/content/varied-text.ts';
import type { Node } from '../faults/nodes.ts';
import { LEASE_MS } from './claim-model.ts';

/** The furthest that the clock of a node is wrong. */
const MAX_OFFSET_SECONDS = 900;

/** Kills and stops the nodes in turn until the work is done. Each fault is left time to heal. */
export async function strike(nodes: readonly Node[], random: SeededRandom, isDone: () => boolean) {
  const struck = { kills: 0, pauses: 0 };
  while (!isDone()) {
    await sleep(500 + random.pickInt(2_000));
    if (isDone()) break;
    const node = random.pickOne(nodes);
    if (random.pickInt(3) === 0) {
      struck.pauses++;
      await node.pause(LEASE_MS + 500);
    } else {
      struck.kills++;
      await node.restart(random.pickInt(2 * MAX_OFFSET_SECONDS) - MAX_OFFSET_SECONDS);
    }
  }
  return struck;
}
