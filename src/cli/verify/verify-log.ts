import { open, readFile, rename } from 'node:fs/promises';
import { toBase64 } from '../../../client/src/bytes.ts';
import { withRetry } from '../../../client/src/calls/retry.ts';
import { StoaApiError } from '../../../client/src/calls/stoa-api-error.ts';
import { toApiError } from '../../../client/src/calls/to-api-error.ts';
import { readBody } from '../../../client/src/read-body.ts';
import {
  type Checkpoint,
  CheckpointError,
  openCheckpoint,
} from '../../../client/src/receipts/checkpoint.ts';
import { parseUrl } from '../../../client/src/receipts/parse-url.ts';
import { formatTilePath } from '../../features/log/rules.ts';
import { createProgress, type Progress } from '../../import/progress.ts';
import { systemClock } from '../../kernel/clock.ts';
import { CommandError } from '../describe-error.ts';
import { writeErrorLine, writeLine } from '../print.ts';
import { checkLog, LogFault, type ReadTile } from './check-log.ts';

/** The flags of the command `verify-log`. */
export interface VerifyLogFlags {
  readonly url: string;
  readonly since?: string;
  readonly save?: string;
  readonly key?: string;
}

/** The maximum size of an answer. Every answer of a log is smaller. */
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 30_000;
const RETRY = { tries: 4, maxWaitSeconds: 120 };
/** The maximum number of rounds of retries while the log's rate limit refuses reads. */
const MAX_ROUNDS = 20;

async function fetchBytes(address: string): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(address, { redirect: 'error', signal });
  if (!response.ok) throw await toApiError(response, { signal });
  const bytes = await readBody(response, { maxBytes: MAX_BYTES, signal });
  // Whatever is longer than any answer of a log is as wrong as zeros of that length.
  return Buffer.from(bytes ?? new Uint8Array(MAX_BYTES + 1));
}

/**
 * Creates a function that reads from a log over HTTP, with retries. Errors of that function:
 * StoaApiError and those of `fetch`, when retries did not help.
 */
const createFetch = (url: string) => async (path: string) => {
  for (let round = 1; ; round++) {
    try {
      return await withRetry(() => fetchBytes(`${url}/log/${path}`), RETRY, undefined);
    } catch (error) {
      if (!(error instanceof StoaApiError && error.status === 429) || round === MAX_ROUNDS)
        throw error;
    }
  }
};

type FetchPath = ReturnType<typeof createFetch>;

/**
 * Creates a function that reads tiles. Errors: LogFault when a tile is missing although the
 * checkpoint includes it.
 */
const createTileReader =
  (fetched: FetchPath): ReadTile =>
  (tile) =>
    fetched(formatTilePath(tile)).catch((error: unknown) => {
      const missing = error instanceof StoaApiError && [404, 410].includes(error.status);
      throw missing
        ? new LogFault(
            'tile_missing',
            `The log does not show ${formatTilePath(tile)}, which its checkpoint says is there.`,
          )
        : error;
    });

function parseAddress(text: string): string {
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new CommandError(
      `--url must be an address such as https://stoa.example.org, not "${text}".`,
    );
  return url.href.replace(/\/+$/, '');
}

async function readGivenFile(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new CommandError(`${file} cannot be read: give the file with ${what}.`);
  }
}

/** Replaces a file atomically: after a power cut it has either its old or its new content. */
async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`;
  const handle = await open(fresh, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}

/** Opens a checkpoint of this log. Errors: LogFault, whose message names the checkpoint. */
async function openNamedCheckpoint(note: string, vkey: string, whose: string): Promise<Checkpoint> {
  try {
    return await openCheckpoint(note, vkey);
  } catch (error) {
    if (error instanceof CheckpointError)
      throw new LogFault(error.code, `${whose}: ${error.message}`);
    throw error;
  }
}

/** Reads the verifier key of `--key`, which is the key itself or a file with it. */
const readVerifierKey = async (given: string): Promise<string> =>
  (given.includes('+') ? given : await readGivenFile(given, 'the key of the log')).trim();

/**
 * Verifies the log, and returns lines that say what is proven and what is not.
 * Errors: LogFault; CommandError, StoaApiError and those of `fetch` when the log could not be
 * checked.
 */
async function verify(
  { url, since, save, key }: VerifyLogFlags,
  progress?: Progress,
): Promise<string[]> {
  const fetchPath = createFetch(parseAddress(url));
  const keptNote =
    since === undefined || since === 'none'
      ? null
      : await readGivenFile(since, 'the checkpoint that you kept, or none for the first time');
  const vkey =
    key === undefined
      ? (await fetchPath('vkey')).toString('utf8').trim()
      : await readVerifierKey(key);
  const note = (await fetchPath('checkpoint')).toString('utf8');
  const now = await openNamedCheckpoint(note, vkey, 'The checkpoint of the log');
  const old =
    keptNote === null
      ? null
      : await openNamedCheckpoint(keptNote, vkey, 'The checkpoint that you kept');
  const read = now.size - (old?.size ?? 0);
  progress?.begin('Entries', read);
  await checkLog(createTileReader(fetchPath), old, now, progress?.add);
  progress?.end();
  if (save !== undefined) await replaceFile(save, note);

  return [
    `The log ${now.origin} has ${now.size} entries.`,
    `proven      its checkpoint is signed with ${vkey}`,
    ...(old
      ? [
          `proven      it begins with the ${old.size} entries that it had when you kept its ` +
            'checkpoint: nothing was changed, taken out or moved',
        ]
      : []),
    `proven      ${old ? `the ${read} entries since then` : `all ${read} entries`} are in ` +
      `the tree that it signed, root ${toBase64(now.root)}`,
    ...(key === undefined
      ? [
          'not proven  that this is the right key: it came from the log itself. Keep it, ' +
            'and give it with --key.',
        ]
      : []),
    ...(old
      ? []
      : [
          'not proven  that nothing was rewritten before now: keep this checkpoint with ' +
            '--save, and give it with --since the next time',
        ]),
    'not proven  that others are shown the same log: compare checkpoints with them',
    'not proven  that what an entry stands for is true',
  ];
}

/** The result of `verify-log`. */
export interface LogFindings {
  /**
   * The exit code. 0: everything holds. 1: the log contradicts its checkpoint, and the line says
   * how. 2: the log could not be checked.
   */
  readonly code: 0 | 1 | 2;
  readonly lines: readonly string[];
}

/** Checks a log by the flags. It never throws: the lines describe any error. */
export async function collectFindings(
  flags: VerifyLogFlags,
  progress?: Progress,
): Promise<LogFindings> {
  try {
    return { code: 0, lines: await verify(flags, progress) };
  } catch (error) {
    if (error instanceof LogFault)
      return { code: 1, lines: [`BROKEN      ${error.code}: ${error.message}`] };
    const { message, cause } = error as Error;
    return {
      code: 2,
      lines: [
        'The log could not be checked: ' +
          `${message}${cause instanceof Error ? ` (${cause.message})` : ''}`,
      ],
    };
  }
}

/**
 * The command `verify-log`, which a witness runs from time to time. The exit code is that of the
 * findings.
 */
export async function verifyLog(flags: VerifyLogFlags): Promise<void> {
  const { code, lines } = await collectFindings(
    flags,
    process.stderr.isTTY ? createProgress(process.stderr, systemClock()) : undefined,
  );
  for (const line of lines) (code === 2 ? writeErrorLine : writeLine)(line);
  process.exitCode = code;
}
