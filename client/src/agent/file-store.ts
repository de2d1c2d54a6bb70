import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AgentState, AgentStateError, type StateStore } from './agent-state.ts';

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

/**
 * Opens a store that keeps the state in a file, which only its owner may read (0600). A change
 * replaces the file whole, and is on the disk when `save` returns.
 */
export const openFileStore = (path: string): StateStore => ({
  async load() {
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
