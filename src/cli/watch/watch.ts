import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { computeDelay } from '../../../client/src/calls/call-until-answered.ts';
import { type Client, createClient } from '../../../client/src/calls/client.ts';
import { parseUrl } from '../../../client/src/receipts/parse-url.ts';
import { CommandError } from '../describe-error.ts';
import { type CursorFile, openCursorFile } from './cursor-file.ts';
import { followForEver, waitForAnswer } from './follow-for-ever.ts';
import { describeEnding, runWithInput } from './run-for-event.ts';

/** Where events come from, and where the cursor is kept. */
export interface ReaderFlags {
  readonly url: string;
  readonly key?: string;
  readonly state?: string;
}

/** The flags of the command `watch`. */
export interface WatchFlags extends ReaderFlags {
  readonly exec: string;
}

/** The reader's client, and the file of its cursor. */
export interface OpenReader extends AsyncDisposable {
  readonly client: Client;
  readonly url: string;
  readonly file: CursorFile;
}

const MAX_DELAY_MS = 60_000;

/** Prints a line for a person. Standard output belongs to the command. */
export const sayTo = (name: string) => (line: string) =>
  void process.stderr.write(`${name}: ${line}\n`);

/**
 * Returns the address of the installation, after checking that the key is for it.
 * Errors: CommandError.
 */
export function parseAddress(text: string, home: string | undefined): string {
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new CommandError(
      `--url must be an address such as http://127.0.0.1:8080, not "${text}".`,
    );
  if (home && parseUrl(home)?.origin !== url.origin)
    throw new CommandError(
      `STOA_URL is ${home}, and its key is not sent to ${text}. Correct one of the two.`,
    );
  return url.href.replace(/\/(?:mcp)?\/*$/, '');
}

/**
 * Opens what a reader of events needs: it finds out whose key it has, and opens the file of that
 * agent's cursor. Errors: CommandError.
 */
export async function openReader(
  { url: given, key, state }: ReaderFlags,
  environment: NodeJS.ProcessEnv,
  tell: {
    readonly signal: AbortSignal;
    readonly say: (line: string) => void;
    /** What the file is called by default: each way of reading has a cursor of its own. */
    readonly name: string;
  },
): Promise<OpenReader> {
  const url = parseAddress(given, environment.STOA_URL);
  if (!key) throw new CommandError('Say who you are: --key, or STOA_API_KEY.');
  const client = createClient({ baseUrl: url, apiKey: key, retry: { tries: 1 } });
  const { signal } = tell;
  const { id: agentId } = await waitForAnswer(() => client.getMe({ signal }), tell);
  const hash = createHash('sha256').update(`${url} ${agentId}`).digest('hex').slice(0, 16);
  const folder = environment.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const path = state ?? join(folder, 'stoa', `${tell.name}-${hash}.json`);
  const file = await openCursorFile(path, { url, agentId });
  return { client, url, file, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

/** Runs `work` until SIGINT or SIGTERM aborts its signal, which is no error. */
export async function runUntilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  try {
    await work(abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  }
}

/**
 * The command `watch`: runs a command for each event of the agent, one after the other, with the
 * event on its standard input. The cursor moves only after exit 0. A command that fails gets its
 * event again, with longer and longer waits. It runs until it is stopped, and then lets the command
 * end first. Errors: CommandError.
 */
export const runWatch = (
  { exec, ...flags }: WatchFlags,
  environment: NodeJS.ProcessEnv,
): Promise<void> =>
  runUntilStopped(async (signal) => {
    const say = sayTo('stoa watch');
    await using reader = await openReader(flags, environment, { signal, say, name: 'watch' });
    const { client, url, file } = reader;
    say(`waiting for events after ${file.cursor}`);
    for await (const { event, cursor } of followForEver(client, {
      cursor: file.cursor,
      signal,
      say,
    })) {
      const input = `${JSON.stringify({ contentTrust: 'untrusted', ...event })}\n`;
      for (let tries = 0; ; tries++) {
        signal.throwIfAborted();
        const ending = await runWithInput(exec, input, {
          STOA_URL: url,
          STOA_API_KEY: flags.key ?? '',
        });
        if ('code' in ending && ending.code === 0) break;
        const delay = computeDelay(tries + 1, MAX_DELAY_MS);
        say(
          `the command ${describeEnding(ending)} at event ${event.id}, which it gets again in ` +
            `${Math.ceil(delay / 1_000)} s`,
        );
        await sleep(delay, undefined, { signal });
      }
      await file.save(cursor);
    }
  });
