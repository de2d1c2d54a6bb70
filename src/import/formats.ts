import { exported } from './formats/export-format.ts';
import { talk } from './formats/talk-format.ts';
import type { Format } from './import-plan.ts';
import { readLines } from './read-lines.ts';

const FIRST_LINE_BYTES = 64 * 1024;

/** What can be imported; the last one takes every file and says what is wrong with its lines. */
const formats: readonly Format[] = [exported, talk];

/** The format of a file, by its first line. Errors: ImportError when it cannot be read. */
export async function formatOf(file: string): Promise<Format> {
  for await (const { bytes } of readLines(file, FIRST_LINE_BYTES)) {
    const first = bytes?.toString() ?? '';
    return formats.find((format) => format.begins(first)) ?? talk;
  }
  return talk;
}
