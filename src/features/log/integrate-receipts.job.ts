import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapInTurns } from '../../kernel/map-in-turns.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { canonicalizePayload, toReceiptPayload } from '../receipts/receipt-payload.ts';
import { toReceiptTopic } from '../receipts/rules.ts';
import * as receipts from '../receipts/store.ts';
import * as streamEntries from '../receipts/stream-entries.store.ts';
import * as batches from './log-batches.store.ts';
import { getRoot, growTree, hashLeaf } from './merkle-tree.rules.ts';
import type { LogSigner } from './open-log.ts';
import { STORED_HEIGHT, splitHashes, toLogEntry } from './rules.ts';
import * as logs from './store.ts';

/** The number of receipts in one transaction. */
const MAX_BATCH = 400;
/**
 * Receipts whose entries are made in one turn of the event loop. Each one takes 35 µs, during which
 * the process answers no request.
 */
const ENTRIES_PER_TURN = 100;
const SALT_BYTES = 32;

/**
 * Appends queued receipts to the log and publishes the grown tree, all in one transaction. So every
 * published tree is a prefix of each later one, even after a crash. Any number of nodes may try;
 * one of them succeeds. Agents that wait for receipts are woken after the commit. Returns whether
 * more receipts may be queued.
 * Errors: throws when the stored tree is not the one that was signed last.
 */
export async function integrateReceipts(
  { db, random, installation, hub }: Pick<Environment, 'db' | 'random' | 'installation' | 'hub'>,
  log: LogSigner,
): Promise<boolean> {
  if (!(await logs.hasQueued(db))) return false;
  const agentIds = new Set<string>();
  const hasMore = await db.transaction(async (tx) => {
    const tree = await logs.lock(tx);
    if (!tree) return false;
    const frontier = { size: tree.size, hashes: splitHashes(tree.frontier) };
    const [signedRoot, { taken, queued }] = await Promise.all([
      logs.findSignedRoot(tx, tree.size),
      batches.dequeue(tx, MAX_BATCH),
    ]);
    if (!signedRoot?.equals(getRoot(frontier))) {
      throw new Error(
        'The tree of the log is not the one that was signed last, so nothing more is signed. ' +
          'Run: stoa doctor.',
      );
    }
    const concerned = new Map(queued.map((one) => [one.eventId, one.concerned]));
    const events = await receipts.listReceipts(tx, [...concerned.keys()], installation);
    if (events.length === 0) return taken === MAX_BATCH;

    const salts = splitHashes(
      random(events.filter(({ visibility }) => visibility === 'private').length * SALT_BYTES),
    );
    // It waits for no queue, because everybody's receipts wait for it.
    const made = await mapInTurns(events, ENTRIES_PER_TURN, nextTurn, async (slice) =>
      slice.map((event) => {
        const salt = event.visibility === 'private' ? (salts.pop() ?? null) : null;
        const { sha256 } = canonicalizePayload(toReceiptPayload(event));
        return { eventId: event.id, entry: toLogEntry(sha256, salt), salt };
      }),
    );
    const entries = made.map((one, index) => ({ ...one, leafIndex: tree.size + index }));
    const nodes: batches.NewLogNode[] = [];
    const leaves = entries.map(({ entry }) => hashLeaf(entry));
    const grownTree = growTree(frontier, leaves, (subtree, hash) => {
      if (subtree.height % STORED_HEIGHT === 0) nodes.push({ ...subtree, hash });
    });
    const size = grownTree.size;
    const root = getRoot(grownTree);
    batches.append(tx, {
      entries,
      nodes,
      tree: { size, root, signature: log.sign(size, root) },
      frontier: Buffer.concat(grownTree.hashes),
    });
    const inserted = await streamEntries.insertStreamEntries(
      tx,
      entries.flatMap(({ eventId, leafIndex }) =>
        [...new Set(concerned.get(eventId))].map((agentId) => ({
          agentId,
          seq: leafIndex + 1,
          eventId,
        })),
      ),
    );
    for (const { agentId } of inserted) agentIds.add(agentId);
    return taken === MAX_BATCH;
  });
  hub.publish([...agentIds].map(toReceiptTopic));
  return hasMore;
}
