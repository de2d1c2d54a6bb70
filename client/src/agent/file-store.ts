import { rmSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AgentState, AgentStateError, type StateStore } from './agent-state.ts';
import { lockFile } from './lock-file.ts';

function parseState(text: string, path: string): AgentState {
  try {
    const state = JSON.parse(text) as AgentState | null;
    if (state?.version === 1 && typeof state.handle === 'string') return state;
  } catch {
    // It is told below.
  }
  throw new AgentStateError(
    `${path} is not the state of an agent. Name another file; if it is damaged, restore it.`,
  );
}

/** Takes the lock of a state until this process ends. An agent may be opened again in it. */
async function holdLock(path: string): Promise<void> {
  const lock = `${path}.lock`;
  await lockFile(
    lock,
    (sentence) => new AgentStateError(`${sentence} Give each process a state of its own.`),
  );
  process.once('exit', () => rmSync(lock, { force: true }));
}

/**
 * Opens a store that keeps the state in a file, which only its owner may read (0600). A change
 * replaces the file whole, and is on the disk when `save` returns.
 */
export const openFileStore = (path: string): StateStore => ({
  close: () => rm(`${path}.lock`, { force: true }),
  async load() {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await holdLock(path);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    return text === null ? null : parseState(text, path);
  },
  async save(state) {
    const fresh = `${path}.new`;
    const file = await open(fresh, 'w', 0o600);
    try {
      await file.chmod(0o600);
      await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
    // The new name is durable only when the folder is.
    const folder = await open(dirname(path), 'r');
    await folder.sync().finally(() => folder.close());
  },
});
