import { setTimeout as sleep } from 'node:timers/promises';
import { readBodyText } from '../../../client/src/read-body.ts';
import { parseUrl } from '../../../client/src/receipts/parse-url.ts';
import { monotonicClock, systemClock, toIso } from '../../kernel/clock.ts';
import { CommandError } from '../describe-error.ts';
import { writeLines } from '../print.ts';
import { parseMetrics } from './metrics-text.ts';
import { type NodeStatus, renderStatus } from './render-status.ts';
import { type Scrape, summarizeNode } from './summarize.ts';

/** The flags of the command `status`, as they were typed. */
export interface StatusFlags {
  readonly url: readonly string[];
  readonly adminKey?: string;
  readonly every: string;
  readonly once?: true;
  readonly json?: true;
}

const readClock = systemClock();
const TIMEOUT_MS = 5_000;
/** Metrics are far smaller. */
const MAX_BYTES = 8 * 1024 * 1024;
const OPERATIONS = 8;
/** Clears the terminal and goes to its first line (ECMA-48). */
const CLEAR = '\u001B[2J\u001B[H';

function parseAddress(text: string): string {
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new CommandError(
      `--url must be an address such as http://127.0.0.1:8080, not "${text}".`,
    );
  return url.origin;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds < 0.5 || seconds > 3600)
    throw new CommandError(`--every must be a number of seconds from 0.5 to 3600, not "${text}".`);
  return seconds;
}

/** What a node answered. */
interface NodeAnswer extends Pick<Response, 'status' | 'ok'> {
  readonly text: string;
}

/**
 * Asks a node; null if there is no whole answer. The key goes to the address that it was given for,
 * and no further.
 */
async function ask(url: string, headers: Record<string, string>): Promise<NodeAnswer | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal });
    const text = await readBodyText(response, { maxBytes: MAX_BYTES, signal });
    return text === null ? null : { status: response.status, ok: response.ok, text };
  } catch {
    return null;
  }
}

/**
 * Reads the metrics of a node; null when it cannot be reached, or refuses calls because it has too
 * much to do. Errors: CommandError.
 */
async function scrape(url: string, adminKey: string): Promise<Scrape | null> {
  const at = monotonicClock();
  const now = readClock() / 1000;
  const answer = await ask(`${url}/metrics`, { 'x-admin-key': adminKey });
  if (!answer) return null;
  if (answer.status === 401 || answer.status === 403)
    throw new CommandError(
      `${url} does not take this administrator key. Make one with: stoa admin-key create`,
    );
  return answer.ok ? { at, now, samples: parseMetrics(answer.text) } : null;
}

/** Reads the state of a node. Its probe answers also while it refuses other calls. */
async function readState(url: string, last: Scrape | null): Promise<NodeStatus['state']> {
  const answer = await ask(`${url}/readyz`, {});
  if (!answer) return 'unreachable';
  if (!answer.ok) return 'not ready';
  return last ? 'ready' : 'overloaded';
}

/**
 * The command `status`: shows what nodes do, on one screen that is drawn again and again. Without a
 * terminal, or with `--once` or `--json`, it shows one interval and ends; the exit code is then 1
 * unless all nodes are ready. Errors: CommandError.
 */
export async function showStatus(flags: StatusFlags): Promise<void> {
  const { adminKey, json } = flags;
  if (!adminKey)
    throw new CommandError('Give an administrator key: --admin-key <key>, or STOA_ADMIN_KEY.');
  const urls = flags.url.map(parseAddress);
  const seconds = parseSeconds(flags.every);
  const isLive = process.stdout.isTTY && !flags.once && !json;
  let before = await Promise.all(urls.map((url) => scrape(url, adminKey)));
  for (;;) {
    await sleep(seconds * 1000);
    const after = await Promise.all(urls.map((url) => scrape(url, adminKey)));
    const nodes = await Promise.all(
      urls.map(async (url, nr): Promise<NodeStatus> => {
        const [first, second] = [before[nr] ?? null, after[nr] ?? null];
        const state = await readState(url, second);
        return { url, state, summary: first && second && summarizeNode(first, second, OPERATIONS) };
      }),
    );
    before = after;
    if (isLive) {
      process.stdout.write(CLEAR);
      writeLines(renderStatus(nodes, toIso(readClock())));
      continue;
    }
    writeLines(json ? JSON.stringify({ nodes }) : renderStatus(nodes, toIso(readClock())));
    if (!nodes.every(({ state }) => state === 'ready')) process.exitCode = 1;
    return;
  }
}
