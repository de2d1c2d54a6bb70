import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { talk } from '../../src/import/formats/talk-format.ts';

/** Text to work with, and what to call it. */
export interface Corpus {
  readonly file: string;
  readonly name: string;
  /** What fits in a message, in the file's order. */
  readonly bodies: readonly string[];
}

const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const words =
  'a the we you agree that this proposal parser thread order record should could because realm module test stage review when @ada not and with'.split(
    ' ',
  );

/** Statements of made-up words, with lengths spread as in real talk; the same ones each time. */
function generated(): string {
  let seed = 42;
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const sentence = () =>
    Array.from({ length: 5 + chance(chance(120) + 1) }, () => words[chance(words.length)]).join(
      ' ',
    );
  const line = (index: number) => ({
    room: `Meeting ${Math.floor(index / 1500)}`,
    day: 'day-1',
    thread: `Item ${Math.floor(index / 75)}`,
    author: `speaker-${chance(100)}`,
    body: `${sentence()}. ${index}`,
  });
  return Array.from({ length: 18_000 }, (_, index) => `${JSON.stringify(line(index))}\n`).join('');
}

/** The file that was asked for, else the one beside the project, else generated text in `folder`. */
export async function findCorpus(asked: string | undefined, folder: string): Promise<Corpus> {
  const beside = existsSync(shared)
    ? readdirSync(shared).find((name) => name.endsWith('.ndjson.gz'))
    : undefined;
  const file =
    asked ?? (beside === undefined ? join(folder, 'generated.ndjson') : join(shared, beside));
  const isGenerated = asked === undefined && beside === undefined;
  if (isGenerated) await writeFile(file, generated());
  const bodies: string[] = [];
  for await (const { body } of talk.statements(file))
    if (body !== '' && Buffer.byteLength(body) <= 65_536) bodies.push(body);
  return { file, name: isGenerated ? 'generated text' : basename(file), bodies };
}
