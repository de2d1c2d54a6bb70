/** Chance that comes out the same each time. */
export interface Chance {
  /** 0 or more, below 1. */
  next(): number;
  below(limit: number): number;
  one<T>(list: readonly T[]): T;
}

export function createChance(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, one: (list) => list[below(list.length)] as never };
}

const SYLLABLES =
  'ba ce di fo gu ka le mi no pu ra se ti vo xu za bre cla dri flo gru pla ste tri'.split(' ');

/** A word that is rarer the longer it is: a made-up name or a number, as new texts always bring some. */
function newWord(chance: Chance): string {
  const rank = Math.floor(1_000_000 ** chance.next());
  if (chance.next() < 0.4) return `#${rank}`;
  let word = '';
  for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

/** Texts without end, each of the beginning of one body and the end of another, with new words among them: as long and as varied as real ones. */
export function createTexts(bodies: readonly string[], chance: Chance): () => string {
  const sentences = bodies.map((body) => body.split(/(?<=[.?!]) /));
  return () => {
    const [first, second] = [chance.one(sentences), chance.one(sentences)];
    const cut = 1 + chance.below(first.length);
    const rest = Math.min(second.length - 1, Math.round((second.length * cut) / first.length));
    const text = [...first.slice(0, cut), ...second.slice(rest)].join(' ');
    return text.replace(/ (\w+)/g, (word) => (chance.next() < 0.02 ? ` ${newWord(chance)}` : word));
  };
}
