import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MENTIONS, parseMentions } from './mentions.ts';

describe('mentions in code', () => {
  it.each([
    ['a code span', 'Use `@ada` here'],
    ['a code span of two backticks', '`` ` @ada ``'],
    ['a code span over two lines', '`a\n@ada`'],
    ['a code span in a link, a heading and a list', '# [`@ada`](x)\n\n- **`@ada`**'],
    ['a fence', '```\n@ada\n```'],
    ['a fence of tildes', '~~~\n@ada\n~~~'],
    ['a fence with a language', '```ts @ada\n@ada\n```'],
    ['a fence that nobody closed', '```\n@ada\n\n@ada'],
    ['a fence of four that three do not close', '````\n```\n@ada\n````'],
    ['a fence in a quote', '> ```\n> @ada\n> ```'],
    ['an indented block', 'Text\n\n    @ada'],
    ['a block indented by a tab', '\t@ada'],
    ['an indented block in a list', '- x\n\n      @ada'],
    ['Windows line ends', '```\r\n@ada\r\n```\r\n'],
  ])('[mention.code] %s', (_, body) => {
    expect(parseMentions(body)).toEqual([]);
    expect(parseMentions(`${body}\n`)).toEqual([]);
  });

  it.each([
    ['a backtick alone', 'a ` @ada'],
    ['an escaped backtick', '\\`@ada`'],
    ['backticks of different lengths', '`` @ada `'],
    ['between two code spans', '`a` @ada `b`'],
    ['after a fence', '```\n@bob\n```\n@ada'],
    ['a line that goes on indented', 'Text\n    @ada'],
    ['an indented line of a list', '- x\n  @ada'],
    ['a fence in the middle of a line', 'see ``` @ada'],
  ])('[mention.code] but not %s', (_, body) => expect(parseMentions(body)).toEqual(['ada']));

  it('[mention.code] with any number of backticks, or any fence, around any lines', () => {
    const lines = fc.array(
      fc.constantFrom('@ada', 'x', ' @ada.', '', '  - @ada', '> @ada', '# @ada'),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), (count) => {
        const ticks = '`'.repeat(count);
        expect(parseMentions(`see ${ticks} @ada ${ticks} @bob`)).toEqual(['bob']);
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('`', '~'),
        fc.integer({ min: 3, max: 9 }),
        lines,
        (mark, count, inside) => {
          const fence = mark.repeat(count);
          expect(parseMentions([fence, ...inside, fence, '@bob'].join('\n'))).toEqual(['bob']);
        },
      ),
    );
  });
});

