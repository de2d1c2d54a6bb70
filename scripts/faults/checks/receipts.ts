import { join } from 'node:path';
import { checkReceipt } from '../../../client/src/receipts/check-receipt.ts';
import type { Site } from '../site.ts';
import type { Stage } from '../stage.ts';
import { waitForNone } from './wait-for-none.ts';

const LOG_MS = 30_000;
/** A seed checks so many receipts. */
const CHECKED = 20;

/** Waits until every act has its place in the log. */
const waitForLog = (site: Site): Promise<string[]> =>
  waitForNone(site, 'portable_queue', 'Acts without a place in the log', LOG_MS);

async function checkOne(url: string, receiptId: string): Promise<string[]> {
  const answer = await fetch(`${url}/e/${receiptId}.json`);
  if (!answer.ok) return [`Receipt ${receiptId} of an acknowledged post answers ${answer.status}.`];
  const { holds, checks } = await checkReceipt(await answer.json(), { issuer: url });
  return holds ? [] : [`Receipt ${receiptId} does not hold: ${JSON.stringify(checks.at(-1))}`];
}

/** The receipts of posts are one each, and hold. */
async function checkPosts(url: string, { memory, cast }: Stage): Promise<string[]> {
  const ids = memory.posted.map(({ receiptId }) => receiptId);
  const faults = new Set(ids).size === ids.length ? [] : ['Two posts have one receipt.'];
  const open = memory.posted.filter(({ threadId }) =>
    cast.threads.some(({ id, isHidden }) => id === threadId && !isHidden),
  );
  for (const { receiptId } of open.slice(-CHECKED))
    faults.push(...(await checkOne(url, receiptId)));
  return faults;
}

/** The log is whole, and an extension of what was seen of it while faults struck. */
async function checkLog(
  site: Site,
  url: string,
  checkpoints: ReadonlySet<string>,
): Promise<string[]> {
  const kept = join(site.folder, 'checkpoint');
  const since = site.hasCheckpoint ? kept : 'none';
  const words = ['verify-log', '--url', url, '--since', since, '--save', kept];
  const { code, output } = await site.run(words);
  if (code !== 0) return [`The log does not hold: ${output}`];
  site.hasCheckpoint = true;
  const faults: string[] = [];
  for (const checkpoint of checkpoints) {
    const [, size, root] = checkpoint.split('\n');
    const [kept] = await site.query(
      "SELECT encode(root, 'base64') AS root FROM log_checkpoints WHERE size = $1",
      [size],
    );
    if (kept?.root !== root) faults.push(`The log forgot what it showed:\n${checkpoint}`);
  }
  return faults;
}

/** What was promised about the stored data as a whole is true. */
async function checkData(site: Site): Promise<string[]> {
  const { code, output } = await site.run(['doctor']);
  if (code === 0) return [];
  return output.split('\n').filter((line) => line.startsWith('WRONG'));
}

/** Receipts hold, the log has never forgotten anything, and the stored data agrees with itself. */
export async function checkProofs(site: Site, stage: Stage): Promise<string[]> {
  const url = site.posts[0]?.url ?? '';
  return [
    ...(await waitForLog(site)),
    ...(await checkPosts(url, stage)),
    ...(await checkLog(site, url, stage.memory.checkpoints)),
    ...(await checkData(site)),
  ];
}
