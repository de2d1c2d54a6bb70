import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A change of the built program that makes it wrong. The program that is shipped has none. */
interface Fault {
  /** The path of the file under `dist/src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The faults that the proof must find, by name. */
export const faults: Readonly<Record<string, Fault>> = {
  'fence-not-checked': {
    file: 'features/requests/rules.js',
    from: '|| request.fence !== fence',
    to: '',
  },
  'expiry-by-the-clock-of-the-node': {
    file: 'features/requests/request-status.store.js',
    from: 'q.expires_at <= clock_timestamp()',
    to:
      'q.expires_at <= clock_timestamp() + make_interval(secs => ' +
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it becomes part of a template.
      '${Number(process.env.CLOCK_OFFSET_SECONDS ?? 0)}::int)',
  },
  // The claim is looked at without a lock, as if a transaction before had done that.
  'claim-and-answer-in-two-transactions': {
    file: 'features/requests/answer-request.js',
    from: 'const request = await requests.lock(tx, requestId, threadId);',
    to:
      'const request = await requests.find(tx, requestId); ' +
      'await new Promise((done) => setTimeout(done, 300));',
  },
};

/**
 * Copies the built program into a folder, with a fault. Returns the path of its entry.
 * Errors: Error when the program has no such line any more.
 */
export async function plantFault(name: string, folder: string): Promise<string> {
  const fault = faults[name];
  if (!fault) throw new Error(`There is no fault ${name}: ${Object.keys(faults).join(', ')}.`);
  for (const part of ['dist', 'docs', 'package.json', 'README.md'])
    await cp(join(root, part), join(folder, part), { recursive: true });
  const path = join(folder, 'dist/src', fault.file);
  const text = await readFile(path, 'utf8');
  const pieces = text.split(fault.from);
  if (pieces.length !== 2)
    throw new Error(
      `${fault.file} has "${fault.from}" ${pieces.length - 1} times: mend the fault.`,
    );
  await writeFile(path, pieces.join(fault.to));
  return join(folder, 'dist/src/main.js');
}
