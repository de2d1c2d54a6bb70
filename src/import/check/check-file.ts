import { setTimeout as sleep } from 'node:timers/promises';
import { escapeControls } from '../../../client/src/escape-controls.ts';
import { findFormat } from '../formats.ts';
import type { ImportFormat, ImportPlan } from '../import-plan.ts';
import { connect, toImportError } from '../import-service.ts';
import { formatCount } from '../progress.ts';
import { findRefusals } from './find-refusals.ts';

/** The result of checking a file. */
export interface CheckedFile {
  /** Whether the file is complete and an import would take all of it. */
  readonly fits: boolean;
  /** For a person. */
  readonly lines: readonly string[];
}

/** Reads how large a file may be on an installation. Errors: ImportError. */
async function readFileLimit(url: string): Promise<number> {
  const say = (line: string) => void process.stderr.write(`${escapeControls(line)}\n`);
  try {
    const { limits } = await connect({ url, sleep, say }).anonymous.getCapabilities();
    return limits.fileBytes;
  } catch (error) {
    throw toImportError(error, url, 'no state');
  }
}

/** Lists what an import would leave out, one line each. */
async function listRefusals(
  file: string,
  format: ImportFormat,
  fileBytes: number | null,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const statement of format.statements(file)) {
    for (const { line, code, detail } of findRefusals(statement, fileBytes))
      lines.push(`${file}:${line}: would be refused (${code}): ${detail}`);
  }
  return lines;
}

const listCounts = ({ rooms, threads, statements, authors, files }: ImportPlan): string =>
  (
    [
      [rooms.size, 'rooms'],
      [threads.size, 'threads'],
      [statements, 'messages'],
      [authors.size, 'agents'],
      [files, 'files with their bytes'],
    ] as const
  )
    .map(([number, what]) => `${formatCount(number)} ${what}`)
    .join(', ');

/**
 * Checks every line of a file without importing it. An export is also checked against its last
 * line. What an import would leave out is listed, by the limits that the service applies; that of
 * files only if `url` says of which installation.
 * Errors: ImportError when the file cannot be read, or is an incomplete export.
 */
export async function checkFile(file: string, url: string | undefined): Promise<CheckedFile> {
  const fileBytes = url === undefined ? null : await readFileLimit(url);
  const faults: string[] = [];
  const format = await findFormat(file);
  const plan = await format.plan(
    file,
    ({ line, fault }) => void faults.push(`${file}:${line}: ${fault}`),
  );
  const whole = faults.length === 0;
  const refusals = await listRefusals(file, format, fileBytes);
  const lines = [
    ...faults,
    ...refusals,
    ...plan.remarks,
    `${file} is ${whole ? 'whole' : 'not whole'}: ${listCounts(plan)}`,
  ];
  if (refusals.length > 0)
    lines.push(
      `${formatCount(refusals.length)} of them would be refused, told above with line and ` +
        'reason: an import leaves them out',
    );
  if (plan.files > 0 && fileBytes === null)
    lines.push('whether an installation takes files of their size, --check tells with --url');
  return { fits: whole && refusals.length === 0, lines };
}
