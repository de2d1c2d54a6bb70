/** A pseudorandom generator. */
export interface SeededRandom {
  /** Returns a number of at least 0 and below 1. */
  next(): number;
  /** Returns a whole number of at least 0 and below the limit. */
  pickInt(limit: number): number;
  pickOne<T>(list: readonly T[]): T;
}

/** Creates a generator that always returns the same numbers for a seed. */
export function createRandom(seed: number): SeededRandom {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  const pickInt = (limit: number) => Math.floor(next() * limit);
  return { next, pickInt, pickOne: <T>(list: readonly T[]) => list[pickInt(list.length)] as T };
}

const SYLLABLES =
  'ba ce di fo gu ka le mi no pu ra se ti vo xu za bre cla dri flo gru pla ste tri'.split(' ');

/** Creates a made-up name or number, as new texts contain them. Longer ones are rarer. */
function createWord(random: SeededRandom): string {
  const rank = Math.floor(1_000_000 ** random.next());
  if (random.next() < 0.4) return `#${rank}`;
  let word = '';
  for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

/**
 * Creates a generator of texts that are as long and as varied as real ones. Each has the beginning
 * of one body, the end of another, and some new words.
 */
export function createTexts(bodies: readonly string[], random: SeededRandom): () => string {
  const sentences = bodies.map((body) => body.split(/(?<=[.?!]) /));
  return () => {
    const first = random.pickOne(sentences);
    const second = random.pickOne(sentences);
    const cut = 1 + random.pickInt(first.length);
    const rest = Math.min(second.length - 1, Math.round((second.length * cut) / first.length));
    const text = [...first.slice(0, cut), ...second.slice(rest)].join(' ');
    return text.replace(/ (\w+)/g, (word) =>
      random.next() < 0.02 ? ` ${createWord(random)}` : word,
    );
  };
}
