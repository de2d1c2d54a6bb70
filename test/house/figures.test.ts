import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { measureHouse } from '../../scripts/house/figures.ts';
import { findRetiredWords } from '../../scripts/house/retired-words.ts';
import { readSources, type Source, stripText } from '../../scripts/house/sources.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = readSources(root);
const figures = measureHouse(sources);

const buildSource = (path: string, text: string): Source => ({ path, text, code: stripText(text) });

describe('the figures of `npm run house`', () => {
  it('[house.shape] no code line is above 100 columns but for addresses and fixtures', () => {
    expect(figures.wideLines).toEqual([]);
  });

  it('[house.shape] the largest folder has at most 25 unlike files', () => {
    expect(figures.largestFolder.files, figures.largestFolder.path).toBeLessThanOrEqual(25);
  });

  it('[house.shape] nine of ten files have at most 130 lines', () => {
    expect(figures.p90Lines).toBeLessThanOrEqual(130);
  });

  it('[house.shape] no literal is grouped and no declaration packed only to save lines', () => {
    expect(figures.literalGroups).toEqual([]);
    expect(figures.packedDeclarations).toEqual([]);
  });

  it('[house.shape] there are at most 5 casts in a thousand lines', () => {
    expect(figures.castsPerThousandLines).toBeLessThanOrEqual(5);
  });

  it('[house.words] no retired word is used in code or comments', () => {
    expect(figures.retiredWords).toEqual([]);
  });

  it('[house.words] no retired word is used in documents', () => {
    const documents = ['README.md', 'ARCHITECTURE.md', 'STYLE.md', 'CONTRIBUTING.md'].concat(
      readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => join('docs', name)),
    );
    const texts = documents.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
    expect(findRetiredWords(texts)).toEqual([]);
  });

  it('[house.shape] [house.words] are found by a measure that finds what it looks for', () => {
    const packed = 'const [c, d] ' + '= [1, 2];';
    const group = 'f({ ..' + '.{ c } });';
    const wide = `const a = 1; // ${'x'.repeat(100)}`;
    const measured = measureHouse([
      buildSource('src/a.ts', `import './b.ts';\n${wide}\n${packed}\n${group}`),
      buildSource('src/b.ts', "import type { A } from './a.ts';\nexport const x = y as Z;\n"),
      buildSource('src/c.ts', `// They wait for each other ${'in a'} circle.\n`),
    ]);
    expect(measured).toMatchObject({
      wideLines: ['src/a.ts:2'],
      circle: ['src/a.ts', 'src/b.ts', 'src/a.ts'],
      packedDeclarations: ['src/a.ts:3'],
      literalGroups: ['src/a.ts:4'],
      retiredWords: [`src/c.ts:1: ${'in a'} circle`],
      castsPerThousandLines: 142.9,
    });
  });

  it('[house.shape] reads code without its comments, strings and patterns', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The text is source code.
    const text = "const a = 'as b'; // as c\nconst d = `as ${e as F} g`; const h = /as `/.test(i);";
    // biome-ignore lint/suspicious/noTemplateCurlyInString: So is the expected text.
    expect(stripText(text)).toBe("const a = ''; \nconst d = `${e as F}`; const h = /x/.test(i);");
  });
});
