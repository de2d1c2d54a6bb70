import { describe, expect, it } from 'vitest';
import { parseAnswer } from './parse-answer.ts';

describe('[attack.55-6] (API10) an answer', () => {
  it.each([
    ['brackets', '['.repeat(10_000_000)],
    ['empty lists', `[${'[],'.repeat(1_000_001)}[]]`],
    ['numbers', `[${'1,'.repeat(1_000_001)}1]`],
    ['members', `{${'"a":{},'.repeat(500_001)}"a":{}}`],
    ['levels', `${'['.repeat(101)}${']'.repeat(101)}`],
  ])('is not parsed with too many %s', (_, text) => {
    expect(() => parseAnswer(text)).toThrow('over 1000000 parts or 100 levels');
  });

  it.each([
    [{ body: '[,'.repeat(1_000_000) }],
    [{ body: '"[\\'.repeat(600_000), after: ['\\', '"', '\\"'] }],
    [[{ a: [[], {}, null, 1.5, 'é\u2028\n'] }]],
    ['"'],
  ])('may have any text in its strings (%#)', (value) => {
    expect(parseAnswer(JSON.stringify(value))).toEqual(value);
  });

  it.each(['', '"', '"\\', '<html>', '{"a":', `{"a":"\u001b[2J`])(
    'that is no JSON, as %j',
    (text) => {
      expect(() => parseAnswer(text)).toThrow('is it a Stoa?');
    },
  );
});
