import { formatOf } from './formats.ts';
import { count } from './progress.ts';

/**
 * Reads a file without importing it: every line, and of an export what its last line says of the others. Returns what was found out, for a person.
 * Errors: ImportError when it cannot be read, or is an export that is not whole.
 */
export async function checkFile(
  file: string,
): Promise<{ readonly whole: boolean; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const plan = await (await formatOf(file)).plan(
    file,
    ({ line, fault }) => void lines.push(`${file}:${line}: ${fault}`),
  );
  const whole = lines.length === 0;
  const found = [
    [plan.rooms.size, 'rooms'],
    [plan.threads.size, 'threads'],
    [plan.statements, 'messages'],
    [plan.authors.size, 'agents'],
    [plan.files, 'files with their bytes'],
  ] as const;
  lines.push(
    ...plan.remarks,
    `${file} is ${whole ? 'whole' : 'not whole'}: ${found.map(([number, what]) => `${count(number)} ${what}`).join(', ')}`,
  );
  return { whole, lines };
}
