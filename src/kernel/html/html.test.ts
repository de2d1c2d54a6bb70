import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePieces } from '../encode-text.ts';
import { html, trustHtml } from './html.ts';

const back: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
/** What a browser makes of escaped text. */
const readText = (text: string) => text.replace(/&[^;]+;/g, (entity) => back[entity] ?? entity);

const hostile = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '" onload="x',
    "' onload='x",
    '</p>',
    '&lt;',
    '&',
    '<!--',
    ']]>',
    '\u202e',
    '`',
    '=',
    'javascript:x',
    'a\0b',
  ),
  fc.string({ unit: 'binary' }),
);

describe('html', () => {
  it('[html.escape] writes any text as itself, in text and in quoted values', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const inside = html`${text}`.text;
        expect(inside).not.toMatch(/[<>"']/);
        expect(readText(inside)).toBe(text.replaceAll('\0', '\ufffd'));
        expect(html`<p title="${text}" lang='${text}'>${text}</p>`.text).toBe(
          `<p title="${inside}" lang='${inside}'>${inside}</p>`,
        );
      }),
    );
  });

  it('[html.escape] escapes once: what is HTML stays, alone and in lists', () => {
    const buildItem = (text: string) => html`<li>${text}</li>`;
    expect(html`<ul>${['a<b', 'c&d'].map(buildItem)}</ul>`.text).toBe(
      '<ul><li>a&lt;b</li><li>c&amp;d</li></ul>',
    );
    expect(html`${trustHtml('<hr>')}${html`<br>`}`.text).toBe('<hr><br>');
    expect(html`${['<', ['>', html`<i>`]]}`.text).toBe('&lt;&gt;<i>');
  });

  it('[html.escape] writes nothing for nothing, and numbers', () => {
    expect(html`[${null}${undefined}${false}${''}${[]}]`.text).toBe('[]');
    expect(html`${0} ${-1.5}`.text).toBe('0 -1.5');
  });

  it('[html.escape] refuses a text between the attributes of a tag', () => {
    for (const text of ['x', ' onload=x', 'required', 1]) {
      expect(() => html`<p ${text}>`).toThrow('in quotes');
      expect(() => html`<p title=${text}>`).toThrow('in quotes');
      expect(() => html`<p title="a" ${[text]}>`).toThrow('in quotes');
      expect(() => html`<${text}>`).toThrow('in quotes');
    }
    expect(html`<input${html` required`}${false}${null}>`.text).toBe('<input required>');
    expect(html`<p title="${'a'} ${'b'}">${'c'} > ${'d'}</p>`.text).toBe(
      '<p title="a b">c > d</p>',
    );
    expect(html`<p title="it's ${'x'}">${'y'}</p>`.text).toBe(`<p title="it's x">y</p>`);
  });

  it('[html.escape] a page of any length has the bytes of all its parts, in order', () => {
    const word = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'é', '→', '𝄞'), maxLength: 30 }),
      fc.integer({ min: 4_000, max: 9_000 }).map((length) => 'x→'.repeat(length / 2)),
    );
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 8 }), { maxLength: 8 }), (lists) => {
        const lines = lists.map((words) => html`<p>${words.map((text) => html`${text} `)}</p>`);
        const page = html`<h1>${lists.length}</h1>${lines}${html`${lines}`}.`;
        const line = lists.map((words) => `<p>${words.map((text) => `${text} `).join('')}</p>`);
        const expected = `<h1>${lists.length}</h1>${line.join('')}${line.join('')}.`;
        expect(page.text).toBe(expected);
        expect(encodePieces(page.pieces).equals(Buffer.from(expected))).toBe(true);
      }),
    );
  });
});
