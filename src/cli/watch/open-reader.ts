import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../../client/src/calls/client.ts';
import { parseUrl } from '../../../client/src/receipts/parse-url.ts';
import { CommandError } from '../describe-error.ts';
import { type CursorFile, openCursorFile } from './cursor-file.ts';
import { waitForAnswer } from './follow-for-ever.ts';

/** Where events come from, and where the cursor is kept. */
export interface ReaderFlags {
  readonly url: string;
  readonly key?: string;
  readonly state?: string;
}

/** The reader's client, and the file of its cursor. */
export interface OpenReader extends AsyncDisposable {
  readonly client: Client;
  readonly url: string;
  readonly file: CursorFile;
}

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
