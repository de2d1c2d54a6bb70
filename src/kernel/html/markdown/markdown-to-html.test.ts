import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown-to-html.ts';

const renderInside = (text: string, mentioned: string[] = []) =>
  renderMarkdown(text, mentioned)
    .text.replace(/^<div class="text" dir="auto">/, '')
    .replace(/<\/div>$/, '')
    .trim();

const TAGS = new RegExp(
  '^(p|br|h4|h5|h6|hr|em|strong|s|a|span|code|pre|ul|ol|li|blockquote' +
    '|div|table|thead|tbody|tr|th|td)$',
);
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  a: new RegExp(
    '^ href="(https?://[^"/][^"]*|mailto:[^"]*|/agents/[a-z0-9_-]+)"' +
      '( rel="nofollow noopener ugc")?$',
    'i',
  ),
  span: /^ class="quiet"$/,
  div: /^ class="scroll" tabindex="0" role="group" aria-label="Table"$/,
  ol: /^( start="\d+")?$/,
  pre: /^( class="long" dir="auto")?( tabindex="0")?( data-lang="[a-z][\w+#.-]*")?$/i,
};

/** What in this HTML is not on the list of what may come of a text. */
const listStrangeTags = (html: string): string[] =>
  [
    ...html.matchAll(/<(?:\/([a-z0-9]+)|([a-z0-9]+)((?: [a-z-]+="[^"<>]*")*)| ?br)>|<[^>]*>?/gi),
  ].flatMap(([all, closed, opened, attributes = '']) => {
    const tag = closed ?? opened;
    if (tag === undefined || !TAGS.test(tag)) return [all];
    return closed === undefined && !(ATTRIBUTES[tag] ?? /^$/).test(attributes) ? [all] : [];
  });

describe('Markdown by strangers', () => {
  it('[attack.2-1] becomes at most some times as long, whatever is repeated', () => {
    const token = fc.constantFrom(
      ...[
        '|',
        '|-|',
        '-|',
        '|\n',
        '\n',
        '\n\n',
        '> ',
        '- ',
        '1. ',
        '#',
        '*',
        '_',
        '`',
        '~',
        '[',
        ']',
      ],
      ...[
        '(',
        ')',
        '![',
        '](',
        '<',
        '>',
        '&',
        '!',
        '@a',
        'a',
        ' ',
        'http://a.b',
        'ftp://a',
        '[a]: b',
      ],
    );
    const words = (maxLength: number) =>
      fc.array(token, { minLength: 1, maxLength }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(words(4), words(6), (start, unit) => {
        const text = (start + unit.repeat(4096 / unit.length)).slice(0, 4096);
        expect(renderMarkdown(text, ['a']).text.length).toBeLessThan(16 * text.length + 1000);
      }),
      { numRuns: 300 },
    );
    const table = `|${'a|'.repeat(8)}\n|${'-|'.repeat(8)}\n${'|\n'.repeat(8000)}`.slice(0, 16_384);
    expect(renderMarkdown(table).text.length).toBeLessThan(2 * table.length);
    expect(renderMarkdown(table.slice(0, 100)).text).toContain('<table>');
  });

  it('[attack.1-2] (API4) shows a text with very many signs of markup as it was written', () => {
    const table = '| a | b |\n|---|---|\n| c | d |\n\n'.repeat(150);
    for (const text of ['**[&amp;'.repeat(2000), '"\n\n'.repeat(5000), '!\\\n![**'.repeat(2000)])
      expect(renderMarkdown(text).text).toMatch(/^<pre class="long" dir="auto" tabindex="0">/);
    for (const text of ['*a* '.repeat(1500), `\`\`\`\n${'{"a": 1},\n'.repeat(700)}\`\`\``, table])
      expect(renderMarkdown(text).text).toMatch(/^<div class="text"/);
  });

  it('[attack.9-1] (API4) shows a table as written whose cells are mostly not in the text', () => {
    const build = (columns: number, rows: number, row: string, end = '\n') =>
      [Array(columns).fill('a').join('|'), Array(columns).fill('-:').join('|')]
        .concat(Array(rows).fill(row))
        .join(end);
    const costly = [
      build(40, 98, 'b'),
      build(40, 98, '|'),
      build(8, 470, 'b|c'),
      build(40, 1_000, 'b', '\r'),
      build(40, 98, 'b', '\r\n'),
      `> ${build(40, 98, 'b', '\n> ')}`,
      `- ${build(40, 98, 'b', '\n  ')}`,
      Array(12)
        .fill(build(20, 15, 'b'))
        .join('\n\n'),
    ];
    for (const text of costly) {
      expect(renderMarkdown(text).text).toMatch(/^<pre class="long"/);
      expect(renderMarkdown(text).text.length).toBeLessThan(2 * text.length + 100);
    }
  });

  it('[attack.9-1] (API4) renders tables of which some cells are missing', () => {
    const head = '| a | b | c | d |\n|---|--:|---|---|\n';
    for (const rows of [
      '| 1 | 2 |\n'.repeat(40),
      '| 1 |\n'.repeat(40),
      '| 1 | 2 | | |\n'.repeat(200),
      '| - | - | - | - |\n'.repeat(150),
      '1 | 2\n'.repeat(60),
      `| 1 | 2 | 3 | 4 |\n\n${'A line of prose.\n'.repeat(400)}`,
    ])
      expect(renderMarkdown(head + rows).text).toContain('<table>');
  });

  it('[attack.9-1] (API4) becomes at most 16 KiB and eight times as long', () => {
    const address = `http://${'x'.repeat(11_000)}`;
    for (const text of [
      `[a]: ${address}\n\n${'[a] '.repeat(1_300)}`,
      `[a]: ${address}\n\n${'![a] '.repeat(990)}`,
      `a|a\n-:|-:\n${'|\n'.repeat(700)}`,
      `http://${'\u4e2d'.repeat(1_990)} `.repeat(8),
    ])
      expect(renderMarkdown(text).text.length).toBeLessThan(8 * text.length + 16 * 1024 + 100);
    expect(renderMarkdown(`[a]: ${address}\n\n${'[a] '.repeat(8)}`).text).toContain('<a href');
    expect(renderMarkdown(`[a]: ${address}\n\n${'[a] '.repeat(20)}`).text).toMatch(/^<pre/);
  });

  it('[attack.2-1] links addresses without the punctuation around them', () => {
    const renderLink = (address: string) =>
      `<a href="${address}" rel="nofollow noopener ugc">${address}</a>`;
    for (const [text, expected] of [
      ['(https://a.example/b)', `(${renderLink('https://a.example/b')})`],
      ['https://a.example/b_(c)', renderLink('https://a.example/b_(c)')],
      ['https://a.example/b, and', `${renderLink('https://a.example/b')}, and`],
      ['HTTPS://a.example', renderLink('HTTPS://a.example')],
      ['ftp://a.example', 'ftp://a.example'],
      ['http://', 'http://'],
      ['https://a.example/@a', renderLink('https://a.example/@a')],
    ])
      expect(renderInside(text ?? '', ['a'])).toBe(`<p>${expected}</p>`);
  });

  it('[attack.13-6] (API4) an address ends before its last signs, and only before those', () => {
    const signs = '.,:;!?*_~)]'.repeat(100);
    const address = `https://a.example/${'.'.repeat(500)}a`;
    const render = (text: string) => renderInside(text.replaceAll(/[*_~]/g, String.raw`\$&`));
    const link = `<a href="${address}" rel="nofollow noopener ugc">${address}</a>`;
    expect(render(address)).toBe(`<p>${link}</p>`);
    expect(render(address + signs)).toBe(`<p>${link}${signs}</p>`);
  });

  it.for<[string, string]>([
    ['*a* **b** `c`', '<p><em>a</em> <strong>b</strong> <code>c</code></p>'],
    ['one\ntwo', '<p>one<br>\ntwo</p>'],
    ['# Head', '<h4>Head</h4>'],
    ['###### Deep', '<h6>Deep</h6>'],
    ['```ts\n1\n```', '<pre tabindex="0" data-lang="ts"><code>1\n</code></pre>'],
    ['```c++ a b\n1\n```', '<pre tabindex="0" data-lang="c++"><code>1\n</code></pre>'],
    ['``` ts\n1\n```', '<pre tabindex="0" data-lang="ts"><code>1\n</code></pre>'],
    ['```html" onclick="x\n<b>\n```', '<pre tabindex="0"><code>&lt;b&gt;\n</code></pre>'],
    [
      '[a](https://a.example/?x=1&y=2 "t")',
      '<p><a href="https://a.example/?x=1&amp;y=2" rel="nofollow noopener ugc">a</a></p>',
    ],
    [
      'see https://a.example/b.',
      '<p>see <a href="https://a.example/b" rel="nofollow noopener ' +
        'ugc">https://a.example/b</a>.</p>',
    ],
    [
      '[a](mailto:a@b.example)',
      '<p><a href="mailto:a@b.example" rel="nofollow noopener ugc">a</a></p>',
    ],
    [
      '[a](javascript:b) [c](//d.example) [e](/f)',
      '<p>[a](javascript:b) [c](//d.example) [e](/f)</p>',
    ],
    ['it.is', '<p>it.is</p>'],
    [
      '![alt](https://a.example/b.png)',
      '<p><span class="quiet">[image: alt, https://a.example/b.png]</span></p>',
    ],
    ['<b onclick=x>', '<p>&lt;b onclick=x&gt;</p>'],
    ['&lt;b&gt; &amp;', '<p>&lt;b&gt; &amp;</p>'],
  ])('[pages.markdown] %s', ([text, html]) => {
    expect(renderInside(text)).toBe(html);
  });

  it('[pages.markdown] links only the recorded names, outside of code and links', () => {
    const html = renderInside('@ada, @Ada and @bob; `@ada` [@ada](https://a.example)', ['ada']);
    expect(html.match(/href="\/agents\/ada"/g)).toHaveLength(2);
    expect(html).not.toContain('/agents/bob');
  });

  it('[pages.markdown] shows a table without styles, and very long text as written', () => {
    expect(renderInside('|a|b|\n|:-:|--:|\n|c|d|')).toContain(
      '<tr>\n<th>a</th>\n<th class="number">b</th>\n</tr>',
    );
    expect(renderMarkdown(`**${'x'.repeat(20_000)}**`).text).toBe(
      `<pre class="long" dir="auto" tabindex="0">**${'x'.repeat(20_000)}**</pre>`,
    );
  });

  const line = '  if (a < b && c) return "a line of code"; // </code>\n';
  const listing = `${'```ts title="x"'}\n${line.repeat(400)}${'```'}\n`;
  const written = '<pre class="long" dir="auto" tabindex="0">';

  it('[pages.long-code] shows code as code in a text that is too long to render', () => {
    expect(listing.length).toBeGreaterThan(20_000);
    const short = renderInside(listing.replace(line.repeat(400), line));
    const escaped = short.slice(short.indexOf('<code>') + 6, short.indexOf('</code>'));
    expect(renderInside(`The *file*:\n${listing}~~~\n1\n\n`, ['a'])).toBe(
      `<p>The <em>file</em>:</p>\n${short.replace(escaped, escaped.repeat(400))}\n` +
        '<pre tabindex="0"><code>1\n\n</code></pre>',
    );
    const prose = 'Some *prose*.\n'.repeat(1_300);
    expect(renderInside(`${prose}${listing}*end*`)).toBe(
      `${written}${prose.trim()}</pre>${short.replace(escaped, escaped.repeat(400))}\n` +
        `${written}*end*</pre>`,
    );
  });

  it('[pages.long-code] finds the blocks that the renderer finds', () => {
    const padding = `\n\n~~~\n${'x'.repeat(20_000)}\n~~~\n`;
    const piece = fc.constantFrom(
      ...[
        '```',
        '````',
        '~~~',
        '~~~~',
        '\n',
        '\n',
        '\n```\n',
        '\n~~~\n',
        '\r\n',
        ' ',
        '   ',
        '    ',
      ],
      ...['a', '`', 'js', '\n\n', '<b>', '\0', '&amp;', '\\`', '> ', '# ', '"', '</code>'],
    );
    const end = '\n\n```\n\n~~~~~\n\n`````\n';
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('') + end;
        const listBlocks = (html: string) => html.match(/<pre[\s\S]*?<\/pre>/g);
        const long = listBlocks(renderInside(text + padding))?.join('');
        const short = listBlocks(renderInside(text + padding.replace(/x+/, 'y')))?.join('');
        expect(long?.replace(/x{9,}/, 'y')).toBe(short);
      }),
      { numRuns: 500 },
    );
  });

  it('[pages.long-code] [attack.9-1] (API4) bounds the size of texts with hostile fences', () => {
    const fill = (unit: string) => unit.repeat(65_536 / unit.length);
    const units = ['```\n', '```\na\n```\nb\n', '~~~\n```\n', '`', '```x', '\n', '\r', '- ```\n'];
    const contents = ['x', '\0', '"', '</code>', '&amp;', '<script>', ' ', '`', '```` ', '\u2028'];
    for (const text of [...units.map(fill), ...contents.map((unit) => `\`\`\`\n${fill(unit)}`)]) {
      const { text: rendered } = renderMarkdown(text);
      expect(rendered.length).toBeLessThan(8 * text.length + 16 * 1024 + 100);
      expect(rendered.match(/<pre/g)?.length).toBeLessThan(500);
      expect(
        listStrangeTags(rendered.replace(/^<div class="text" dir="auto">|<\/div>$/g, '')),
      ).toEqual([]);
    }
    const inList = `- \`\`\`\n  ${line.repeat(400).replaceAll('\n', '\n  ')}\`\`\`\n`;
    expect(renderMarkdown(inList).text.startsWith(written)).toBe(true);
  });

  it('[pages.markdown] makes nothing else of any text', () => {
    const pieces = fc.constantFrom(
      ...[
        '<',
        '>',
        '"',
        "'",
        '&',
        '[',
        ']',
        '(',
        ')',
        '!',
        '`',
        '*',
        '_',
        '#',
        '|',
        '\n',
        '\n\n',
        ' ',
        '    ',
        '\\',
        ':',
        '/',
        '=',
        '-',
        '~~',
        '@ada',
        'x',
        '1. ',
        '> ',
        '- ',
      ],
      ...[
        'javascript:',
        'https://a.example/',
        'mailto:a@b.c',
        '<script>',
        '<img src=x onerror=y>',
        '&#106;',
        '&quot;',
        'data:text/html,',
        '|-|-|\n',
        '```',
        '\t',
        '\u202e',
        '[x]: ',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        expect(listStrangeTags(renderInside(text, ['ada']))).toEqual([]);
        // One in ten, because the long ones take longer.
        if (text.length % 10 > 0) return;
        const long = `${text}\n~~~\n${'<b>'.repeat(6_000)}\n~~~\n${text}`;
        expect(listStrangeTags(renderInside(long, ['ada']))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect(listStrangeTags('<p>a</p><script>x</script>')).toHaveLength(2);
    expect(listStrangeTags('<a href="javascript:x">')).toHaveLength(1);
  });
});
