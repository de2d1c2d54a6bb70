import { type FileHandle, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Random } from '../kernel/ids.ts';
import { ImportError } from './import-error.ts';

interface Account {
  readonly id: string;
  readonly handle: string;
  readonly apiKey: string;
}

export interface Refusal {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** One thing that happened, as a line of the file. */
type Entry =
  | { readonly account: Account & { readonly author: string } }
  | { readonly room: string; readonly id: string }
  | { readonly thread: string; readonly id: string }
  | { readonly refused: Refusal };

/** What an import must still know when it was killed and runs again. */
export interface State extends AsyncDisposable {
  /** Secret; all idempotency keys come from it. */
  readonly seed: string;
  /** An earlier run made the file. */
  readonly resumed: boolean;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly rooms: ReadonlyMap<string, string>;
  readonly threads: ReadonlyMap<string, string>;
  readonly refused: ReadonlyMap<number, Refusal>;
  /** Resolves when the entry is on the disk. */
  note(entry: Entry): Promise<void>;
}

interface Header {
  readonly stoaImport: 1;
  readonly seed: string;
  /** SHA-256 of the file that is imported. */
  readonly file: string;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Puts a new file in place whole or not at all; one that is there already stays. */
async function create(path: string, header: Header): Promise<void> {
  const temporary = `${path}.${header.seed.slice(0, 8)}.new`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(header)}\n`);
    await handle.sync();
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(path));
}

const read = (path: string) =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** A line that a kill tore apart is passed over: what it told is found out again. */
function parse<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T;
  } catch {
    return undefined;
  }
}

/** Appends lines; those that come while the disk is busy go together. */
function appender(handle: FileHandle): (line: string) => Promise<void> {
  let waiting = '';
  let writing: Promise<void> | undefined;
  async function write(): Promise<void> {
    while (waiting !== '') {
      const lines = waiting;
      waiting = '';
      await handle.appendFile(lines);
      await handle.datasync();
    }
    writing = undefined;
  }
  return (line) => {
    waiting += line;
    writing ??= Promise.resolve().then(write);
    return writing;
  };
}

/**
 * Opens the state of an import, a journal of JSON lines that only its owner can read: it has the seed and the agents' keys.
 * Errors: ImportError when it belongs to another file or cannot be kept.
 */
export async function openState(path: string, file: string, random: Random): Promise<State> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const before = await read(path);
    if (before === undefined)
      await create(path, { stoaImport: 1, seed: random(32).toString('hex'), file });
    const text = before ?? (await read(path)) ?? '';
    const [first = '', ...lines] = text.split('\n');
    const header = parse<Header>(first);
    if (header?.stoaImport !== 1)
      throw new ImportError(`${path} is no state of an import: give another --state.`);
    if (header.file !== file)
      throw new ImportError(
        `${path} belongs to the import of another file, or this one was changed since: give another --state.`,
      );

    const accounts = new Map<string, Account>();
    const rooms = new Map<string, string>();
    const threads = new Map<string, string>();
    const refused = new Map<number, Refusal>();
    const learn = (entry: Entry) => {
      if ('account' in entry) accounts.set(entry.account.author, entry.account);
      else if ('room' in entry) rooms.set(entry.room, entry.id);
      else if ('thread' in entry) threads.set(entry.thread, entry.id);
      else refused.set(entry.refused.line, entry.refused);
    };
    for (const line of lines) {
      const entry = parse<Entry>(line);
      if (entry) learn(entry);
    }

    const handle = await open(path, 'a', 0o600);
    const append = appender(handle);
    if (!text.endsWith('\n')) await append('\n');
    return {
      seed: header.seed,
      resumed: before !== undefined,
      accounts,
      rooms,
      threads,
      refused,
      note(entry) {
        learn(entry);
        return append(`${JSON.stringify(entry)}\n`);
      },
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `The state of the import cannot be kept in ${path} (${(error as Error).message}): give another --state.`,
    );
  }
}
