const unspacedScripts = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
];
/**
 * Letters of scripts that put no spaces between words. Each of them is a word by itself, and what a
 * reader calls a word is found as a phrase.
 */
const UNSPACED = `[${unspacedScripts.map((script) => String.raw`\p{scx=${script}}`).join('')}]`;

/** The alternatives are tried in this order. */
const wordPieces = [
  // A syllable of loose Hangul letters.
  String.raw`[\u1100-\u115f\ua960-\ua97c][\u1160-\u11ff\ud7b0-\ud7fb]*`,
  // A letter of an unspaced script with its marks.
  String.raw`[[\p{L}\p{N}]&&${UNSPACED}][\p{M}\uff9e\uff9f]*`,
  // A run of letters, digits and marks of any other script.
  String.raw`[[\p{L}\p{N}\p{M}]--${UNSPACED}]+`,
];
const WORD_PIECE = new RegExp(wordPieces.join('|'), 'gv');

const markRanges = [
  String.raw`\u0300-\u036f`,
  String.raw`\u0483-\u0487`,
  String.raw`\u0591-\u05c7`,
  String.raw`\u0610-\u061a`,
  String.raw`\u064b-\u065f`,
  String.raw`\u0670\u06d6-\u06ed`,
];
/**
 * Accents, vowel points and variants of a glyph. Marks of scripts in which a mark makes another
 * letter are not among them.
 */
const MARKS = new RegExp(String.raw`[${markRanges.join('')}]|\p{Variation_Selector}`, 'gu');

/** Letters that Unicode does not decompose but readers do, and the final sigma. */
const letterReplacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
  ς: 'σ',
};
const REPLACED_LETTERS = new RegExp(`[${Object.keys(letterReplacements).join('')}]`, 'g');

/**
 * Normalization sorts the marks of a letter in quadratic time. No letter of any language has more
 * than 30 marks (UAX #15, Stream-Safe Text Format), so further ones are dropped.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

const NOT_ASCII = /[^\0-\x7f]/;

/** Longer words are cut, because PostgreSQL accepts none above 2,046 bytes. */
const MAX_WORD_LENGTH = 255;
const cutWord = (word: string): string =>
  word.length > MAX_WORD_LENGTH ? Array.from(word).slice(0, MAX_WORD_LENGTH).join('') : word;

const foldLetters = (piece: string): string =>
  piece
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(REPLACED_LETTERS, (letter) => letterReplacements[letter] ?? letter);

/**
 * How much of a piece is folded, in UTF-16 units. One letter can have a compatibility form of four
 * words, so a long run of such letters would cost many times what other texts of its length do.
 */
const MAX_PIECE_LENGTH = 1_024;

/**
 * The most words that a text has: more than the longest message could have without letters that
 * stand for several words.
 */
const MAX_WORDS = 40_000;

/** Common letters that each are a word, and folded already: kana, Chinese letters and Hangul. */
const FOLDED_LETTER = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/;

/** Returns the words of a piece: one, unless its compatibility form has several, as in "½". */
const foldPiece = (piece: string): string[] => {
  if (FOLDED_LETTER.test(piece)) return [piece];
  return NOT_ASCII.test(piece)
    ? (foldLetters(piece.slice(0, MAX_PIECE_LENGTH)).match(WORD_PIECE) ?? []).map(cutWord)
    : [cutWord(piece.toLowerCase())];
};

/**
 * Anything but ASCII, spaces and typographic punctuation. Most texts have nothing else, and they
 * are split three times as fast.
 */
const SPECIAL = /[^\0-\x7f\xa0\u2000-\u206f]/;
const PLAIN_PIECE = /[a-z0-9]+/g;

/** Adds the words of a text to a list, as `splitWords` returns them, and stops at each piece. */
export function* addWords(text: string, words: string[]): Generator<void> {
  if (!SPECIAL.test(text)) {
    for (const word of text.toLowerCase().match(PLAIN_PIECE) ?? []) words.push(cutWord(word));
    return;
  }
  for (const [piece] of text.matchAll(WORD_PIECE)) {
    for (const word of foldPiece(piece)) words.push(word);
    if (words.length >= MAX_WORDS) break;
    yield;
  }
}

/**
 * Splits a text into its words, in order and in the one form in which words are stored and
 * compared: letters and digits only, without case and accents.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const _ of addWords(text, words));
  return words;
}

/** A word and its place in the text, in UTF-16 units. */
export interface PlacedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a text like `splitWords`, with the place of each word. Words of one piece share its place.
 * What takes long is split when it is asked for.
 */
export function placeWords(text: string): Iterable<PlacedWord> {
  if (SPECIAL.test(text)) return placeSpecialWords(text);
  const words: PlacedWord[] = [];
  for (const { 0: piece, index } of text.toLowerCase().matchAll(PLAIN_PIECE))
    words.push({ word: cutWord(piece), start: index, end: index + piece.length });
  return words;
}

function* placeSpecialWords(text: string): Generator<PlacedWord> {
  let count = 0;
  for (const { 0: piece, index } of text.matchAll(WORD_PIECE)) {
    for (const word of foldPiece(piece)) yield { word, start: index, end: index + piece.length };
    count += 1;
    if (count >= MAX_WORDS) break;
  }
}
