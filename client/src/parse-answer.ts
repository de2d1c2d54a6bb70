/**
 * Levels, and arrays, objects and commas, that no answer of Stoa comes near. The memory of a parser
 * grows with both.
 */
const MAX_DEPTH = 100;
const MAX_PARTS = 1_000_000;

/** Returns where the string ends that begins at a position. Its brackets and commas are text. */
function findStringEnd(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}

/**
 * Asserts that a text has few enough parts to be parsed: 32 MiB of brackets are gigabytes of
 * arrays.
 * Errors: SyntaxError.
 */
function assertWithinLimits(text: string): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = findStringEnd(text, at);
    else if (char === '[' || char === '{') {
      depth += 1;
      parts += 1;
    } else if (char === ']' || char === '}') depth -= 1;
    else if (char === ',') parts += 1;
    if (depth > MAX_DEPTH || parts > MAX_PARTS)
      throw new SyntaxError(`The answer has over ${MAX_PARTS} parts or ${MAX_DEPTH} levels.`);
  }
}

/** Parses the JSON of an answer, which may be hostile. Errors: SyntaxError. */
export function parseAnswer(text: string): unknown {
  assertWithinLimits(text);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes what a stranger may have sent to a terminal.
    throw new SyntaxError('The answer is not JSON: is it a Stoa?');
  }
}
