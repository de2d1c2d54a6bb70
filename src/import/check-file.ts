import { findFormat } from './formats.ts';
import { formatCount } from './progress.ts';

/**
 * Checks every line of a file without importing it. An export is also checked against its last
 * line. Returns whether the file is complete, and lines for a person.
 * Errors: ImportError when the file cannot be read, or is an incomplete export.
 */
export async function checkFile(
  file: string,
): Promise<{ readonly whole: boolean; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const plan = await (await findFormat(file)).plan(
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
    `${file} is ${whole ? 'whole' : 'not whole'}: ` +
      `${found.map(([number, what]) => `${formatCount(number)} ${what}`).join(', ')}`,
  );
  return { whole, lines };
}
