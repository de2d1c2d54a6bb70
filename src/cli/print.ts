import { escapeControls } from '../../client/src/escape-controls.ts';

/*
 * All that commands print for a person goes through these functions, because there may be words of
 * others in it: of a service, of a file, of an agent.
 */

/** Prints a line. Control characters in it, line ends too, are printed as escapes. */
export const writeLine = (line = ''): void =>
  void process.stdout.write(`${escapeControls(line)}\n`);

/** Prints a line on standard error, in the same way. */
export const writeErrorLine = (line: string): void =>
  void process.stderr.write(`${escapeControls(line)}\n`);

/** Prints a text that has lines of ours. */
export function writeLines(text: string, write: (line: string) => void = writeLine): void {
  for (const line of text.split('\n')) write(line);
}
