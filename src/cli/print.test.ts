import { afterEach, expect, it, vi } from 'vitest';
import { createProgress } from '../import/progress.ts';
import { writeErrorLine, writeLine, writeLines } from './print.ts';

afterEach(() => void vi.restoreAllMocks());

/** Everything that a terminal obeys: C0, DEL, C1, line separators and bidi controls. */
const HOSTILE = 'a\u001b[2J\r\n\u0007\u007f\u009b8m\u2028\u202e\u2066\u200f\u061cz ö 😀\t';
const HARMLESS =
  'a\\u001b[2J\\u000d\\u000a\\u0007\\u007f\\u009b8m\\u2028\\u202e\\u2066' +
  '\\u200f\\u061cz ö 😀\\u0009';

it('[attack.7-6] (ASVS 1.2) prints controls of others as escapes', () => {
  const written: string[] = [];
  const keep = (text: unknown) => Boolean(written.push(String(text)));
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  writeLine(HOSTILE);
  writeErrorLine(HOSTILE);
  writeLines('one\ntwo\u001b');
  vi.restoreAllMocks();
  expect(written).toEqual([`${HARMLESS}\n`, `${HARMLESS}\n`, 'one\n', 'two\\u001b\n']);
});

it('[attack.7-6] (ASVS 1.2) so does what tells how far an import is', () => {
  const written: string[] = [];
  const out = { write: (text: string) => written.push(text) };
  createProgress(out, () => 0).say(HOSTILE);
  expect(written).toEqual([`${HARMLESS}\n`]);
});
