import { splitWords } from '../../src/features/search/search-words.rules.ts';
import type { BenchSetup } from './setup.ts';
import { createRandom } from './varied-text.ts';

/** Ranks words by the number of texts that contain them. */
function rankWords(
  texts: readonly (readonly string[])[],
): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const words of texts)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/**
 * Builds realistic queries of every kind, the same ones each time. Words and phrases come from the
 * texts, so most queries have results.
 */
export function buildRealisticQueries(
  bodies: readonly string[],
  { authors, roomId }: BenchSetup,
  count: number,
): string[] {
  const chance = createRandom(2);
  const texts = bodies.map(splitWords).filter((words) => words.length > 20);
  const ranked = rankWords(texts);
  const pickRank = (from: number, to: number) =>
    ranked
      .filter(([, times]) => times >= texts.length * from && times < texts.length * to)
      .map(([word]) => word);
  const rare = pickRank(0, 0.0005);
  const usual = pickRank(0.002, 0.05);
  const common = pickRank(0.1, 1);
  /** Picks words of one text, either scattered or adjacent ones. */
  const pickWords = (words: number, isScattered: boolean) => {
    const text = chance.pickOne(texts);
    const at = chance.pickInt(text.length - words);
    return isScattered
      ? Array.from({ length: words }, () => chance.pickOne(text))
      : text.slice(at, at + words);
  };
  const kinds: readonly (() => string)[] = [
    () => chance.pickOne(rare),
    () => chance.pickOne(rare),
    () => chance.pickOne(usual),
    () => chance.pickOne(usual),
    () => chance.pickOne(common),
    () => 'the',
    () => `${chance.pickOne(usual)} ${chance.pickOne(usual)}`,
    () => pickWords(2, true).join(' '),
    () => pickWords(3, true).join(' '),
    () => pickWords(4, true).join(' '),
    () => `"${pickWords(2, false).join(' ')}"`,
    () => `"${pickWords(3, false).join(' ')}"`,
    () => `"${pickWords(2, false).join(' ')}" ${chance.pickOne(usual)}`,
    () => `${chance.pickOne(usual)} -${chance.pickOne(common)}`,
    () => `${chance.pickOne(usual)} from:${authors[0]?.handle}`,
    () => `${chance.pickOne(usual)} in:${roomId}`,
    () => `${chance.pickOne(usual)} type:thread`,
    () => `${chance.pickOne(rare)} ${chance.pickOne(rare)} ${chance.pickOne(rare)}`,
    () => `unheardof${chance.pickInt(1_000_000)}`,
  ];
  return Array.from({ length: count }, (_, index) =>
    (kinds[index % kinds.length] as () => string)(),
  );
}
