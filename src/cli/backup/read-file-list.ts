import { CommandError } from '../describe-error.ts';
import { toPaths, unpack } from './backup-folder.ts';

/** A file of messages in the list of a backup. */
export interface ListedFile {
  readonly sha256: string;
  readonly size: number;
}

/** A line: hash, tab, size. Nothing else becomes a part of a path. */
const LINE = /^([0-9a-f]{64})\t(\d{1,15})$/;
/** No line is longer, so a list without ends of lines is not kept in memory. */
const MAX_LINE = 80;

/**
 * Reads the list of files, in the order of their hashes. Errors: CommandError when it is no such
 * list.
 */
export async function* readFileList(folder: string): AsyncGenerator<ListedFile> {
  const path = toPaths(folder).fileList;
  const failUnreadable = () =>
    new CommandError(`${path} is not the list of files of a backup: use another copy of it.`);
  const toFile = (line: string): ListedFile => {
    const [, sha256, size] = LINE.exec(line) ?? [];
    if (sha256 === undefined) throw failUnreadable();
    return { sha256, size: Number(size) };
  };
  let rest = '';
  for await (const piece of unpack(path)) {
    const lines = (rest + Buffer.from(piece).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw failUnreadable();
    for (const line of lines) yield toFile(line);
  }
  if (rest !== '') yield toFile(rest);
}
