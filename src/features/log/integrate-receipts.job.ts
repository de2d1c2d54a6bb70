import type { Environment } from '../../kernel/pipeline/environment.ts';
import { grow, leafHash, rootOf } from '../../kernel/merkle.ts';
import { canonicalOf, payloadOf } from '../receipts/receipt-payload.ts';
import * as receipts from '../receipts/store.ts';
import type { Log } from './open-log.ts';
import { apart, entryOf, STORED_HEIGHT } from './rules.ts';
import * as logs from './store.ts';

/** Acts of one transaction. Each takes the process 35 µs, during which it answers nobody. */
const BATCH = 100;
const SALT_BYTES = 32;

/**
 * Gives the acts that wait their places in the log and publishes the tree with them, all in one transaction: whatever happens, a tree that anyone
 * saw is the beginning of each later one. Any number of nodes may try; one does. Returns whether more may wait.
 */
export async function integrate(
  { db, random, installation }: Pick<Environment, 'db' | 'random' | 'installation'>,
  log: Log,
): Promise<boolean> {
  if (!(await logs.isWaiting(db))) return false;
  return db.transaction(async (tx) => {
    const tree = await logs.lock(tx);
    if (!tree) return false;
    const frontier = { size: tree.size, hashes: apart(tree.frontier) };
    const [signed, { taken, queued }] = await Promise.all([
      logs.signedRoot(tx, tree.size),
      logs.take(tx, BATCH),
    ]);
    if (!signed?.equals(rootOf(frontier))) {
      throw new Error(
        'The tree of the log is not the one that was signed last: nothing more is signed. Run: stoa doctor.',
      );
    }
    const concerned = new Map(queued.map((one) => [one.eventId, one.concerned]));
    const events = await receipts.listEvents(tx, [...concerned.keys()], installation);
    if (events.length === 0) return taken === BATCH;

    const salts = apart(
      random(events.filter(({ visibility }) => visibility === 'private').length * SALT_BYTES),
    );
    const entries = events.map((event, nr) => {
      const salt = event.visibility === 'private' ? (salts.pop() ?? null) : null;
      return {
        leafIndex: tree.size + nr,
        eventId: event.id,
        entry: entryOf(canonicalOf(payloadOf(event)).sha256, salt),
        salt,
      };
    });
    const nodes: logs.NewNode[] = [];
    const leaves = entries.map(({ entry }) => leafHash(entry));
    const grown = grow(frontier, leaves, (subtree, hash) => {
      if (subtree.height % STORED_HEIGHT === 0) nodes.push({ ...subtree, hash });
    });
    const [size, root] = [grown.size, rootOf(grown)];
    logs.append(tx, {
      entries,
      nodes,
      tree: { size, root, signature: log.sign(size, root) },
      frontier: Buffer.concat(grown.hashes),
    });
    receipts.insertRecipients(
      tx,
      entries.flatMap(({ eventId, leafIndex }) =>
        [...new Set(concerned.get(eventId))].map((agentId) => ({
          agentId,
          seq: leafIndex + 1,
          eventId,
        })),
      ),
    );
    return taken === BATCH;
  });
}
