import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prefixLines } from './quote-markdown.rules.ts';

/** Everything that ends a line, as an expression: simple, and slow for a text of line ends. */
const LINE_END = /\r\n|[^\P{Cc}\t]|[\u2028\u2029]/gu;

it('[attack.11-3] (API4) begins each line with the prefix, whatever ends it', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'a\t\r\n\v\f\0', '\x85', '\x7f', '\u2028', '\u2029', '🙂', 'é'),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, (one) => {
      expect(prefixLines(one, '    ')).toBe(`    ${one.replace(LINE_END, '$&    ')}`);
    }),
  );
});
