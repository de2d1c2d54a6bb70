import { type FileHandle, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Random } from '../kernel/ids.ts';
import { ImportError } from './import-error.ts';

interface ImportAccount {
  readonly id: string;
  readonly handle: string;
  readonly apiKey: string;
}

/** A line that the service will never accept, and why. */
export interface ImportRefusal {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** A line of the journal. */
type JournalEntry =
  | { readonly account: ImportAccount & { readonly author: string } }
  | { readonly room: string; readonly id: string }
  | { readonly thread: string; readonly id: string }
  | { readonly refused: ImportRefusal };

/** The facts that an import needs when it runs again after it was killed. */
export interface ImportState extends AsyncDisposable {
  /** The secret from which all idempotency keys are derived. */
  readonly seed: string;
  /** Whether an earlier run created the state. */
  readonly resumed: boolean;
  readonly accounts: ReadonlyMap<string, ImportAccount>;
  readonly rooms: ReadonlyMap<string, string>;
  readonly threads: ReadonlyMap<string, string>;
  readonly refused: ReadonlyMap<number, ImportRefusal>;
  /** Adds an entry. It resolves when the entry is on the disk. */
  note(entry: JournalEntry): Promise<void>;
}

interface JournalHeader {
  readonly stoaImport: 1;
  readonly seed: string;
  /** The SHA-256 of the imported file. */
  readonly file: string;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Creates a complete journal atomically. An existing one is not replaced. */
async function createJournal(path: string, header: JournalHeader): Promise<void> {
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

/**
 * Reads a journal; undefined if there is none. Errors: ImportError when it belongs to somebody
 * else, who then knows all keys that follow from its seed.
 */
async function readJournal(path: string): Promise<string | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found && process.getuid && found.uid !== process.getuid())
    throw new ImportError(`${path} belongs to another user: give another --state.`);
  return found && readFile(path, 'utf8');
}

/** Parses a line. A line that a kill truncated is undefined; its fact is found again. */
function parseLine<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T;
  } catch {
    return undefined;
  }
}

/** Creates a function that appends lines. Lines that arrive during a write are written together. */
function createAppender(handle: FileHandle): (line: string) => Promise<void> {
  let waiting = '';
  let writing: Promise<void> | undefined;
  async function writeLines(): Promise<void> {
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
    writing ??= Promise.resolve().then(writeLines);
    return writing;
  };
}

/**
 * Opens the state of an import, a journal of JSON lines. Only its owner can read it, because it has
 * the seed and the agents' keys. `file` is the SHA-256 of the imported file.
 * Errors: ImportError when the state belongs to another file or cannot be written.
 */
export async function openState(path: string, file: string, random: Random): Promise<ImportState> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const before = await readJournal(path);
    if (before === undefined)
      await createJournal(path, { stoaImport: 1, seed: random(32).toString('hex'), file });
    const text = before ?? (await readJournal(path)) ?? '';
    const [first = '', ...lines] = text.split('\n');
    const header = parseLine<JournalHeader>(first);
    if (header?.stoaImport !== 1)
      throw new ImportError(`${path} is not the state of an import: give another --state.`);
    if (header.file !== file)
      throw new ImportError(
        `${path} belongs to the import of another file, or this file has changed since: give ` +
          'another --state.',
      );

    const accounts = new Map<string, ImportAccount>();
    const rooms = new Map<string, string>();
    const threads = new Map<string, string>();
    const refused = new Map<number, ImportRefusal>();
    const applyEntry = (entry: JournalEntry) => {
      if ('account' in entry) accounts.set(entry.account.author, entry.account);
      else if ('room' in entry) rooms.set(entry.room, entry.id);
      else if ('thread' in entry) threads.set(entry.thread, entry.id);
      else refused.set(entry.refused.line, entry.refused);
    };
    for (const line of lines) {
      const entry = parseLine<JournalEntry>(line);
      if (entry) applyEntry(entry);
    }

    const handle = await open(path, 'a', 0o600);
    const append = createAppender(handle);
    if (!text.endsWith('\n')) await append('\n');
    return {
      seed: header.seed,
      resumed: before !== undefined,
      accounts,
      rooms,
      threads,
      refused,
      note(entry) {
        applyEntry(entry);
        return append(`${JSON.stringify(entry)}\n`);
      },
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `The state of the import cannot be stored in ${path} (${(error as Error).message}): ` +
        'give another --state.',
    );
  }
}
