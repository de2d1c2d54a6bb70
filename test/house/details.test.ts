import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSources } from '../../scripts/house/sources.ts';
import { findValidatorLanguage, hasAdvice } from '../support/plain-words.ts';

const sources = readSources(fileURLToPath(new URL('../../', import.meta.url))).filter(
  ({ path }) =>
    path.startsWith('src/') && !path.endsWith('.test.ts') && path !== 'src/kernel/errors.ts',
);

/** One call in the sources that builds an error. */
interface Refusal {
  readonly at: string;
  readonly name: string;
  /** The literal text of its detail; a gap stands for each value that is filled in. */
  readonly detail: string;
}

const GAP = '…';

/** Splits the arguments of a call, whose first character stands at `start`. */
function listArguments(text: string, start: number): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "'" || character === '"' || character === '`') {
      at += 1;
      while (text.charAt(at) !== character) at += text.charAt(at) === '\\' ? 2 : 1;
    } else if ('([{'.includes(character)) depth += 1;
    else if (depth === 0 && (character === ',' || character === ')')) {
      found.push(text.slice(from, at).trim());
      if (character === ')') return found.filter((one) => one !== '');
      from = at + 1;
    } else if (')]}'.includes(character)) depth -= 1;
  }
  return found;
}

/** The text of an expression that consists of literals; undefined if it is something else. */
function readLiteral(expression: string): string | undefined {
  const literal = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/gs;
  if (!/^['"`]/.test(expression)) return undefined;
  const parts = [...expression.matchAll(literal)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  return parts.join('').replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, GAP);
}

const CALL = /\b(fail|failField|failCredential|notEligibleError|insufficientFundsError)\(/g;

const refusals: readonly Refusal[] = sources.flatMap(({ path, text }) =>
  [...text.matchAll(CALL)].flatMap(({ 1: name = '', 0: { length }, index }) => {
    const values = listArguments(text, index + length);
    const place = name === 'failCredential' ? 2 : name === 'insufficientFundsError' ? 0 : 1;
    const detail = readLiteral(values[place] ?? '');
    const line = text.slice(0, index).split('\n').length;
    // What has no word of its own passes on the detail of another error.
    return detail === undefined || !/[a-z]{4}/.test(detail.replace('The cursor', ''))
      ? []
      : [{ at: `${path}:${line}`, name, detail }];
  }),
);

describe('the details of all errors, as the sources have them', () => {
  it('[error.detail-plain] are read by a measure that finds them', () => {
    expect(refusals.length).toBeGreaterThan(200);
    for (const { detail } of refusals) expect(detail).not.toBe('');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The text is source code.
    expect(readLiteral("`a ${b({ c: 1 })} ` +\n 'd'")).toBe(`a ${GAP} d`);
    expect(listArguments("f('a,)', { b: [1, 2] }, c)", 2)).toEqual(["'a,)'", '{ b: [1, 2] }', 'c']);
  });

  it('[error.detail-plain] have no words of a validator', () => {
    const wrong = refusals.filter(({ detail }) => findValidatorLanguage(detail) !== undefined);
    expect(wrong).toEqual([]);
  });

  it('[error.detail-advice] are sentences that say what to do next', () => {
    const unfinished = refusals.filter(
      ({ name, detail }) => !/^\S/.test(detail) || (name !== 'failField' && !/[.!…]$/.test(detail)),
    );
    expect(unfinished).toEqual([]);
    const silent = refusals.filter(({ detail }) => !hasAdvice(detail.replaceAll(GAP, 'x.')));
    expect(silent).toEqual([]);
  });
});
