import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A TypeScript file of the project. */
export interface Source {
  /** Path from the root of the project, such as `src/kernel/errors.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text with comments removed and the contents of strings and templates blanked. */
  readonly code: string;
}

/** An import of one file of the project by another. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** The import vanishes at run time. */
  readonly isType: boolean;
}

const folders = ['src', 'client', 'test', 'bench', 'examples', 'scripts'];

const isRegexStart = (before: string): boolean => /(^|[=(,:[!&|?{};\n]|return)\s*$/.test(before);

/** Copies code from `start` until `closes` says so, blanking comments, strings and patterns. */
function scanCode(text: string, start: number, closing: string): { code: string; end: number } {
  let code = '';
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const character = text.charAt(at);
    const pair = text.slice(at, at + 2);
    if (closing !== '' && depth === 0 && character === closing) return { code, end: at };
    if (pair === '//') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (pair === '/*') {
      const end = text.indexOf('*/', at) + 2;
      code += text.slice(at, end).replace(/[^\n]/g, '');
      at = end;
    } else if (character === "'" || character === '"') {
      const end = findEnd(text, at + 1, character);
      code += character + character;
      at = end + 1;
    } else if (character === '`') {
      const template = scanTemplate(text, at + 1);
      code += `\`${template.code}\``;
      at = template.end + 1;
    } else if (character === '/' && isRegexStart(code.slice(-20))) {
      at = findEnd(text, at + 1, '/') + 1;
      code += '/x/';
    } else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      code += character;
      at += 1;
    }
  }
  return { code, end: text.length };
}

/** Index of the closing delimiter; in a pattern, one inside a character class does not close. */
function findEnd(text: string, start: number, delimiter: string): number {
  let isInClass = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (delimiter === '/' && character === '[') isInClass = true;
    else if (delimiter === '/' && character === ']') isInClass = false;
    else if (character === delimiter && !isInClass) return at;
  }
  return text.length;
}

/** The code inside the `${...}` of a template, and where the template ends. */
function scanTemplate(text: string, start: number): { code: string; end: number } {
  let code = '';
  for (let at = start; at < text.length; ) {
    const character = text.charAt(at);
    if (character === '`') return { code, end: at };
    if (text.startsWith('${', at)) {
      const inner = scanCode(text, at + 2, '}');
      code += `\${${inner.code}}`;
      at = inner.end + 1;
    } else {
      if (character === '\n') code += '\n';
      at += character === '\\' ? 2 : 1;
    }
  }
  return { code, end: text.length };
}

/** Removes comments and blanks strings, patterns and templates, but not the code in `${...}`. */
export const stripText = (text: string): string => scanCode(text, 0, '').code;

/** Generated files are written by nobody, so that nothing is measured in them. */
const GENERATED = 'src/generated/';

/** All TypeScript files below a root folder, without declarations and generated files. */
export function readSources(root: string): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .filter((name) => !name.startsWith(GENERATED))
      .toSorted()
      .map((name) => {
        const path = join(folder, name);
        const text = readFileSync(join(root, path), 'utf8');
        return { path, text, code: stripText(text) };
      }),
  );
}

const STATIC_IMPORT = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/;
const LAZY_IMPORT = /\bimport\('(\.[^']+)'\)/;
const IMPORT = new RegExp(`${STATIC_IMPORT.source}|${LAZY_IMPORT.source}`, 'g');

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** Imports between files of the project, in order. */
export const listImports = (sources: readonly Source[]): readonly Import[] =>
  sources.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(IMPORT)].map(([, type, direct, lazy]) => ({
      from: path,
      to: normalize(join(dirname(path), direct ?? lazy ?? '')),
      isType: type !== undefined,
    })),
  );

/** The first circle of imports, types included, or undefined. */
export function findCircle(imports: readonly Import[]): readonly string[] | undefined {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    const known = path.indexOf(file);
    if (known >= 0) return [...path.slice(known), file];
    if (done.has(file)) return undefined;
    for (const to of targets.get(file) ?? []) {
      const circle = visit(to, [...path, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}
