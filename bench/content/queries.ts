import { wordsOf } from '../../src/kernel/words.ts';
import type { Scene } from './setup.ts';
import { createChance } from './varied-text.ts';

/** Words by how many of the bodies have them. */
function wordsByFrequency(
  texts: readonly (readonly string[])[],
): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const words of texts)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** What people and agents ask for, of every kind, the same each time: words and phrases are those of the texts, so that most of them are found. */
export function realisticQueries(
  bodies: readonly string[],
  { authors, roomId }: Scene,
  count: number,
): string[] {
  const chance = createChance(2);
  const texts = bodies.map(wordsOf).filter((words) => words.length > 20);
  const ranked = wordsByFrequency(texts);
  const between = (from: number, to: number) =>
    ranked
      .filter(([, times]) => times >= texts.length * from && times < texts.length * to)
      .map(([word]) => word);
  const [rare, usual, common] = [between(0, 0.0005), between(0.002, 0.05), between(0.1, 1)];
  /** Neighbours of a text, or words anywhere in it. */
  const together = (words: number, apart: boolean) => {
    const text = chance.one(texts);
    const at = chance.below(text.length - words);
    return apart
      ? Array.from({ length: words }, () => chance.one(text))
      : text.slice(at, at + words);
  };
  const kinds: readonly (() => string)[] = [
    () => chance.one(rare),
    () => chance.one(rare),
    () => chance.one(usual),
    () => chance.one(usual),
    () => chance.one(common),
    () => 'the',
    () => `${chance.one(usual)} ${chance.one(usual)}`,
    () => together(2, true).join(' '),
    () => together(3, true).join(' '),
    () => together(4, true).join(' '),
    () => `"${together(2, false).join(' ')}"`,
    () => `"${together(3, false).join(' ')}"`,
    () => `"${together(2, false).join(' ')}" ${chance.one(usual)}`,
    () => `${chance.one(usual)} -${chance.one(common)}`,
    () => `${chance.one(usual)} from:${authors[0]?.handle}`,
    () => `${chance.one(usual)} in:${roomId}`,
    () => `${chance.one(usual)} type:thread`,
    () => `${chance.one(rare)} ${chance.one(rare)} ${chance.one(rare)}`,
    () => `unheardof${chance.below(1_000_000)}`,
  ];
  return Array.from({ length: count }, (_, index) =>
    (kinds[index % kinds.length] as () => string)(),
  );
}
