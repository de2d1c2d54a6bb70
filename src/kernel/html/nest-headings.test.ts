import { expect, it } from 'vitest';
import { renderMarkdown } from './markdown/markdown-to-html.ts';
import { nestHeadings } from './nest-headings.ts';

const listLevels = (text: string): string[] =>
  [...nestHeadings(renderMarkdown(text)).text.matchAll(/<h(\d)>.*?<\/h(\d)>/g)].map(
    ([, start, end]) => `${start}${end}`,
  );

it('[pages.rules] headings begin with h2 and skip no level', () => {
  expect(listLevels('# One\n\n### Deep\n\n## Two\n\n# Again')).toEqual(['22', '33', '33', '22']);
  expect(listLevels('## First\n\n# Higher\n\n## Below\n\n### Deeper')).toEqual([
    '22',
    '22',
    '33',
    '44',
  ]);
  expect(nestHeadings(renderMarkdown('Write `<h4>` or <h5>.')).text).toContain('&lt;h5&gt;');
});
