/** What two things came to in one pair of rounds. */
export interface Pair<Figures> {
  readonly one: Figures;
  readonly other: Figures;
}

/**
 * Measures two things in turns. The machine's speed changes within minutes, so neither is always
 * the first of a pair.
 */
export async function runInPairs<Figures>(
  pairs: number,
  measureOne: () => Promise<Figures>,
  measureOther: () => Promise<Figures>,
): Promise<Pair<Figures>[]> {
  const measured: Pair<Figures>[] = [];
  for (let nr = 0; nr < pairs; nr++) {
    const first = nr % 2 === 0 ? await measureOne() : null;
    const other = await measureOther();
    measured.push({ one: first ?? (await measureOne()), other });
  }
  return measured;
}
