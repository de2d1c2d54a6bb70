import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WaitForTurn } from '../../kernel/event-loop-turns.ts';
import { findHits, type Hit } from './query-hits.ts';
import type { Term } from './search-query.rules.ts';
import { type PlacedWord, placeWords } from './search-words.rules.ts';

/** Approximate length of an excerpt, in UTF-16 units. */
const EXCERPT_LENGTH = 280;

/** UTF-16 units of an excerpt before its first match. */
const LEAD_LENGTH = 60;

/** Returns the start of the first hit from which the excerpt shows the most different terms. */
function findDensestStart(hits: readonly Hit[]): number {
  const termCounts = new Map<Term, number>();
  let best = { start: 0, terms: 0 };
  let from = 0;
  for (const { term, end } of hits) {
    termCounts.set(term, (termCounts.get(term) ?? 0) + 1);
    for (
      let first = hits[from];
      first && end - first.start > EXCERPT_LENGTH - LEAD_LENGTH && first.end < end;
      first = hits[++from]
    ) {
      const left = (termCounts.get(first.term) ?? 0) - 1;
      if (left > 0) termCounts.set(first.term, left);
      else termCounts.delete(first.term);
    }
    if (termCounts.size > best.terms)
      best = { start: hits[from]?.start ?? 0, terms: termCounts.size };
  }
  return best.start;
}

/**
 * Moves a cut to nearby white space in the direction of `step`. Where there is none, it only avoids
 * cutting a surrogate pair.
 */
function moveToWhitespace(text: string, at: number, step: 1 | -1): number {
  if (at <= 0) return 0;
  for (let place = at; Math.abs(place - at) < 24 && place < text.length; place += step)
    if (/\s/.test(text[step > 0 ? place - 1 : place] ?? '')) return place;
  if (at >= text.length) return text.length;
  const isInPair = /[\udc00-\udfff]/.test(text[at] ?? '');
  return isInPair ? at - 1 : at;
}

const countCodePoints = (text: string): number => Array.from(text).length;

/** A part of a text with its matches. */
export interface Excerpt {
  readonly excerpt: string;
  /** Start and length of each match, in code points. */
  readonly highlights: [start: number, length: number][];
}

/** Returns the part of a text that shows best why it was found. */
function buildExcerpt(text: string, hits: readonly Hit[]): Excerpt {
  const first = findDensestStart(hits);
  const start = Math.min(first, moveToWhitespace(text, first - LEAD_LENGTH, 1));
  const cut = moveToWhitespace(text, start + EXCERPT_LENGTH, -1);
  const end = Math.max(cut, hits.find((hit) => hit.start < cut && hit.end > cut)?.end ?? 0);
  const before = start > 0 ? '…' : '';
  const after = end < text.length ? '…' : '';

  const highlights: Excerpt['highlights'] = [];
  let at = start;
  let offset = before.length;
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue;
    const length = countCodePoints(text.slice(hit.start, hit.end));
    const last = highlights.at(-1);
    // Adjacent words look like one word to a reader, so they share a mark.
    if (last && hit.start === at) last[1] += length;
    else highlights.push([offset + countCodePoints(text.slice(at, hit.start)), length]);
    offset += countCodePoints(text.slice(at, hit.end));
    at = hit.end;
  }
  return { excerpt: before + text.slice(start, end) + after, highlights };
}

/** UTF-16 units, and words, that are scanned for a page of results. */
const MAX_SCANNED = 100_000;
const MAX_WORDS = 20_000;

/** The same of each text, however many there are. */
const MIN_SCANNED_EACH = 500;
const MIN_WORDS_EACH = 100;

/**
 * So many words are split at once. A letter of some scripts is a word, and takes microseconds. A
 * word counts once more for each eight of its UTF-16 units.
 */
const SLICE = 2_048;

/**
 * Returns a function that takes the excerpts of a page, one text after the other. Once the texts
 * exceed what a page may scan, only the beginning of each further one is scanned. Others have their
 * turn of the event loop meanwhile.
 */
export function createExcerpter(
  terms: readonly Term[],
  wait: WaitForTurn = nextTurn,
): (text: string) => Promise<Excerpt> {
  let left = MAX_SCANNED;
  let wordsLeft = MAX_WORDS;
  let sinceTurn = 0;
  return async (text) => {
    if (terms.length === 0) return buildExcerpt(text, []);
    const max = Math.max(left, MIN_SCANNED_EACH);
    const maxWords = Math.max(wordsLeft, MIN_WORDS_EACH);
    const words: PlacedWord[] = [];
    for (const word of placeWords(text.slice(0, max))) {
      words.push(word);
      if (words.length >= maxWords) break;
      sinceTurn += 1 + (word.end - word.start) / 8;
      if (sinceTurn < SLICE) continue;
      sinceTurn = 0;
      await wait();
    }
    left -= Math.min(text.length, max);
    wordsLeft -= words.length;
    return buildExcerpt(text, findHits(words, terms));
  };
}
