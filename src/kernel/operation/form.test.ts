import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseForm } from './form.ts';

const toBytes = (text: string) => Buffer.from(text, 'latin1');
const getRefusal = (sent: Buffer): string => {
  try {
    return JSON.stringify(parseForm(sent));
  } catch (error) {
    return String((error as Error).message);
  }
};

describe('a form', () => {
  it('[intake.escape] arrives as it was typed, whatever it was', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((one) => one.isWellFormed() && !one.includes('\0') && !one.includes('\r'));
    const fields = fc.dictionary(text, text, { noNullPrototype: true, maxKeys: 5 });
    fc.assert(
      fc.property(fields, (typed) => {
        expect(parseForm(Buffer.from(new URLSearchParams(typed).toString()))).toEqual(typed);
      }),
    );
  });

  it('[intake.errors] leaves out what was left empty, and has its line ends as everywhere', () => {
    expect(parseForm(toBytes('a=&b=%0D%0Ax%0D%0Ay&c&&=&d=1+%2B+1'))).toEqual({
      b: '\nx\ny',
      d: '1 + 1',
    });
    expect(parseForm(toBytes(''))).toEqual({});
    expect(parseForm(Buffer.from('a=naïve%zz%'))).toEqual({ a: 'naïve%zz%' });
    expect(parseForm(toBytes('a=%EF%BB%BFx'))).toEqual({ a: '\ufeffx' });
    expect(Object.entries(parseForm(toBytes('__proto__=x')))).toEqual([['__proto__', 'x']]);
  });

  it('[wire.text-refused] is refused with invalid UTF-8, a NUL or a repeated field', () => {
    for (const wrong of ['a=%ff', '%c0%af=x', 'a=%ed%a0%80', 'a=\xe2\x82'])
      expect(getRefusal(toBytes(wrong))).toContain('UTF-8');
    for (const wrong of ['a=%00', 'a%00=x', 'a=x\0'])
      expect(getRefusal(toBytes(wrong))).toContain('NUL');
    for (const wrong of ['a=1&a=2', 'a=&a=1', 'a=1&%61=2'])
      expect(getRefusal(toBytes(wrong))).toContain('twice');
    const buildFields = (count: number) =>
      Array.from({ length: count }, (_, n) => `a${n}=1`).join('&');
    expect(Object.keys(parseForm(toBytes(buildFields(100))))).toHaveLength(100);
    expect(getRefusal(toBytes(buildFields(101)))).toContain('at most 100 fields');
  });
});
