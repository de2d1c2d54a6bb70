import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a command ended: 0 is success. */
export type Ending = { readonly code: number } | { readonly signal: NodeJS.Signals };

/** Describes how a command ended, within a sentence. */
export const describeEnding = (ending: Ending): string =>
  'code' in ending ? `ended with ${ending.code}` : `was ended by ${ending.signal}`;

/** Opens a file without a name that has this text, for reading. */
async function openText(text: string): Promise<FileHandle> {
  const path = join(tmpdir(), `stoa-event-${randomUUID()}`);
  await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  try {
    return await open(path, 'r');
  } finally {
    await rm(path);
  }
}

/**
 * Runs a command in a shell, with a text as its standard input. What it prints is passed on. No
 * part of the text is in its arguments or its environment, where a shell could take it for code.
 * The input is a file and no pipe: were this process killed, a command would take the part of the
 * text that it already has for the whole. Errors: Error when the shell cannot be started.
 */
export async function runWithInput(
  command: string,
  text: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ending> {
  const input = await openText(text);
  try {
    const child = spawn(command, {
      shell: true,
      stdio: [input.fd, 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return signal === null ? { code: code ?? 1 } : { signal };
  } finally {
    await input.close();
  }
}
