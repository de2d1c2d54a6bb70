import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../bench/content/varied-text.ts';
import { programPath, runProgram } from '../../bench/load/service.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { buildDatabaseSettings, type Node, startNode } from '../faults/nodes.ts';
import { plantFault } from '../faults/plant.ts';
import { createSender } from '../faults/send.ts';
import { findViolations, listTakeovers } from './check-history.ts';
import { findUnanswered, prepareGround } from './ground.ts';
import { createHistory, isAnswered } from './history.ts';
import { plantedFaults } from './planted-faults.ts';
import { strike } from './strike.ts';
import { runWorker } from './worker.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const STUCK_MS = 180_000;

/** How much a run does. */
export interface ProofOptions {
  readonly seed: number;
  readonly requests: number;
  readonly workers: number;
  /** A fault to plant in the program; null for the program as it is. */
  readonly fault: string | null;
}

/** What a run did and found. */
export interface ProofResult {
  readonly seed: number;
  readonly calls: number;
  readonly kills: number;
  readonly pauses: number;
  readonly lostAnswers: number;
  readonly takenOver: number;
  /** The longest time from the end of a lease until a caller that waited at a node had it. */
  readonly slowestTakeoverMs: number | null;
  /** What is wrong, as sentences. */
  readonly violations: readonly string[];
}

/** Runs a proof from one seed: the same schedule of faults and moods, on whatever comes of them. */
export async function runProof(options: ProofOptions): Promise<ProofResult> {
  const { seed, requests, workers: count, fault } = options;
  await mkdir(join(root, 'data'), { recursive: true });
  const folder = await mkdtemp(join(root, 'data', 'claims-'));
  const dataDir = join(folder, 'data');
  await runProgram(['migrate'], { DATA_DIR: dataDir });
  const database = await startEmbedded({ dataDir, log: () => {}, attach: true });
  const main =
    fault === null ? programPath : await plantFault(plantedFaults, fault, join(folder, 'faulty'));
  const nodes: Node[] = [];
  try {
    for (let nr = 0; nr < 2; nr++) {
      const settings = { ...buildDatabaseSettings(database), DATA_DIR: join(folder, `node-${nr}`) };
      nodes.push(await startNode(main, settings));
    }
    const random = createRandom(seed);
    const sender = createSender(
      nodes.map(({ url }) => url),
      createRandom(seed + 1),
    );
    const [first] = nodes as [Node];
    const { lead, roomId, threadId, workers } = await prepareGround(first.url, sender, count);
    const history = createHistory();
    let posted = 0;
    const began = Date.now();
    const isDone = () => {
      if (Date.now() - began > STUCK_MS) return true;
      if (posted < requests) return false;
      for (const calls of history.byRequest.values()) if (!isAnswered(calls)) return false;
      return true;
    };
    const post = async () => {
      while (posted < requests) {
        const sent = await sender.send({
          method: 'POST',
          path: `/api/v1/threads/${threadId}/messages`,
          key: lead.key,
          body: { body: `Job ${posted}`, request: true },
        });
        if (sent.status !== 200) throw new Error(`A request was not posted: ${sent.status}`);
        history.getCalls(sent.body.id ?? sent.body.messageId);
        posted++;
      }
    };
    const [struck] = await Promise.all([
      strike(nodes, random, isDone),
      post(),
      ...workers.map((worker, nr) =>
        runWorker(
          worker,
          sender,
          history,
          { roomId, threadId, isDone },
          createRandom(seed * 1_000 + nr),
        ),
      ),
    ]);
    const ids = [...history.byRequest.keys()];
    const violations = ids.flatMap((id) => {
      const calls = history.byRequest.get(id) ?? [];
      return findViolations(id, calls, history.anyRequest);
    });
    for (const id of await findUnanswered(sender, threadId, lead.key, ids))
      violations.push(`The request ${id} has no answer, or more than one.`);
    if (ids.length !== requests) violations.push(`${ids.length} of ${requests} were posted.`);
    const takeovers = [...history.byRequest.values()].flatMap((calls) =>
      listTakeovers(calls, nodes),
    );
    return {
      seed,
      calls: [...history.byRequest.values()].reduce((sum, calls) => sum + calls.length, 0),
      ...struck,
      lostAnswers: sender.counts.lost,
      takenOver: takeovers.length,
      slowestTakeoverMs: takeovers.length === 0 ? null : Math.max(...takeovers),
      violations,
    };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await database.stop();
    await rm(folder, { recursive: true, force: true });
    if (database.location.relocated)
      await rm(dirname(database.location.data), { recursive: true, force: true });
  }
}
