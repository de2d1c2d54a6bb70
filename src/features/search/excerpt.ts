import { placedWords } from '../../kernel/words.ts';
import type { Term } from './rules.ts';

/** A word of a match in a text, in UTF-16 units. */
interface Hit {
  readonly start: number;
  readonly end: number;
  readonly term: Term;
}

/** UTF-16 units of an excerpt about, and how many of them stand before its first match. */
const LENGTH = 280;
const BEFORE = 60;
/** A longer word is nothing that anyone would want to see marked. */
const LONGEST_MARK = 512;

/** Where the terms stand: each word of them, the longest of those that begin with the same word. */
function hitsOf(text: string, terms: readonly Term[]): Hit[] {
  // Numbers, because a phrase is compared wherever its first word stands, and a text may consist of that word.
  const numbers = new Map(
    terms.flatMap((term) => term.words).map((word, number) => [word, number]),
  );
  const beginning = new Map<number | undefined, { term: Term; sought: (number | undefined)[] }[]>();
  for (const term of [...terms].sort((a, b) => b.words.length - a.words.length)) {
    const sought = term.words.map((word) => numbers.get(word));
    beginning.set(sought[0], [...(beginning.get(sought[0]) ?? []), { term, sought }]);
  }
  const words = placedWords(text);
  const there = words.map(({ word }) => numbers.get(word));
  const hits: Hit[] = [];
  for (let at = 0; at < words.length; ) {
    const term = beginning
      .get(there[at])
      ?.find(({ sought }) => sought.every((number, index) => there[at + index] === number))?.term;
    const found = words.slice(at, at + (term?.words.length ?? 0));
    for (const { start, end } of found)
      if (term && end - start <= LONGEST_MARK && start >= (hits.at(-1)?.end ?? 0))
        hits.push({ start, end, term });
    at += Math.max(1, found.length);
  }
  return hits;
}

/** Where to begin so that the most different terms are seen: the first such hit. */
function densest(hits: readonly Hit[]): number {
  const inside = new Map<Term, number>();
  let best = { start: 0, terms: 0 };
  let from = 0;
  for (const { term, end } of hits) {
    inside.set(term, (inside.get(term) ?? 0) + 1);
    for (
      let first = hits[from];
      first && end - first.start > LENGTH - BEFORE && first.end < end;
      first = hits[++from]
    ) {
      const left = (inside.get(first.term) ?? 0) - 1;
      if (left > 0) inside.set(first.term, left);
      else inside.delete(first.term);
    }
    if (inside.size > best.terms) best = { start: hits[from]?.start ?? 0, terms: inside.size };
  }
  return best.start;
}

/** Moves a cut to white space close by, in the direction of `step`; at least out of a surrogate pair. */
function cutAt(text: string, at: number, step: 1 | -1): number {
  if (at <= 0) return 0;
  for (let place = at; Math.abs(place - at) < 24 && place < text.length; place += step)
    if (/\s/.test(text[step > 0 ? place - 1 : place] ?? '')) return place;
  if (at >= text.length) return text.length;
  const isInPair = /[\udc00-\udfff]/.test(text[at] ?? '');
  return isInPair ? at - 1 : at;
}

const codePoints = (text: string): number => Array.from(text).length;

export interface Excerpt {
  readonly excerpt: string;
  /** Start and length of each match, in code points. */
  readonly highlights: [start: number, length: number][];
}

/** The part of a text that shows best why it was found. Only its first `most` UTF-16 units are searched for that. */
export function excerptOf(text: string, terms: readonly Term[], most: number): Excerpt {
  const hits = hitsOf(text.slice(0, most), terms);
  const first = densest(hits);
  const start = Math.min(first, cutAt(text, first - BEFORE, 1));
  const cut = cutAt(text, start + LENGTH, -1);
  const end = Math.max(cut, hits.find((hit) => hit.start < cut && hit.end > cut)?.end ?? 0);
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];

  const highlights: Excerpt['highlights'] = [];
  let [at, passed] = [start, before.length];
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue;
    const length = codePoints(text.slice(hit.start, hit.end));
    const last = highlights.at(-1);
    // What a reader sees as one word is marked as one.
    if (last && hit.start === at) last[1] += length;
    else highlights.push([passed + codePoints(text.slice(at, hit.start)), length]);
    passed += codePoints(text.slice(at, hit.end));
    at = hit.end;
  }
  return { excerpt: before + text.slice(start, end) + after, highlights };
}

/** A page of long texts must not keep the service from everything else: 20 ms are enough for so many UTF-16 units of prose, 100 ms for the most hostile ones. */
const LOOKED_AT = 200_000;
const LOOKED_AT_EACH = 1_000;

/** Takes excerpts, of one text after the other. Where all of them are very long, the last ones are looked at in their beginning only. */
export function excerpts(terms: readonly Term[]): (text: string) => Excerpt {
  let left = LOOKED_AT;
  return (text) => {
    const most = Math.max(left, LOOKED_AT_EACH);
    left -= Math.min(text.length, most);
    return excerptOf(text, terms, most);
  };
}
