/** Levels and values that no answer of Stoa comes near. The memory of a parser grows with both. */
const MAX_DEPTH = 100;
const MAX_VALUES = 1_000_000;

/** Returns where the string ends that begins at a position. Its brackets and commas are text. */
function findEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/**
 * Asserts that a text, if it is JSON, is parsed into as much memory as its length promises: 32 MiB
 * of brackets are gigabytes of arrays. Errors: SyntaxError.
 */
function assertModest(text: string): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = findEnd(text, at);
    else if (sign === '[' || sign === '{') {
      depth += 1;
      values += 1;
    } else if (sign === ']' || sign === '}') depth -= 1;
    else if (sign === ',') values += 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES)
      throw new SyntaxError(`The answer has over ${MAX_VALUES} values or ${MAX_DEPTH} levels.`);
  }
}

/** Parses the JSON of an answer, which may be hostile. Errors: SyntaxError. */
export function parseAnswer(text: string): unknown {
  assertModest(text);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes what a stranger may have sent to a terminal.
    throw new SyntaxError('The answer is not JSON: is it a Stoa?');
  }
}
