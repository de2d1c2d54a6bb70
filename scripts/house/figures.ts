import { basename, dirname } from 'node:path';
import { findRetiredWords } from './retired-words.ts';
import { findCircle, listImports, type Source } from './sources.ts';

/** How legible the sources are, in figures. `test/house/figures.test.ts` holds the limits. */
export interface Figures {
  readonly files: number;
  /** Lines of code above 100 columns, but for addresses and fixtures. */
  readonly wideLines: readonly string[];
  /** The folder with the most unlike files, and how many it has. */
  readonly largestFolder: { readonly path: string; readonly files: number };
  /** A circle of imports, types included. */
  readonly circle: readonly string[] | undefined;
  /** Of the lines of the files in `src` and `client`, tests left out. */
  readonly medianLines: number;
  readonly p90Lines: number;
  readonly longestFile: { readonly path: string; readonly lines: number };
  /** `as` casts in a thousand lines of `src` and `client`, `as const` left out. */
  readonly castsPerThousandLines: number;
  readonly literalGroups: readonly string[];
  readonly packedDeclarations: readonly string[];
  readonly retiredWords: readonly string[];
}

const MAX_COLUMNS = 100;

const isTest = (path: string) => path.endsWith('.test.ts');
const isShipped = ({ path }: Source) => /^(src|client)\//.test(path) && !isTest(path);

/** Addresses and recorded bytes cannot be broken. */
const mayBeWide = (path: string, line: string): boolean =>
  /https?:\/\/\S{40}/.test(line) ||
  /'[\w+/=\\]{80,}'/.test(line) ||
  path.startsWith('test/vectors/');

const locate = (sources: readonly Source[], read: (source: Source) => string, found: RegExp) =>
  sources.flatMap((source) =>
    read(source)
      .split('\n')
      .flatMap((line, index) => (found.test(line) ? [`${source.path}:${index + 1}`] : [])),
  );

const listWideLines = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        line.length > MAX_COLUMNS && !mayBeWide(path, line) ? [`${path}:${index + 1}`] : [],
      ),
  );

/**
 * Files of one kind do not crowd a folder: operations of a feature (its index lists them), pages,
 * migrations, areas of requirements, tests beside what they test.
 */
function countUnlike(folder: string, sources: readonly Source[]): number {
  if (/^(src\/db\/migrations|test\/requirements)$/.test(folder)) return 1;
  const files = sources.filter(({ path }) => dirname(path) === folder);
  const index = files.find(({ path }) => basename(path) === 'index.ts')?.text ?? '';
  const isBesideItsSource = (path: string) =>
    isTest(path) && files.some((other) => other.path === path.replace('.test.ts', '.ts'));
  const isAlike = ({ path }: Source) =>
    index.includes(`'./${basename(path)}'`) || isBesideItsSource(path) || path.endsWith('.page.ts');
  return files.filter((file) => !isAlike(file)).length;
}

function findLargestFolder(sources: readonly Source[]): Figures['largestFolder'] {
  const folders = [...new Set(sources.map(({ path }) => dirname(path)))];
  const counted = folders.map((path) => ({ path, files: countUnlike(path, sources) }));
  return counted.toSorted((a, b) => b.files - a.files)[0] ?? { path: '', files: 0 };
}

const countLines = (text: string): number => text.trimEnd().split('\n').length;

const countCasts = ({ code }: Source): number =>
  [
    ...code
      .replace(/^(import|export) [^;]*? from ''/gm, '')
      .replace(/\bimport \* as \w+/g, '')
      .matchAll(/\bas (?!const\b)[\w({[]/g),
  ].length;

/** Measures all sources. */
export function measureHouse(sources: readonly Source[]): Figures {
  const shipped = sources.filter(isShipped);
  const sizes = shipped
    .map(({ path, text }) => ({ path, lines: countLines(text) }))
    .toSorted((a, b) => a.lines - b.lines);
  const sizeAt = (part: number) => sizes[Math.floor(sizes.length * part)]?.lines ?? 0;
  const total = sizes.reduce((sum, { lines }) => sum + lines, 0);
  const casts = shipped.reduce((sum, source) => sum + countCasts(source), 0);
  return {
    files: shipped.length,
    wideLines: listWideLines(sources),
    largestFolder: findLargestFolder(sources),
    circle: findCircle(listImports(sources)),
    medianLines: sizeAt(0.5),
    p90Lines: sizeAt(0.9),
    longestFile: sizes.at(-1) ?? { path: '', lines: 0 },
    castsPerThousandLines: Math.round((casts / total) * 10_000) / 10,
    literalGroups: locate(sources, ({ code }) => code, /\.\.\.\(?\{ *\w/),
    packedDeclarations: locate(
      sources,
      ({ code }) => code,
      /\b(const|let) \[[^\]]*,[^\]]*\] = \[[^\]]*\];/,
    ),
    retiredWords: findRetiredWords(sources),
  };
}
