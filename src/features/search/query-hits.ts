import type { Term } from './search-query.rules.ts';
import type { PlacedWord } from './search-words.rules.ts';

/** A word of a match in a text; places are in UTF-16 units. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly term: Term;
}

/**
 * How many words of a phrase are compared and marked. A phrase of hundreds of words would otherwise
 * be compared at every place of a text that repeats it.
 */
const MAX_MARKED_WORDS = 8;

/** Longer words are not marked: nobody reads them. */
const MAX_MARK_LENGTH = 512;

/**
 * A place in the tree of all terms, where each word leads on to the next. However many terms a
 * query has, a text is compared with the words that lead on from where it is, and with no others.
 */
interface Node {
  readonly next: Map<string, Node>;
  /** The term that is complete here. */
  term: Term | null;
  /** Open terms whose last word begins like these. */
  readonly beginnings: Map<string, Term>;
  /** The lengths of these beginnings, longest first. */
  lengths: readonly number[];
}

const createNode = (): Node => ({
  next: new Map(),
  term: null,
  beginnings: new Map(),
  lengths: [],
});

function addTerm(root: Node, term: Term): void {
  const words = term.words.slice(0, MAX_MARKED_WORDS);
  const isOpen = term.open && term.words.length <= MAX_MARKED_WORDS;
  const beginning = isOpen ? words.pop() : undefined;
  let node = root;
  for (const word of words) {
    const next = node.next.get(word) ?? createNode();
    node.next.set(word, next);
    node = next;
  }
  if (beginning === undefined) {
    if (node !== root) node.term ??= term;
    return;
  }
  if (!node.beginnings.has(beginning)) node.beginnings.set(beginning, term);
  const lengths = new Set([...node.beginnings.keys()].map(({ length }) => length));
  node.lengths = [...lengths].sort((a, b) => b - a);
}

function findBegun({ beginnings, lengths }: Node, word: string): Term | undefined {
  for (const length of lengths) {
    const term = length <= word.length ? beginnings.get(word.slice(0, length)) : undefined;
    if (term) return term;
  }
  return undefined;
}

/** Finds the longest term that the words from `at` on match, and the number of its words. */
function findMatch(
  root: Node,
  words: readonly { readonly word: string }[],
  at: number,
): { readonly term: Term; readonly length: number } | null {
  let match: ReturnType<typeof findMatch> = null;
  let node: Node | undefined = root;
  for (let length = 1; node; length++) {
    const word = words[at + length - 1]?.word;
    if (word === undefined) break;
    const begun = findBegun(node, word);
    node = node.next.get(word);
    const term = node?.term ?? begun;
    if (term) match = { term, length };
  }
  return match;
}

/**
 * Returns each of the words of a text that is in a match. Of several terms that begin with the same
 * word, the longest one matches.
 */
export function findHits(words: readonly PlacedWord[], terms: readonly Term[]): Hit[] {
  const root = createNode();
  for (const term of terms) addTerm(root, term);
  const hits: Hit[] = [];
  for (let at = 0; at < words.length; ) {
    const match = findMatch(root, words, at);
    const found = match ? words.slice(at, at + match.length) : [];
    for (const { start, end } of found)
      if (match && end - start <= MAX_MARK_LENGTH && start >= (hits.at(-1)?.end ?? 0))
        hits.push({ start, end, term: match.term });
    at += Math.max(1, found.length);
  }
  return hits;
}
