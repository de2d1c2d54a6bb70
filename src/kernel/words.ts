/** Scripts that put no spaces between words: each of their letters is a word by itself, and what a reader calls a word is found as a phrase. */
const ALONE = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;

/** A syllable of loose Hangul letters, a letter of such a script with its marks, or a run of letters, digits and marks of any other. */
const PIECE = new RegExp(
  String.raw`[\u1100-\u115f\ua960-\ua97c][\u1160-\u11ff\ud7b0-\ud7fb]*|[[\p{L}\p{N}]&&${ALONE}][\p{M}\uff9e\uff9f]*|[[\p{L}\p{N}\p{M}]--${ALONE}]+`,
  'gv',
);

/** Accents, vowel points, variants of a glyph; not the marks of scripts in which they make another letter. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]|\p{Variation_Selector}/gu;

/** Letters that Unicode does not take apart but readers do, and final sigma. */
const letters: Readonly<Record<string, string>> = {
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
const LETTERS = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** Unicode sorts the marks of a letter in a time that grows with their square; no letter of any language has more than 30 (UAX 15). */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

const NOT_ASCII = /[^\0-\x7f]/;

/** Longer words count as their beginning: PostgreSQL takes none above 2,046 bytes. */
const LONGEST = 255;
const cut = (word: string): string =>
  word.length > LONGEST ? Array.from(word).slice(0, LONGEST).join('') : word;

const foldLetters = (piece: string): string =>
  piece
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(LETTERS, (letter) => letters[letter] ?? letter);

/** The words of a piece: one, except where its compatibility form has several, such as "½". */
const fold = (piece: string): string[] =>
  NOT_ASCII.test(piece)
    ? (foldLetters(piece).match(PIECE) ?? []).map(cut)
    : [cut(piece.toLowerCase())];

/** Anything but ASCII, spaces and punctuation of typesetters: most texts have none of it, and are cut three times as fast. */
const SPECIAL = /[^\0-\x7f\xa0\u2000-\u206f]/;
const PLAIN_PIECE = /[a-z0-9]+/g;

/** The words of a text in their order, in the one form in which they are kept and compared: without case and accents, letters and digits only. */
export function wordsOf(text: string): string[] {
  if (!SPECIAL.test(text)) return (text.toLowerCase().match(PLAIN_PIECE) ?? []).map(cut);
  const words: string[] = [];
  for (const piece of text.match(PIECE) ?? []) for (const word of fold(piece)) words.push(word);
  return words;
}

/** A word and where it stands in its text, in UTF-16 units. */
export interface PlacedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The same words with their places; those of one piece share it. */
export function placedWords(text: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  if (!SPECIAL.test(text)) {
    for (const { 0: piece, index } of text.toLowerCase().matchAll(PLAIN_PIECE))
      words.push({ word: cut(piece), start: index, end: index + piece.length });
    return words;
  }
  for (const { 0: piece, index } of text.matchAll(PIECE))
    for (const word of fold(piece)) words.push({ word, start: index, end: index + piece.length });
  return words;
}
