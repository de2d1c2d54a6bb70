import { exportFormat } from './formats/export-format.ts';
import { talkFormat } from './formats/talk-format.ts';
import type { ImportFormat } from './import-plan.ts';
import { readLines } from './read-lines.ts';

const FIRST_LINE_BYTES = 64 * 1024;

/** All formats. The last one accepts every file and reports its invalid lines. */
const formats: readonly ImportFormat[] = [exportFormat, talkFormat];

/** Detects the format of a file by its first line. Errors: ImportError when it cannot be read. */
export async function findFormat(file: string): Promise<ImportFormat> {
  for await (const { bytes } of readLines(file, FIRST_LINE_BYTES)) {
    const first = bytes?.toString() ?? '';
    return formats.find((format) => format.matches(first)) ?? talkFormat;
  }
  return talkFormat;
}
