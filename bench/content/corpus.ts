import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { talkFormat } from '../../src/import/formats/talk-format.ts';

/** Texts to measure with, and their name. */
export interface Corpus {
  readonly file: string;
  readonly name: string;
  /** The texts that fit into a message, in the file's order. */
  readonly bodies: readonly string[];
}

const sharedFolder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const words = (
  'a the we you agree that this proposal parser thread order record should could because ' +
  'realm module test stage review when @ada not and with'
).split(' ');

/** Generates statements of made-up words with realistic lengths, the same ones each time. */
function generateText(): string {
  let seed = 42;
  const pickInt = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const buildSentence = () =>
    Array.from({ length: 5 + pickInt(pickInt(120) + 1) }, () => words[pickInt(words.length)]).join(
      ' ',
    );
  const buildLine = (index: number) => ({
    room: `Meeting ${Math.floor(index / 1500)}`,
    day: 'day-1',
    thread: `Item ${Math.floor(index / 75)}`,
    author: `speaker-${pickInt(100)}`,
    body: `${buildSentence()}. ${index}`,
  });
  return Array.from({ length: 18_000 }, (_, index) => `${JSON.stringify(buildLine(index))}\n`).join(
    '',
  );
}

/** Reads the given file, or else the one beside the project, or else generates text in `folder`. */
export async function findCorpus(givenFile: string | undefined, folder: string): Promise<Corpus> {
  const sharedFile = existsSync(sharedFolder)
    ? readdirSync(sharedFolder).find((name) => name.endsWith('.ndjson.gz'))
    : undefined;
  const file =
    givenFile ??
    (sharedFile === undefined ? join(folder, 'generated.ndjson') : join(sharedFolder, sharedFile));
  const isGenerated = givenFile === undefined && sharedFile === undefined;
  if (isGenerated) await writeFile(file, generateText());
  const bodies: string[] = [];
  for await (const { body } of talkFormat.statements(file))
    if (body !== '' && Buffer.byteLength(body) <= 65_536) bodies.push(body);
  return { file, name: isGenerated ? 'generated text' : basename(file), bodies };
}
