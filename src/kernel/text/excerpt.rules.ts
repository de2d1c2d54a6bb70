/** Returns a text as one line: each run of white space and control characters is one space. */
const toLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** Returns the beginning of a text, of at most `length` code points. */
function cut(text: string, length: number): string {
  // No text has more code points than code units, and most texts are short.
  if (text.length <= length) return text;
  // The first 2 n code units have n code points at least.
  const points = Array.from(text.slice(0, 2 * length + 2));
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}

/** Returns the beginning of a text as one line, of at most `length` code points. */
export const toExcerpt = (text: string, length: number): string => cut(toLine(text), length);