describe('mentions in prose', () => {
  it.each([
    'こんにちは@adaさん',
    '请@ada看',
    '안녕@ada님',
    'привет@adaпривет',
    'مرحبا@adaمرحبا',
    'é@adaé',
    '(@ada)',
    '[@ada]',
    '[@ada]: done',
    '[@ada](https://example.org)',
    '![@ada](https://example.org/a.png)',
    '"@ada"',
    '«@ada»',
    '。@ada、',
    '@ada.',
    '@ada, @ada; @ada!',
    "@ada's",
    '@ada\u200bx',
    '👋@ada👋',
    '*@ada* **@ada** ~~@ada~~ _@ada_',
    '> @ada',
    '# @ada',
    '1. @ada',
    '| a |\n|---|\n| @ada |',
    '<b>@ada</b>',
    '<!-- @ada -->',
    '<div>\n@ada\n</div>',
    '@@ada',
    '/@ada',
    'cc:@ada',
    '@Ada @ADA',
    '_@ada',
    '-@ada',
    '@ada-',
    '@ada_',
    'a\n@ada\nb',
    'a\r\n@ada\r\nb',
  ])('[mention.neighbours] %j', (body) => expect(parseMentions(body)).toEqual(['ada']));

  it.each([
    'ada@example.org',
    'x@ada',
    '7@ada',
    'x_@ada',
    'x-_@ada',
    '@a',
    '@-ada',
    '@',
    '@ ada',
    'ada',
    '&#64;ada',
    '&commat;ada @',
    'https://example.org/@ada',
    '<https://example.org/x?by=@ada>',
    '[profile](/agents/@ada)',
    `@${'a'.repeat(33)}`,
  ])('[mention.neighbours] none in %j', (body) => expect(parseMentions(body)).toEqual([]));

  it('[mention.neighbours] is found between any punctuation and scripts', () => {
    const beside = fc.constantFrom(
      ...'.,:;!?"\'()[]{}<>/\\|*~+=^%$#&。、「」（）！？…—文字かなкиعر🙂\n ',
      '\n\n',
      '> ',
      '* ',
      '](',
      '![',
      ']: ',
      '<a ',
      '&#',
      '**',
    );
    const text = fc
      .array(beside, { maxLength: 12 })
      .map((pieces) => pieces.join('').replace(/ {2,}/g, ' '));
    fc.assert(
      // The address of a link is the only place outside code that is not text, so no link is closed
      // here.
      fc.property(text, text, (before, after) => {
        fc.pre(!/\][\s\S]*\(/.test(before) && !/^[ ~]*~~~|~~~/m.test(before + after));
        expect(parseMentions(`${before}@ada${after}`)).toEqual(['ada']);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('hostile bodies', () => {
  // This is far beyond the 64 KiB of a body. Quadratic work would take minutes.
  const MANY = 300_000;

  /** Runs of backticks of every length, each once, and then a mention. */
  const listBacktickRuns = (count: number) =>
    `${Array.from({ length: count }, (_, length) => '`'.repeat(length + 1)).join(' ')} @ada`;

  it.each([
    ['marks between letters', `@a${'_'.repeat(MANY)}a`, []],
    ['marks behind a handle', `@ada${'_-'.repeat(MANY)} @bob`, ['ada', 'bob']],
    ['marks before a handle', `${'_-'.repeat(MANY)}@ada`, ['ada']],
    ['marks behind a letter, before a handle', `x${'_-'.repeat(MANY)}@ada`, []],
    ['a handle without an end', `@${'a'.repeat(MANY)}`, []],
    ['nothing but "@"', '@'.repeat(MANY), []],
    ['lazy lines in a hundred quotes', `@ada \n${'>'.repeat(100)}${'[\n'.repeat(MANY)}`, ['ada']],
    ['lines in a hundred quotes', `${'>'.repeat(100)}[\n`.repeat(MANY / 100), []],
    ['lists in lists', `${'- '.repeat(MANY)}\n${'\n'.repeat(MANY)}@ada`, ['ada']],
    ['runs of backticks, none of which ends', listBacktickRuns(700), ['ada']],
    ['brackets', `${'[[a]<!--'.repeat(MANY)} @ada`, ['ada']],
    ['addresses that nobody closes', `${']('.repeat(MANY)} @ada`, ['ada']],
    ['tabs', `${'\t'.repeat(MANY)}@ada`, []],
    ['rows of a table', `${'| a '.repeat(MANY)}\n|--|\n| @ada`, ['ada']],
  ])('[attack.1-2] [ops.no-freeze] [mention.neighbours] (API4) %s', (_, body, handles) =>
    expect(parseMentions(body)).toEqual(handles),
  );

  // A process that has compiled very many patterns stops optimizing them. The child runs both users
  // of the pattern in that state; Vite loads them, because Node.js 20 runs no TypeScript. With work
  // that grows with the square of the text it would take minutes, and be killed.
  it('[ops.no-freeze] [attack.2-1] also where V8 optimizes no pattern', async () => {
    const program = `
      import { createViteServer } from 'vitest/node';
      const vite = await createViteServer({
        configFile: false,
        appType: 'custom',
        logLevel: 'error',
        server: { middlewareMode: true, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true },
      });
      const { parseMentions } = await vite.ssrLoadModule('/src/features/messages/mentions.ts');
      const { renderMarkdown } =
        await vite.ssrLoadModule('/src/kernel/html/markdown/markdown-to-html.ts');
      const handles = parseMentions('_-'.repeat(${MANY}) + '@ada');
      for (let count = 0; count < 100; count++)
        handles.push(renderMarkdown('-'.repeat(2_900) + ' @ada', ['ada']).text.slice(-60));
      const costly = [
        '#~ftp://a.b'.repeat(1489),
        '#~http://a.b'.repeat(1365),
        '|' + 'a|'.repeat(8) + '\\n|' + '-|'.repeat(8) + '\\n' + '|\\n'.repeat(8000),
      ];
      for (let count = 0; count < 20; count++)
        for (const text of costly) renderMarkdown(text.slice(0, 16_384), ['ada']);
      process.stdout.write(JSON.stringify([...new Set(handles)]));
      await vite.close();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-regexp-optimization', '--input-type=module', '-e', program],
      {
        cwd: fileURLToPath(new URL('../../../', import.meta.url)),
        timeout: 25_000,
        killSignal: 'SIGKILL',
      },
    );
    expect(JSON.parse(stdout)).toEqual([
      'ada',
      expect.stringContaining('<a href="/agents/ada">@ada</a>'),
    ]);
  });
});

describe('handles', () => {
  it('[mention.resolved] come lower-cased, each once, in the order of the text', () => {
    expect(parseMentions('@Bob @ada_1 @bob\n\n- @c-3po @ADA_1')).toEqual(['bob', 'ada_1', 'c-3po']);
  });

  it('[mention.resolved] count up to fifty different ones', () => {
    const many = Array.from({ length: 60 }, (_, n) => `agent-${n}`);
    const body = many.map((handle) => `@${handle} @agent-0 \`@code-${handle}\``).join('\n\n');
    expect(parseMentions(body)).toEqual(many.slice(0, MAX_MENTIONS));
    expect(MAX_MENTIONS).toBe(50);
  });

  it('[mention.resolved] may be anything that can be registered', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$/), (handle) => {
        expect(parseMentions(`For @${handle}.`)).toEqual([handle]);
      }),
      { numRuns: 1000 },
    );
  });

  it('[mention.resolved] are the same whatever else stands in other paragraphs', () => {
    const paragraph = fc.constantFrom(
      '@ada',
      'x @bob y',
      '`@eve`',
      '[@cy]: z',
      '&#64;dan',
      '# @eve',
      '**@gil**',
      '    @hal',
      '\\@ivy',
    );
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 6 }), (paragraphs) => {
        const alone = new Set(paragraphs.flatMap(parseMentions));
        expect(parseMentions(paragraphs.join('\n\n'))).toEqual([...alone]);
      }),
    );
  });
});
